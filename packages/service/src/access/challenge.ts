import { STATUS_CODES } from 'node:http';
import { Fault } from '@portolan/foundation/faults';

const INDENT = 2;

/**
 * A 401 error with challenges in `headers['WWW-Authenticate']`, one header line each. `challengeBody` returns the body
 * of the error.
 */
export class Challenge extends Fault {
  constructor(challenges: readonly string[]) {
    super('UNEXPECTED_ERROR', 401, 'You are not authorized for this resource.', []);
    this.name = 'Challenge';
    this.headers = { 'WWW-Authenticate': challenges };
  }
}

/**
 * Returns the body of a 401 response. It is always indented, its fields are not in alphabetical order
 * (docs/contract/access.md 1.1), and it has all fields of an error (docs/contract/api.md 7).
 */
export function challengeBody(fault: Challenge): string {
  const { status, message, code, parameters } = fault;
  const fields = {
    error: status,
    reason: STATUS_CODES[status],
    detail: message,
    errorCode: code,
    parameters,
  };
  return JSON.stringify(fields, null, INDENT);
}
