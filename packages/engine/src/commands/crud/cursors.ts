import type { RawDocument } from '../../bson/raw.ts';
import { step } from '../../bson/turns.ts';
import { WaitForCommit } from '../../errors/interruption.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Command } from '../context/command.ts';
import type { Cursors, OpenCursor } from '../context/cursors.ts';
import { checkApiParameters } from '../shared/api-parameters.ts';
import { command } from '../shared/define.ts';
import { listOf, required } from '../shared/field-builders.ts';
import { checkNamespace } from '../shared/namespace.ts';
import { inspecting, withoutData } from '../shared/presets.ts';
import { ownerOf } from '../shared/results.ts';

const getMore = command({
  name: 'getMore',
  ...inspecting,
  operation: 'getmore',
  transaction: 'later statement',
  readConcern: 'of cursor',
  stableApi: true,
  // Requires no privileges. `run` checks that the caller owns the cursor.
  privileges: () => [],
  fields: {
    getMore: 'long!',
    collection: 'string!',
    batchSize: 'count',
    term: 'long',
    lastKnownCommittedOpTime: 'object',
    includeQueryStatsMetrics: 'truth',
  },
  run(args, request, { cursors }) {
    const namespace = checkNamespace(request.database, args.collection);
    const id = args.getMore;
    const cursor = cursors.find(id);
    const wait = request.body.int('maxTimeMS');
    if (cursor === undefined) throw cursors.missing(id);
    checkOwner(cursor, id, namespace, ownerOf(request));
    checkSession(cursor, id, request.session);
    checkTransaction(cursor, id, request.transaction?.number);
    checkApiParameters('getMore', request.body, 'the cursor-creating command', cursor.apiParameters);
    if (wait !== undefined && !cursor.awaitsData) {
      throw new ServerError('BadValue', 'cannot set maxTimeMS on getMore command for a non-awaitData cursor');
    }
    const nextBatch = takeFrom(cursor, id, args.batchSize, cursors);
    const done = cursor.results.ended;
    const { results } = cursor;
    if (
      cursor.awaitsData &&
      nextBatch.length === 0 &&
      !done &&
      !results.moreToScan &&
      !request.awaitTimedOut
    ) {
      throw new WaitForCommit(wait ?? AWAIT_MS, () => results.changed ?? true);
    }
    if (done) cursors.close(id);
    const postBatchResumeToken = cursor.results.resumeToken;
    return { cursor: { nextBatch, postBatchResumeToken, id: done ? 0n : id, ns: namespace } };
  },
});

/** The default time that getMore waits for data. */
const AWAIT_MS = 1_000;

/** Reads from a cursor, and closes it if reading fails. */
function takeFrom(cursor: OpenCursor, id: bigint, batchSize = 0, cursors: Cursors): RawDocument[] {
  try {
    // As on the server, a batch size of 0 means no limit.
    return cursors.reading(id, () => cursor.results.take(batchSize || Number.POSITIVE_INFINITY));
  } catch (error) {
    const inUse = error instanceof ServerError && error.codeName === 'CursorInUse';
    if (!inUse) cursors.close(id);
    throw error;
  }
}

function checkOwner(cursor: OpenCursor, id: bigint, namespace: string, owner: string): void {
  if (cursor.namespace !== namespace) {
    throw new ServerError(
      'Unauthorized',
      `Requested getMore on namespace '${namespace}', but cursor belongs to a different namespace ${cursor.namespace}`,
    );
  }
  if (cursor.owner !== owner) {
    throw new ServerError('Unauthorized', `cursor id ${id} was not created by the authenticated user`);
  }
}

/** Throws unless the cursor was opened in this session. */
function checkSession(cursor: OpenCursor, id: bigint, session: string | undefined): void {
  const opened = cursor.session;
  if (opened === session) return;
  const prefix = `Cannot run getMore on cursor ${id}, which was`;
  if (opened === undefined) {
    throw new ServerError(50736, `${prefix} not created in a session, in session ${session}`);
  }
  if (session === undefined) {
    throw new ServerError(50737, `${prefix} created in session ${opened}, without an lsid`);
  }
  throw new ServerError(50738, `${prefix} created in session ${opened}, in session ${session}`);
}

/** Throws unless the cursor was opened in this transaction. */
function checkTransaction({ transaction: opened }: OpenCursor, id: bigint, number: bigint | undefined): void {
  if (opened === number) return;
  const prefix = `Cannot run getMore on cursor ${id}, which was`;
  if (opened === undefined) {
    throw new ServerError(50739, `${prefix} not created in a transaction, in transaction ${number}`);
  }
  if (number === undefined) {
    throw new ServerError(50740, `${prefix} created in transaction ${opened}, without a txnNumber`);
  }
  throw new ServerError(50741, `${prefix} created in transaction ${opened}, in transaction ${number}`);
}

const killCursors = command({
  name: 'killCursors',
  ...withoutData,
  transaction: 'later statement',
  stableApi: true,
  privileges: () => [],
  fields: { killCursors: 'collection!', cursors: required(listOf('long', { skipsNull: true })) },
  run(args, request, { cursors }) {
    checkNamespace(request.database, args.killCursors);
    const { cursors: ids } = args;
    const owner = ownerOf(request);
    for (const id of ids) {
      step();
      const cursor = cursors.find(id);
      if (cursor !== undefined && cursor.owner !== owner) {
        throw new ServerError('Unauthorized', `not authorized to kill cursor ${id}`);
      }
    }
    const killed: bigint[] = [];
    const notFound: bigint[] = [];
    for (const id of ids) {
      step();
      (cursors.close(id) ? killed : notFound).push(id);
    }
    return {
      cursorsKilled: killed,
      cursorsNotFound: notFound,
      cursorsAlive: [],
      cursorsUnknown: [],
    };
  },
});

export const cursorCommands: readonly Command[] = [getMore, killCursors];
