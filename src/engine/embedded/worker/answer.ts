import { Double } from 'bson';
import type { Log } from '../../../runtime/log.ts';
import type { Reply, UnsatisfiedConcern } from '../command.ts';
import { encodeDocument } from '../commands/encode.ts';
import { ServerError } from '../server-error.ts';
import { CollectionDropped } from '../storage/collection.ts';
import { StorageError } from '../storage/storage-error.ts';

/** The server answers `ok` as a double. */
const success = new Double(1);
const failure = new Double(0);

export function answer(reply: Reply, writeConcernError?: UnsatisfiedConcern): Uint8Array {
  return encodeDocument({ ...reply, writeConcernError, ok: success });
}

/** The answer to a command that failed. What is not the caller's business goes to the log. */
export function errorAnswer(error: unknown, log: Log): Uint8Array {
  const { message, code, codeName, more } = serverErrorOf(error, log);
  return encodeDocument({ ok: failure, errmsg: message, code, codeName, ...more });
}

export function serverErrorOf(error: unknown, log: Log): ServerError {
  if (error instanceof ServerError) return error;
  if (error instanceof CollectionDropped) {
    const uuid = Buffer.from(error.collection.uuid).toString('hex');
    return new ServerError('QueryPlanKilled', `collection dropped. UUID ${hyphenated(uuid)}`);
  }
  log.error({ err: error }, 'a command failed');
  if (error instanceof StorageError && error.reason === 'full') {
    return new ServerError('OutOfDiskSpace', 'The disk is full');
  }
  return new ServerError('InternalError', 'The command failed for a reason that is in the log of the engine');
}

function hyphenated(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
