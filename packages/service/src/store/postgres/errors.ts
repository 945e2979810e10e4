import { StoreError, UniqueViolation } from '../errors.ts';

/** Fields of the client's errors (postgresql.org/docs/current/protocol-error-fields.html). */
interface ServerError extends Error {
  readonly code?: unknown;
  readonly table?: string;
  readonly constraint?: string;
  readonly detail?: string;
}

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';
const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';
const LOCK_NOT_AVAILABLE = '55P03';
const READ_ONLY_TRANSACTION = '25006';
const FAILED_TRANSACTION = '25P02';

/** Network error codes of Node.js and of the client. */
const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
]);

/** Whether running the transaction again may succeed. */
export function isConflict(error: unknown): boolean {
  const { code } = Object(error instanceof StoreError ? error.cause : error) as ServerError;
  return code === SERIALIZATION_FAILURE || code === DEADLOCK;
}

/** Whether the server rejected a statement because it accepts no writes. */
export function isReadOnly(error: unknown): boolean {
  const { code } = Object(error instanceof StoreError ? error.cause : error) as ServerError;
  return code === READ_ONLY_TRANSACTION;
}

/** Translates errors of the client. Returns other errors unchanged. */
export function postgresError(error: unknown, place: string): unknown {
  if (!(error instanceof Error) || error instanceof StoreError) return error;
  const server: ServerError = error;
  const options = { cause: error };
  if (isConflict(error))
    return new StoreError('busy', 'Too many transactions changed the same rows', options);
  if (server.code === UNIQUE_VIOLATION) return uniqueViolation(server);
  if (server.code === FOREIGN_KEY_VIOLATION) return new StoreError('foreignKey', error.message, options);
  if (server.code === LOCK_NOT_AVAILABLE) return new StoreError('busy', error.message, options);
  if (server.code === READ_ONLY_TRANSACTION) {
    return new StoreError('readOnly', `${place} is read-only`, options);
  }
  if (server.code === FAILED_TRANSACTION) return new StoreError('constraint', error.message, options);
  return byClass(server, place) ?? error;
}

/** Translates an error according to its class, which is the first two characters of its SQLSTATE. */
function byClass(error: ServerError, place: string): StoreError | undefined {
  const options = { cause: error };
  const code = typeof error.code === 'string' ? error.code : '';
  if (NETWORK.has(code) || isLostConnection(error)) {
    return new StoreError('unavailable', `${place} cannot be reached: ${error.message}`, options);
  }
  switch (/^[0-9A-Z]{5}$/.test(code) ? code.slice(0, 2) : '') {
    case '23':
      return new StoreError('constraint', error.message, options);
    case '53':
      // 53100 is a full disk. The other codes are about memory and connections.
      return new StoreError(code === '53100' ? 'full' : 'busy', `${place}: ${error.message}`, options);
    case '08':
    case '57':
      return new StoreError('unavailable', `${place} cannot be reached: ${error.message}`, options);
    case '28':
    case '3D':
      return new StoreError('configuration', `${place} rejected the connection: ${error.message}`, options);
    case 'XX':
      return new StoreError('damaged', `${place}: ${error.message}`, options);
    default:
      return undefined;
  }
}

/**
 * Whether an error means that the connection was lost. `pg` sets no code for these errors, so they are recognized by
 * their messages.
 */
function isLostConnection(error: Error): boolean {
  return /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/.test(
    error.message,
  );
}

/**
 * Translates a unique violation. Only the detail of the error names the columns: `Key (group_id, name)=(…) already
 * exists.`
 */
function uniqueViolation(error: ServerError): UniqueViolation {
  const columns = /^Key \((.+?)\)=/.exec(error.detail ?? '')?.[1]?.split(', ') ?? [];
  return new UniqueViolation({ table: error.table ?? '', columns, constraint: error.constraint }, error);
}
