/** Functions for caught values, whose type is unknown because any value can be thrown. */

/** Returns the message of an error, or another value as text. */
export function errorMessage(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** Returns the code of an error of Node.js or the operating system, such as `ENOENT`. */
export function errorCode(thrown: unknown): string | undefined {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** True if the error means that a file or folder does not exist. */
export function isAbsent(thrown: unknown): boolean {
  return errorCode(thrown) === 'ENOENT';
}
