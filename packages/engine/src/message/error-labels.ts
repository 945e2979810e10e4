import { RawDocument } from '../bson/raw.ts';
import { ServerError } from '../errors/server-error.ts';
import { walkSections } from './sections.ts';

/** Error labels, by which drivers decide how to handle an error. */
export type ErrorLabel = 'TransientTransactionError' | 'RetryableWriteError';

/**
 * The codes of errors after which another member may succeed: the member is not writable, about to stop, or
 * unreachable.
 */
const retriable: ReadonlySet<number> = new Set([
  6, // HostUnreachable
  7, // HostNotFound
  89, // NetworkTimeout
  91, // ShutdownInProgress
  134, // ReadConcernMajorityNotAvailableYet
  189, // PrimarySteppedDown
  262, // ExceededTimeLimit
  358, // InternalTransactionNotSupported, during a change of the feature compatibility version
  9001, // SocketException
  10107, // NotWritablePrimary
  11600, // InterruptedAtShutdown
  11602, // InterruptedDueToReplStateChange
  13435, // NotPrimaryNoSecondaryOk
  13436, // NotPrimaryOrSecondary
]);

/** The codes of errors after which the same statements may succeed in a new transaction. */
const transient: ReadonlySet<number> = new Set([
  24, // LockTimeout
  112, // WriteConflict
  239, // SnapshotTooOld
  246, // SnapshotUnavailable
  267, // PreparedTransactionInProgress
]);

const NO_SUCH_TRANSACTION = 251;

/** The transaction or retryable write to which a message belongs. */
export interface RetryContext {
  readonly command: string;
  readonly numbered: boolean;
  readonly inTransaction: boolean;
}

/**
 * Maximum size of a body that is parsed only to find its context. Larger bodies are rare, because drivers put documents
 * in sequences.
 */
const READ_BYTES = 65_536;

const noContext: RetryContext = { command: '', numbered: false, inTransaction: false };

/** Reads the context directly from the message, because parsing the command may have failed. */
export function retryContextOf(sections: Uint8Array): RetryContext {
  try {
    const body = walkSections(sections);
    return body.length > READ_BYTES ? noContext : retryContextIn(RawDocument.of(body));
  } catch (error) {
    if (error instanceof ServerError) return noContext;
    throw error;
  }
}

/** Reads the context from the body of a command. */
export function retryContextIn(body: RawDocument): RetryContext {
  const command = body.first()?.name ?? '';
  return { command, numbered: body.has('txnNumber'), inTransaction: body.has('autocommit') };
}

export function errorLabels(code: number, { command, numbered, inTransaction }: RetryContext): ErrorLabel[] {
  if (!numbered) return [];
  const ends = command === 'commitTransaction' || command === 'abortTransaction';
  const labels: ErrorLabel[] = [];
  if (inTransaction && isTransient(code, ends)) labels.push('TransientTransactionError');
  if ((!inTransaction || ends) && retriable.has(code)) labels.push('RetryableWriteError');
  return labels;
}

function isTransient(code: number, ends: boolean): boolean {
  return transient.has(code) || code === NO_SUCH_TRANSACTION || (!ends && retriable.has(code));
}
