/** A part of a response that is JSON text already, such as the reply of a database. Responses contain it unchanged. */
export class WrittenJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Returns the parsed value, because an indented response is formatted from values. */
  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}
