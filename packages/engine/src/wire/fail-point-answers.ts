import { type Document, Double } from 'bson';
import { writeDocument } from '../bson/document-writer.ts';
import { encodeDocument } from '../bson/encode.ts';
import { RawDocument } from '../bson/raw.ts';
import { errorLabels, retryContextOf } from '../message/error-labels.ts';

/** The effect of the active fail points on one command. */
export interface Failure {
  readonly closeConnection: boolean;
  /** The delay in milliseconds before the connection is closed, the error is sent, or the command runs. */
  readonly blockMs: number;
  /** Creates the error that replaces the reply of the command. */
  readonly error: ((sections?: Uint8Array) => Document) | undefined;
  /** An error that is added to the reply of the command. */
  readonly writeConcernError: Document | undefined;
  /** Returns true if the connection must be closed in place of sending this reply. */
  readonly closesAfter?: (answer: RawDocument) => boolean;
  /** True if the command has no time limit. */
  readonly untimed?: boolean;
}

export const noFailure: Failure = {
  closeConnection: false,
  blockMs: 0,
  error: undefined,
  writeConcernError: undefined,
};

/**
 * Returns a function that creates an error with the given code. Without `labels`, the error has the labels that the
 * server would add.
 */
export function errorOf(
  code: number,
  errmsg: string,
  { labels, extra }: { labels?: readonly string[] | undefined; extra?: Document } = {},
): (sections?: Uint8Array) => Document {
  return (sections) => {
    const effective = labels ?? (sections === undefined ? [] : errorLabels(code, retryContextOf(sections)));
    return {
      ok: new Double(0),
      errmsg,
      code,
      codeName: names[code] ?? `Location${code}`,
      ...extra,
      ...(effective.length === 0 ? {} : { errorLabels: effective }),
    };
  };
}

const names: Readonly<Record<number, string>> = {
  1: 'InternalError',
  6: 'HostUnreachable',
  7: 'HostNotFound',
  11: 'UserNotFound',
  20: 'IllegalOperation',
  24: 'LockTimeout',
  43: 'CursorNotFound',
  50: 'MaxTimeMSExpired',
  63: 'StaleShardVersion',
  64: 'WriteConcernFailed',
  89: 'NetworkTimeout',
  91: 'ShutdownInProgress',
  112: 'WriteConflict',
  134: 'ReadConcernMajorityNotAvailableYet',
  189: 'PrimarySteppedDown',
  251: 'NoSuchTransaction',
  262: 'ExceededTimeLimit',
  9001: 'SocketException',
  10107: 'NotWritablePrimary',
  11600: 'InterruptedAtShutdown',
  11601: 'Interrupted',
  11602: 'InterruptedDueToReplStateChange',
  13435: 'NotPrimaryNoSecondaryOk',
  13436: 'NotPrimaryOrSecondary',
};

/**
 * Adds the labels of the write concern error to the failure. The labels are computed before the command runs, because
 * its start may transfer the buffer of a large message to another thread. Only the label for retryable writes is added,
 * since repeating a transaction does not help against a failed write concern.
 */
export function labelled(failure: Failure, sections: Uint8Array): Failure {
  const error = failure.writeConcernError;
  if (error === undefined || error.errorLabels !== undefined) return failure;
  const labels = errorLabels(Number(error.code), retryContextOf(sections)).filter(isOfWrites);
  return { ...failure, writeConcernError: { ...error, errorLabels: labels } };
}

/**
 * Returns a reply with the effect of fail points on the command. Returns undefined if the connection must be closed
 * instead.
 */
export function withInjected(
  reply: Uint8Array,
  injected: Pick<Failure, 'writeConcernError' | 'closesAfter'> | undefined,
): Uint8Array | undefined {
  if (injected === undefined) return reply;
  if (injected.closesAfter?.(new RawDocument(reply)) === true) return undefined;
  const { writeConcernError } = injected;
  return writeConcernError === undefined ? reply : withWriteConcernError(reply, writeConcernError);
}

/** Adds a write concern error and its labels to a reply. */
export function withWriteConcernError(
  document: Uint8Array,
  { errorLabels: labels = [], ...rest }: Document,
): Uint8Array {
  const added = { writeConcernError: rest, ...(labels.length === 0 ? {} : { errorLabels: labels }) };
  return writeDocument((writer) => {
    for (const element of new RawDocument(document)) {
      if (!Object.hasOwn(added, element.name)) writer.element(element);
    }
    for (const element of new RawDocument(encodeDocument(added))) writer.element(element);
  }).toBytes();
}

function isOfWrites(label: string): boolean {
  return label === 'RetryableWriteError';
}
