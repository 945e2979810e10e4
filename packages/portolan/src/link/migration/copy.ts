import type { ClientSession, Collection, Document } from 'mongodb';
import { BSON } from 'mongodb';
import type { Checkpoint, CollectionCopy } from './checkpoint.ts';
import { type Endpoints, latestOperationTime, namespaceOf, rawDb, readAfter } from './endpoints.ts';
import {
  createCollection,
  createIndexes,
  dropCollection,
  indexesOf,
  isUnique,
  optionsOf,
} from './structure.ts';

/** Documents of one batch; the server cuts it at 16 MB too. Two batches are in memory at a time. */
const BATCH = 5000;

/** Copies one collection, from where an earlier copy was cut off; changes meanwhile are applied behind it. */
export async function copyCollection(
  endpoints: Endpoints,
  checkpoint: Checkpoint,
  { _id, ...begun }: CollectionCopy,
  signal: AbortSignal,
): Promise<void> {
  const namespace = namespaceOf(_id);
  // The order of a capped collection is that of its inserts, which a second copy could not go on with.
  const goesOn = begun.since !== undefined && begun.options.capped !== true;
  if (begun.since !== undefined && !goesOn) await dropCollection(endpoints, namespace);
  const since = goesOn && begun.since ? begun.since : await latestOperationTime(endpoints.source);
  const options = await optionsOf(endpoints, namespace);
  await checkpoint.copied(_id, { $set: { since, ...(options === undefined ? {} : { options }) } });
  // It is gone since it was listed, or a view.
  if (options !== undefined) await createCollection(endpoints, namespace, options);
  if (options === undefined || options.viewOn !== undefined)
    return checkpoint.copied(_id, { $set: { copied: true } });
  const copy: CollectionCopy = {
    _id,
    options,
    since,
    isView: false,
    copied: false,
    ...(begun.last && goesOn ? { last: begun.last } : {}),
  };
  const skipTo = await copyDocuments(endpoints, checkpoint, copy, signal);
  const indexes = await indexesOf(endpoints, 'source', namespace);
  await createIndexes(
    endpoints,
    namespace,
    indexes.filter((spec) => !isUnique(spec)),
  );
  await checkpoint.copied(_id, {
    $set: { copied: true, ...(skipTo === undefined ? {} : { skipTo }) },
    $unset: { last: 1 },
  });
}

async function newestOf(source: Collection, session: ClientSession): Promise<unknown> {
  const [newest] = await source
    .find({}, { session, projection: { _id: 1 } })
    .sort({ $natural: -1 })
    .limit(1)
    .toArray();
  return newest?._id;
}

export function sameId(one: unknown, other: unknown): boolean {
  const bytes = (id: unknown) => Buffer.from(BSON.serialize({ id }));
  return bytes(one).equals(bytes(other));
}

/** Answers the last document of a capped collection, where it was inserted during the copy. */
async function copyDocuments(
  endpoints: Endpoints,
  checkpoint: Checkpoint,
  copy: CollectionCopy,
  signal: AbortSignal,
): Promise<CollectionCopy['skipTo']> {
  const { db, coll } = namespaceOf(copy._id);
  const source = rawDb(endpoints.source, db).collection(coll);
  const capped = copy.options.capped === true;
  return readAfter(
    endpoints.source,
    copy.since ?? (await latestOperationTime(endpoints.source)),
    async (session) => {
      const newest = capped ? await newestOf(source, session) : undefined;
      let { last } = copy;
      for await (const batch of prefetch(batchesOf(source, session, capped ? 'natural' : last))) {
        if (signal.aborted) throw signal.reason;
        // The range begins with the document itself, where it is still there.
        const isKnown = last !== undefined && sameId(batch[0]?._id, last.id);
        const reached = { id: batch.at(-1)?._id };
        await write(endpoints, checkpoint, copy, {
          documents: isKnown ? batch.slice(1) : batch,
          last: reached,
        });
        last = reached;
      }
      return capped && last !== undefined && !sameId(last.id, newest) ? last : undefined;
    },
  );
}

interface Written {
  readonly documents: Document[];
  readonly last: { readonly id: unknown };
}

/** Documents, and how far the copy is by them, in one transaction: none is written twice. */
async function write(
  { target }: Endpoints,
  checkpoint: Checkpoint,
  { _id, options }: CollectionCopy,
  { documents, last }: Written,
): Promise<void> {
  if (documents.length === 0) return;
  const { db, coll } = namespaceOf(_id);
  // The command itself: `insertMany` measures every document beforehand, and those of one answer fit into one
  // message.
  const insert = async (session?: ClientSession) => {
    const command = { insert: coll, documents, ordered: true, bypassDocumentValidation: true };
    const { writeErrors } = await rawDb(target, db).command(command, session && { session });
    if (writeErrors !== undefined)
      throw new Error(`documents of ${_id} cannot be written: ${writeErrors[0].errmsg}`);
  };
  if (options.capped === true) {
    // Transactions cannot write there; a copy that is cut off begins anew.
    await checkpoint.assertOwned();
    return insert();
  }
  await target.withSession((session) =>
    session.withTransaction(async () => {
      await insert(session);
      await checkpoint.copied(_id, { $set: { last } }, session);
    }),
  );
}

async function* batchesOf(
  source: Collection,
  session: ClientSession,
  from: { readonly id: unknown } | 'natural' | undefined,
): AsyncGenerator<Document[]> {
  const found = source.find({}, { session, batchSize: BATCH });
  // Bounds of an index, as comparisons would find ids of the same type alone.
  if (from === 'natural') found.sort({ $natural: 1 });
  else found.hint({ _id: 1 }).sort({ _id: 1 });
  if (from !== undefined && from !== 'natural') found.min({ _id: from.id });
  try {
    while (await found.hasNext()) yield found.readBufferedDocuments();
  } finally {
    await found.close();
  }
}

/** Reads the next one while this one is used. */
async function* prefetch<T>(items: AsyncGenerator<T>): AsyncGenerator<T> {
  let next = items.next();
  // Told when it is its turn.
  next.catch(() => {});
  try {
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = items.next();
      next.catch(() => {});
      yield value;
    }
  } finally {
    await next.catch(() => {});
    await items.return(undefined);
  }
}
