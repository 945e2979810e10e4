import type { Log } from '@portolan/foundation/log';
import { bsonTypes } from '../bson/bson-types.ts';
import { writeDocument } from '../bson/document-writer.ts';
import { encodeDocument } from '../bson/encode.ts';
import { RawDocument } from '../bson/raw.ts';
import { double, int64, Value } from '../bson/value.ts';
import type { UnsatisfiedConcern } from '../commands/context/unsatisfied-concern.ts';
import { Interruption } from '../errors/interruption.ts';
import { ServerError } from '../errors/server-error.ts';
import { errorLabels, retryContextOf } from '../message/error-labels.ts';
import type { Reply } from '../message/reply.ts';
import { CollectionDropped } from '../storage/collection.ts';
import { StorageError } from '../storage/storage-error.ts';
import type { Operation } from './operations.ts';

/** The server answers `ok` as a double. */
const success = double(1);
const failure = double(0);

/** `times` is what `clusterTimes` makes. */
export function answer(reply: Reply, times: Reply, writeConcernError?: UnsatisfiedConcern): Uint8Array {
  // A command that has done a part of what it was asked keeps that, and says that it failed.
  const ok = reply.ok === 0 ? failure : (reply.ok ?? success);
  return encodeDocument({ ...reply, writeConcernError, ok, ...times });
}

/** The answer to a write that is done, but not as its write concern wants. */
export function withConcernError(document: Uint8Array, error: UnsatisfiedConcern): Uint8Array {
  return answer(
    Object.fromEntries([...new RawDocument(document)].map((field) => [field.name, field])),
    {},
    error,
  );
}

/** Nobody checks signatures here; drivers hand back what they were given. */
const signature = writeDocument((writer) => {
  writer.field(
    'hash',
    new Value(bsonTypes.binData, Uint8Array.of(20, 0, 0, 0, ...new Uint8Array(21)), 0, 25),
  );
  writer.field('keyId', int64(0n));
});

/** The newest time that the cluster has given to a change, as answers tell it. */
export function clusterTimes(newest: Value): Reply {
  const clusterTime = writeDocument((writer) => {
    writer.field('clusterTime', newest);
    writer.field('signature', signature.toValue());
  });
  return { $clusterTime: clusterTime, operationTime: newest };
}

/** The answer to a message that failed. What is not the caller's business goes to the log. */
export function errorAnswer(
  error: unknown,
  log: Log,
  times: Reply,
  { wire: { sections }, unsatisfied }: Pick<Operation, 'wire' | 'unsatisfied'>,
): Uint8Array {
  const { message, code, codeName, more } = serverErrorOf(error, log);
  const labels = errorLabels(code, retryContextOf(sections));
  const told = labels.length === 0 ? more : { errorLabels: labels, ...more };
  // A command that could be read has looked at what is there, and so waits for its write concern.
  const writeConcernError = unreadable.has(codeName) ? undefined : unsatisfied;
  return encodeDocument({
    ok: failure,
    errmsg: message,
    code,
    codeName,
    ...told,
    writeConcernError,
    ...times,
  });
}

/** The codes of commands that are refused for their arguments, before they do anything. */
const unreadable: ReadonlySet<string> = new Set([
  ...['BadValue', 'FailedToParse', 'TypeMismatch', 'InvalidLength', 'InvalidNamespace', 'InvalidOptions'],
  ...['Location40413', 'Location40414', 'Location40415'],
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
