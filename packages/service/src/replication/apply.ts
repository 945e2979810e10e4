import {
  type AnyBulkWriteOperation,
  type AnyClientBulkWriteModel,
  type ClientSession,
  type Document,
  MongoBulkWriteError,
  MongoClientBulkWriteError,
} from 'mongodb';
import { type Change, removal, replacement, type WriteMode, writesOf } from './changes.ts';
import type { Checkpoint, ReplicationState } from './checkpoint.ts';
import { codes, type Endpoints, nameOf, namespaceOf, rawDb } from './endpoints.ts';
import { codeOf } from './error-codes.ts';
import { isLarge, writeLarge } from './large-writes.ts';

/** The changes of documents in one batch, and the checkpoint to store with them. */
export interface Batch {
  readonly changes: readonly Change[];
  readonly reached: Partial<ReplicationState>;
  /** The capped collections. Transactions cannot write to them. */
  readonly capped: ReadonlySet<string>;
  /** The capped collections in which the change stream has passed the last document of the copy. */
  readonly passed: readonly string[];
}

/** The reasons why the destination may differ from the source for a while. */
export interface BatchOutcome {
  /** Whether documents were read again from the source, in their present state. */
  readonly reread: boolean;
  /** Collections in which a value occurs twice although a unique index forbids it. */
  readonly doubles: readonly string[];
}

/** A write, and the change from which it was made. */
export interface Planned {
  readonly operation: AnyBulkWriteOperation<Document>;
  readonly change: Change;
}

/**
 * Applies a batch and its checkpoint in one transaction, so that the batch is applied completely or not at all, and
 * never twice. Writes to capped collections precede the transaction, so they may be repeated. Repeated writes do not
 * move documents that still exist. Documents that the cap has removed are inserted again, in the same order.
 */
export async function applyBatch(
  endpoints: Endpoints,
  checkpoint: Checkpoint,
  batch: Batch,
  mode: WriteMode,
): Promise<BatchOutcome> {
  const anew = new Set<Change>();
  for (;;) {
    const plans = await planned(endpoints, batch, anew, mode);
    const failed = await attempt(endpoints, checkpoint, batch, plans);
    if (failed === undefined) return { reread: anew.size > 0, doubles: [] };
    const isDouble = failed.code === codes.duplicateKey;
    if (anew.has(failed.change) && isDouble) return { reread: true, doubles: [namespaceIn(failed.change)] };
    if (anew.has(failed.change)) throw failed.error;
    anew.add(failed.change);
  }
}

export const namespaceIn = ({ ns }: Change) => nameOf({ db: ns.db, coll: ns.coll ?? '' });

/** Returns the writes of each collection, in order. */
async function planned(
  endpoints: Endpoints,
  { changes, capped }: Batch,
  anew: Set<Change>,
  mode: WriteMode,
): Promise<Map<string, Planned[]>> {
  const plans = new Map<string, Planned[]>();
  for (const change of changes) {
    const name = namespaceIn(change);
    const writes = anew.has(change)
      ? undefined
      : writesOf(change, { ...mode, exact: mode.exact && !capped.has(name) });
    if (writes === undefined) anew.add(change);
    const operations = writes ?? (await reread(endpoints, change, mode));
    const list = plans.get(name) ?? [];
    plans.set(name, list);
    for (const operation of operations) list.push({ operation, change });
  }
  return plans;
}

/** Returns the writes that bring a document to its present state in the source. */
async function reread(
  { source }: Endpoints,
  { ns, documentKey }: Change,
  mode: WriteMode,
): Promise<AnyBulkWriteOperation<Document>[]> {
  const filter = { _id: documentKey?._id } as Document;
  const found = await rawDb(source, ns.db)
    .collection(ns.coll ?? '')
    .findOne(filter);
  return found === null ? [removal(filter, mode)] : replacement(found, mode);
}

interface Failed {
  readonly change: Change;
  readonly code: number | undefined;
  readonly error: Error;
}

