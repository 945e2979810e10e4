/** The error for a lasting problem of a source or destination. Its message is for the user. */
export class PermanentError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Hindrance';
  }
}
