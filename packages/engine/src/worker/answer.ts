import type { Log } from '@portolan/foundation/log';
import { bsonTypes } from '../bson/bson-types.ts';
import { writeDocument } from '../bson/document-writer.ts';
import { encodeDocument } from '../bson/encode.ts';
import { RawDocument } from '../bson/raw.ts';
import { double, int64, Value } from '../bson/value.ts';
import type { UnsatisfiedConcern } from '../commands/context/unsatisfied-concern.ts';
import { Interruption } from '../errors/interruption.ts';
import { ServerError } from '../errors/server-error.ts';
import { errorLabels, retryContextIn, retryContextOf } from '../message/error-labels.ts';
import type { Reply } from '../message/reply.ts';
import { CollectionDropped } from '../storage/collection/dropped.ts';
import { StorageError } from '../storage/file/storage-error.ts';
import type { Operation } from './operations.ts';

/** `ok` is a double, as in the server. */
const success = double(1);
const failure = double(0);

/** Encodes a successful reply. `times` comes from `clusterTimes`. */
export function answer(reply: Reply, times: Reply, writeConcernError?: UnsatisfiedConcern): Uint8Array {
  // A partly successful command returns its results with `ok: 0`.
  const ok = reply.ok === 0 ? failure : (reply.ok ?? success);
  return encodeDocument({ ...reply, writeConcernError, ok, ...times });
}

/** Adds an unsatisfied write concern to the reply of a completed write. */
export function withConcernError(document: Uint8Array, error: UnsatisfiedConcern): Uint8Array {
  return answer(fieldsOf(document), {}, error);
}

function fieldsOf(document: Uint8Array): Reply {
  return Object.fromEntries([...new RawDocument(document)].map((field) => [field.name, field]));
}

/**
 * Runs a statement. If it throws an error with details, encodes them, so that this can yield: details can be long, such
 * as the documents that violate a unique index.
 */
export function withEncodedDetails<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof ServerError) error.more = fieldsOf(encodeDocument(error.more));
    throw error;
  }
}

/** The signature is constant, because drivers return it unchanged and the engine does not verify it. */
const signature = writeDocument((writer) => {
  writer.field(
    'hash',
    new Value(bsonTypes.binData, Uint8Array.of(20, 0, 0, 0, ...new Uint8Array(21)), 0, 25),
  );
  writer.field('keyId', int64(0n));
});

/** Returns `$clusterTime` and `operationTime` for replies; `newest` is the time of the newest change. */
export function clusterTimes(newest: Value): Reply {
  const clusterTime = writeDocument((writer) => {
    writer.field('clusterTime', newest);
    writer.field('signature', signature.toValue());
  });
  return { $clusterTime: clusterTime, operationTime: newest };
}

/**
 * Encodes the reply to a message that failed. An internal error is logged, and the client receives a general message.
 */
export function errorAnswer(
  error: unknown,
  log: Log,
  times: Reply,
  { wire: { sections }, parsed, unsatisfied }: Pick<Operation, 'wire' | 'parsed' | 'unsatisfied'>,
): Uint8Array {
  const { message, code, codeName, more } = serverErrorOf(error, log);
  const context = parsed === undefined ? retryContextOf(sections) : retryContextIn(parsed);
  const labels = errorLabels(code, context);
  const errorFields = labels.length === 0 ? more : { errorLabels: labels, ...more };
  // If the arguments were valid, the command has read data before it failed, so it reports its write concern as well.
  const writeConcernError = unreadable.has(codeName) ? undefined : unsatisfied;
  return encodeDocument({
    ok: failure,
    errmsg: message,
    code,
    codeName,
    ...errorFields,
    writeConcernError,
    ...times,
  });
}

/** Codes of errors in the arguments. Such errors are found before the command reads any data. */
const unreadable: ReadonlySet<string> = new Set([
  ...['BadValue', 'FailedToParse', 'TypeMismatch', 'InvalidLength', 'InvalidNamespace', 'InvalidOptions'],
  ...['IDLDuplicateField', 'IDLFailedToParse', 'IDLUnknownField'],
]);

function serverErrorOf(error: unknown, log: Log): ServerError {
  if (error instanceof ServerError) return error;
  if (error instanceof Interruption) return error.reason;
  if (error instanceof CollectionDropped) {
    const uuid = Buffer.from(error.collection.uuid).toString('hex');
    return new ServerError('QueryPlanKilled', `collection dropped. UUID ${hyphenated(uuid)}`);
  }
  log.error({ err: error }, 'a command failed');
  if (error instanceof StorageError && error.reason === 'full') {
    return new ServerError('OutOfDiskSpace', 'The disk is full');
  }
  if (error instanceof StorageError && error.reason === 'damaged') {
    return new ServerError('DataCorruptionDetected', 'The file of the cluster is damaged');
  }
  return new ServerError('InternalError', 'The command failed for a reason that is in the log of the engine');
}

function hyphenated(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
