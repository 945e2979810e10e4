import { ServerError } from '../../errors/server-error.ts';

// A name begins with a letter or a non-ASCII character and continues with letters, digits and underscores.
const beginningOfOwn = /^[a-z\u0080-\u{10ffff}]/u;
const beginningOfAny = /^[A-Za-z\u0080-\u{10ffff}]/u;
const rest = /^.[A-Za-z0-9_\u0080-\u{10ffff}]*$/su;

/** System variables that have one value per operation. */
export const systemVariables: ReadonlySet<string> = new Set(['NOW', 'CLUSTER_TIME', 'USER_ROLES']);

/** Validates the name of a variable that an expression reads. */
export function checkVariableRead(name: string): void {
  if (name === '') throw new ServerError('FailedToParse', 'empty variable names are not allowed');
  check(name, beginningOfAny, 'a variable name');
}

/**
 * Validates the name of a variable that an expression binds. Names that begin with a capital letter are reserved,
 * except `CURRENT`.
 */
export function checkVariableBound(name: string): void {
  if (name === '') throw new ServerError('FailedToParse', 'empty variable names are not allowed');
  if (name !== 'CURRENT') check(name, beginningOfOwn, 'a user variable name');
}

function check(name: string, beginning: RegExp, what: string): void {
  if (!beginning.test(name)) {
    throw new ServerError('FailedToParse', `'${name}' starts with an invalid character for ${what}`);
  }
  if (!rest.test(name)) {
    throw new ServerError('FailedToParse', `'${name}' contains an invalid character for a variable name`);
  }
}