/** Tries to apply a batch. Returns the first change that the destination rejects, if any. */
async function attempt(
  endpoints: Endpoints,
  checkpoint: Checkpoint,
  { reached, capped, passed }: Batch,
  plans: ReadonlyMap<string, readonly Planned[]>,
): Promise<Failed | undefined> {
  const [before, within] = [true, false].map((isCapped) =>
    [...plans].filter(([name]) => capped.has(name) === isCapped).flatMap(([, list]) => list),
  );
  try {
    if (capped.size > 0) await checkpoint.assertOwned();
    await writeInOrder(endpoints, before ?? []);
    await endpoints.target.withSession((session) =>
      session.withTransaction(async () => {
        await writeInOrder(endpoints, within ?? [], session);
        for (const name of passed) await checkpoint.copied(name, { $unset: { skipTo: 1 } }, session);
        await checkpoint.reach(reached, session);
      }),
    );
  } catch (error) {
    if (error instanceof Refused) return error.failed;
    throw error;
  }
  return undefined;
}

/** The error for a write that the destination rejects. */
export class Refused extends Error {
  readonly failed: Failed;

  constructor(failed: Failed) {
    super(failed.error.message);
    this.name = 'Refused';
    this.failed = failed;
  }
}

type Destination = Pick<Endpoints, 'target' | 'targetTakesAll'>;

/** Executes writes in order. */
export async function writeInOrder(
  endpoints: Destination,
  list: readonly Planned[],
  session?: ClientSession,
): Promise<void> {
  let begin = 0;
  for (const [index, planned] of list.entries()) {
    if (!isLarge(planned.operation)) continue;
    await writeTogether(endpoints, list.slice(begin, index), session);
    await writeAlone(endpoints, planned, session);
    begin = index + 1;
  }
  await writeTogether(endpoints, list.slice(begin), session);
}

async function writeAlone(
  { target }: Destination,
  { operation, change }: Planned,
  session: ClientSession | undefined,
): Promise<void> {
  const refusal = await writeLarge(target, namespaceOf(namespaceIn(change)), operation, session);
  if (refusal !== undefined)
    throw new Refused({ change, code: codeOf(refusal), error: new Error(String(refusal.errmsg)) });
}

/**
 * Executes writes by a single `bulkWrite` command if the destination supports it, otherwise by one command for each
 * collection and kind of write.
 */
async function writeTogether(
  endpoints: Destination,
  list: readonly Planned[],
  session: ClientSession | undefined,
): Promise<void> {
  if (list.length === 0) return;
  const options = { ordered: true, bypassDocumentValidation: true, ...(session && { session }) };
  if (endpoints.targetTakesAll) {
    const models = list.map(({ operation, change }) => modelOf(operation, namespaceIn(change)));
    await endpoints.target.bulkWrite(models, options).catch((error) => {
      throw error instanceof MongoClientBulkWriteError
        ? refusedBy(error, [...error.writeErrors], list)
        : error;
    });
    return;
  }
  for (const [name, own] of Map.groupBy(list, ({ change }) => namespaceIn(change))) {
    const { db, coll } = namespaceOf(name);
    const operations = own.map(({ operation }) => operation);
    await rawDb(endpoints.target, db)
      .collection(coll)
      .bulkWrite(operations, options)
      .catch((error) => {
        if (!(error instanceof MongoBulkWriteError)) throw error;
        const all = [error.writeErrors].flat();
        throw refusedBy(
          error,
          all.map((one) => [Number(one.index), one]),
          own,
        );
      });
  }
}

/** Converts a write to the form of the command `bulkWrite`. */
function modelOf(
  operation: AnyBulkWriteOperation<Document>,
  namespace: string,
): AnyClientBulkWriteModel<Document> {
  const [[name, args] = []] = Object.entries(operation);
  return { namespace, name, ...args } as AnyClientBulkWriteModel<Document>;
}

function refusedBy(
  error: Error,
  [first]: ReadonlyArray<readonly [index: number, { readonly code?: unknown }]>,
  list: readonly Planned[],
): Error {
  const planned = first === undefined ? undefined : list[first[0]];
  if (first === undefined || planned === undefined) return error;
  return new Refused({ change: planned.change, code: codeOf(first[1]), error });
}
