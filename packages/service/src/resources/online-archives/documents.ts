import type { Engine } from '@portolan/engine/interface/calls';
import { extendedJsonLines, fromExtendedJson, RawDocument } from '@portolan/engine/management';
import { parseInOrder } from '@portolan/foundation/ordered-json';
import type { PlainObject } from '@portolan/foundation/plain-object';
import { type Document, deserialize, serialize } from 'bson';

/** Maximum number of documents in a batch. A batch also ends at 16 MB, the maximum size of a reply. */
const BATCH = 1000;
/**
 * Documents above this size stay in the collection. The command that deletes a document contains the document, and a
 * command can have 16 MB.
 */
const MAX_BYTES = 6 * 1024 * 1024;
const LIMIT_MS = 50_000;
/** Compares texts character by character. */
const collation = { locale: 'simple' };
const limits = { maxTimeMS: LIMIT_MS };
const confirmed = { ...limits, writeConcern: { w: 'majority', wtimeout: LIMIT_MS } };

/**
 * The user with whose rights the service moves documents. Replies to commands of a user preserve the types of all
 * values; replies to commands of the service itself do not.
 */
const mover = {
  username: 'online-archive',
  roles: [{ role: 'readWriteAnyDatabase', database: 'admin' }],
};

/** The collection of an archive, and the call of the engine that the caller needs. */
export interface ArchivedCollection<C extends 'run' | 'runAs'> {
  readonly engine: Pick<Engine, C>;
  readonly clusterId: string;
  readonly database: string;
  readonly collection: string;
}

/** A document of a batch. */
interface Found {
  /** One line of canonical Extended JSON. */
  readonly line: string;
  readonly bytes: number;
}

/** Whether the collection exists. Views and time series collections do not count, since they cannot be archived. */
export async function exists({
  engine,
  clusterId,
  database,
  collection,
}: ArchivedCollection<'run'>): Promise<boolean> {
  const command = { listCollections: 1, filter: { name: collection, type: 'collection' }, $db: database };
  return batchOf(expectOk(await engine.run(clusterId, command))).length > 0;
}

const isSmall = { $expr: { $lte: [{ $bsonSize: '$$ROOT' }, MAX_BYTES] } };

/** Whether a document that can be moved matches the filter. */
export async function hasAny(
  { engine, clusterId, database, collection }: ArchivedCollection<'run'>,
  filter: Document,
): Promise<boolean> {
  const command = {
    find: collection,
    filter: { $and: [filter, isSmall] },
    projection: { _id: 0, found: { $literal: true } },
    limit: 1,
    singleBatch: true,
    $db: database,
    ...limits,
  };
  return batchOf(expectOk(await engine.run(clusterId, command))).length > 0;
}

interface Batch {
  readonly found: readonly Found[];
  /** Ids of documents that stay in the collection, because Extended JSON does not represent them exactly. */
  readonly remaining: readonly unknown[];
}

/**
 * Returns the next documents that match the filter. Leaves out documents whose ids are in `skipped`, and
 * documents above `MAX_BYTES`.
 */
export async function nextBatch(
  { engine, clusterId, database, collection }: ArchivedCollection<'runAs'>,
  filter: Document,
  skipped: readonly unknown[],
): Promise<Batch> {
  const others = skipped.length === 0 ? [] : [{ _id: { $nin: skipped } }];
  const all = { $and: [filter, isSmall, ...others] };
  const command = {
    find: collection,
    filter: all,
    limit: BATCH,
    singleBatch: true,
    $db: database,
    ...limits,
  };
  const reply = new RawDocument(await engine.runAs(clusterId, mover, command));
  if (reply.int('ok') !== 1) throw new Error(reply.string('errmsg') ?? 'the documents cannot be read');
  const batch = reply.document('cursor')?.get('firstBatch');
  if (batch === undefined) return { found: [], remaining: [] };
  const found: Found[] = [];
  const remaining: unknown[] = [];
  for (const entry of new RawDocument(batch.bytes, batch.start)) {
    const document = new RawDocument(entry.bytes, entry.start).toBytes();
    const line = extendedJsonLines(document);
    if (isExact(line, document)) found.push({ line, bytes: document.length });
    else remaining.push(deserialize(document, { promoteValues: false })._id);
  }
  return { found, remaining };
}

