import type { ClientSession, Collection, Document } from 'mongodb';
import { BSON } from 'mongodb';
import type { Checkpoint, CollectionCopy } from './checkpoint.ts';
import { type Endpoints, namespaceOf, operationTimeOf, rawDb, readAfter } from './endpoints.ts';
import {
  createCollection,
  createIndexes,
  dropCollection,
  indexesOf,
  isUnique,
  optionsOf,
} from './structure.ts';

/**
 * Number of documents in a batch. The server also limits a batch to 16 MB. Two batches are in memory at the same
 * time.
 */
const BATCH = 5000;

interface CopyWork {
  readonly signal: AbortSignal;
  /** Called with the number of documents of each batch. */
  readonly written?: (documents: number) => void;
}

/** Copies a collection, or resumes an interrupted copy. Changes during the copy are applied afterwards. */
export async function copyCollection(
  endpoints: Endpoints,
  checkpoint: Checkpoint,
  { _id, ...begun }: CollectionCopy,
  work: CopyWork,
): Promise<void> {
  const namespace = namespaceOf(_id);
  // The copy of a capped collection starts again, since its documents are ordered by insertion.
  const goesOn = begun.since !== undefined && begun.options.capped !== true;
  await checkpoint.assertOwned();
  if (begun.since !== undefined && !goesOn) await dropCollection(endpoints, namespace);
  const since = goesOn && begun.since ? begun.since : await operationTimeOf(endpoints);
  const options = await optionsOf(endpoints, namespace);
  const known = { ...(since && { since }), ...(options && { options }) };
  if (Object.keys(known).length > 0) await checkpoint.copied(_id, { $set: known });
  // `options` is undefined if the collection was dropped after it was listed. A view is created, but has no
  // documents.
  if (options !== undefined) await createCollection(endpoints, namespace, options);
  if (options === undefined || options.viewOn !== undefined)
    return checkpoint.copied(_id, { $set: { copied: true } });
  const copy: CollectionCopy = {
    _id,
    options,
    ...(since && { since }),
    isView: false,
    copied: false,
    ...(begun.last && goesOn ? { last: begun.last } : {}),
  };
  const skipTo = await copyDocuments(endpoints, checkpoint, copy, work);
  const indexes = await indexesOf(endpoints, 'source', namespace);
  await checkpoint.assertOwned();
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

async function newestOf(source: Collection, session: ClientSession | undefined): Promise<unknown> {
  const [newest] = await source
    .find({}, { ...(session && { session }), projection: { _id: 1 } })
    .sort({ $natural: -1 })
    .limit(1)
    .toArray();
  return newest?._id;
}

export function sameId(one: unknown, other: unknown): boolean {
  const bytes = (id: unknown) => Buffer.from(BSON.serialize({ id }));
  return bytes(one).equals(bytes(other));
}

/** Copies documents. For a capped collection, returns the last document that was inserted during the copy, if any. */
async function copyDocuments(
  endpoints: Endpoints,
  checkpoint: Checkpoint,
  copy: CollectionCopy,
  { signal, written }: CopyWork,
): Promise<CollectionCopy['skipTo']> {
  const { db, coll } = namespaceOf(copy._id);
  const source = rawDb(endpoints.source, db).collection(coll);
  const capped = copy.options.capped === true;
  return readAfter(endpoints.source, copy.since, async (session) => {
    const newest = capped ? await newestOf(source, session) : undefined;
    let { last } = copy;
    for await (const batch of prefetch(batchesOf(source, session, capped ? 'natural' : last))) {
      if (signal.aborted) throw signal.reason;
      // The first document of the batch is the last one that was copied before, unless it was deleted. Skip it.
      const isKnown = last !== undefined && sameId(batch[0]?._id, last.id);
      const reached = { id: batch.at(-1)?._id };
      const documents = isKnown ? batch.slice(1) : batch;
      await write(endpoints, checkpoint, copy, { documents, last: reached });
      written?.(documents.length);
      last = reached;
    }
    return capped && last !== undefined && !sameId(last.id, newest) ? last : undefined;
  });
}

interface Written {
  readonly documents: Document[];
  readonly last: { readonly id: unknown };
}

/** Writes documents and the progress of the copy in one transaction, so that no document is written twice. */
async function write(
  { target }: Endpoints,
  checkpoint: Checkpoint,
  { _id, options }: CollectionCopy,
  { documents, last }: Written,
): Promise<void> {
  if (documents.length === 0) return;
  const { db, coll } = namespaceOf(_id);
  // Use the plain command, since `insertMany` first measures every document. The documents of one reply fit into one
  // message.
  const insert = async (session?: ClientSession) => {
    const command = { insert: coll, documents, ordered: true, bypassDocumentValidation: true };
    const { writeErrors } = await rawDb(target, db).command(command, session && { session });
    if (writeErrors !== undefined)
      throw new Error(`documents of ${_id} cannot be written: ${writeErrors[0].errmsg}`);
  };
  if (options.capped === true) {
    // Transactions cannot write to capped collections. An interrupted copy of a capped collection therefore starts
    // again.
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
  session: ClientSession | undefined,
  from: { readonly id: unknown } | 'natural' | undefined,
): AsyncGenerator<Document[]> {
  const found = source.find({}, { ...(session && { session }), batchSize: BATCH });
  // Use index bounds, since comparison operators match only ids of the same type.
  if (from === 'natural') found.sort({ $natural: 1 });
  else found.hint({ _id: 1 }).sort({ _id: 1 });
  if (from !== undefined && from !== 'natural') found.min({ _id: from.id });
  try {
    while (await found.hasNext()) yield found.readBufferedDocuments();
  } finally {
    await found.close();
  }
}

/** Reads the next item while the present one is being processed. */
async function* prefetch<T>(items: AsyncGenerator<T>): AsyncGenerator<T> {
  let next = items.next();
  // The caller gets this error when it awaits the item. Without this handler, the error would end the process before
  // that.
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
