/** A reply of the API that is an error. */
export class Refused extends Error {
  readonly code: number;
  readonly reason: string;
  readonly details: object | undefined;

  constructor(code: number, reason: string, message: string, details?: object) {
    super(message);
    this.code = code;
    this.reason = reason;
    this.details = details;
  }
}

/** Returns the `Status` object that the API sends for an error. */
export function statusOf(error: unknown): { readonly code: number } {
  const refused = error instanceof Refused ? error : new Refused(500, 'InternalError', String(error));
  const { code, reason, message, details } = refused;
  return {
    ...{ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason },
    ...(details && { details }),
    code,
  };
}