/**
 * Whether a line represents a document exactly. For example, a nested field such as `{$oid: "x"}` in a document would
 * be read back as another value.
 */
function isExact(line: string, document: Uint8Array): boolean {
  try {
    return Buffer.compare(serialize(documentOf(line)), document) === 0;
  } catch {
    return false;
  }
}

/** Deletes the documents that have not changed since they were read. Returns the ids of the changed documents. */
export async function deleteUnchanged(
  at: ArchivedCollection<'runAs'>,
  batch: readonly Found[],
): Promise<readonly unknown[]> {
  const remaining: unknown[] = [];
  for (const part of partsOf(batch)) {
    const documents = part.map(({ line }) => documentOf(line));
    const ids = documents.map((document) => idOf(document));
    const deletes = documents.map((document, index) => ({
      // Compare the whole document, so that a change after the document was read is not lost. Also compare the size:
      // numbers of different types can be equal, but most types differ in size.
      q: {
        _id: ids[index],
        $expr: {
          $and: [
            { $eq: ['$$ROOT', { $literal: document }] },
            { $eq: [{ $bsonSize: '$$ROOT' }, part[index]?.bytes] },
          ],
        },
      },
      // The collation of the collection could treat different texts as equal.
      collation,
      limit: 1,
    }));
    const { collection, database: $db } = at;
    const command = { delete: collection, $db, deletes, ordered: false, ...confirmed };
    if (Number((await moving(at, command)).n) < part.length) remaining.push(...(await presentIds(at, ids)));
  }
  return remaining;
}

async function presentIds(at: ArchivedCollection<'runAs'>, ids: readonly unknown[]): Promise<unknown[]> {
  const { collection, database: $db } = at;
  const filter = { _id: { $in: ids } };
  const command = { find: collection, $db, filter, projection: { _id: 1 }, collation };
  const found = batchOf<{ _id: unknown }>(await moving(at, { ...command, limit: BATCH, singleBatch: true }));
  return found.map(({ _id }) => _id);
}

/** Runs a command with the rights of the mover. Resolves to the reply, whose values keep their types. */
async function moving(
  { engine, clusterId }: ArchivedCollection<'runAs'>,
  command: Document,
): Promise<PlainObject> {
  const reply = await engine.runAs(clusterId, mover, command);
  return expectOk(deserialize(reply, { promoteValues: false }));
}

function* partsOf(batch: readonly Found[]): Generator<readonly Found[]> {
  let part: Found[] = [];
  let bytes = 0;
  for (const found of batch) {
    if (part.length > 0 && bytes + found.bytes > MAX_BYTES) {
      yield part;
      [part, bytes] = [[], 0];
    }
    part.push(found);
    bytes += found.bytes;
  }
  if (part.length > 0) yield part;
}

/** Returns a document whose fields have the stored types and order. */
function documentOf(line: string): Document {
  return fromExtendedJson({ document: parseInOrder(line) }).document as Document;
}

function idOf(document: Document): unknown {
  return document instanceof Map ? document.get('_id') : document._id;
}

function batchOf<T>({ cursor }: PlainObject): readonly T[] {
  return (cursor as { readonly firstBatch?: readonly T[] }).firstBatch ?? [];
}

function expectOk(reply: PlainObject): PlainObject {
  const [first] = (reply.writeErrors ?? []) as readonly PlainObject[];
  const failure = first ?? (Number(reply.ok) === 1 ? reply.writeConcernError : reply);
  if (failure === undefined) return reply;
  throw new Error(String((failure as PlainObject).errmsg));
}
