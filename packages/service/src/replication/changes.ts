import type { AnyBulkWriteOperation, Document, Timestamp } from 'mongodb';

/** A change as a change stream on the whole deployment returns it. */
export interface Change {
  readonly _id: Document;
  readonly operationType: string;
  readonly clusterTime: Timestamp;
  readonly ns: { readonly db: string; readonly coll?: string };
  readonly to?: { readonly db: string; readonly coll: string };
  readonly documentKey?: { readonly _id: unknown };
  readonly fullDocument?: Document;
  readonly updateDescription?: UpdateDescription;
  readonly operationDescription?: Document;
  readonly nsType?: string;
}

export interface UpdateDescription {
  readonly updatedFields?: Document;
  readonly removedFields?: readonly string[];
  readonly truncatedArrays?: ReadonlyArray<{ readonly field: string; readonly newSize: unknown }>;
  readonly disambiguatedPaths?: Readonly<Record<string, readonly unknown[]>>;
}

const ofDocuments: ReadonlySet<string> = new Set(['insert', 'replace', 'update', 'delete']);

export const isOfDocument = ({ operationType }: Change) => ofDocuments.has(operationType);

/** Properties of the destination that determine how changes become writes. */
export interface WriteMode {
  /** Whether the destination is a sharded cluster, where a filter by `_id` alone might lack the shard key. */
  readonly sharded: boolean;
  /** Whether no document in the destination is newer than the change. */
  readonly exact: boolean;
}

/** Returns the writes that apply a change of a document; undefined if the document must be read from the source. */
export function writesOf(change: Change, mode: WriteMode): AnyBulkWriteOperation<Document>[] | undefined {
  const filter = { _id: change.documentKey?._id };
  if (change.operationType === 'delete') return [removal(filter, mode)];
  if (change.operationType === 'update') return updatesOf(change.updateDescription ?? {}, filter, mode);
  const document = change.fullDocument ?? {};
  if (mode.exact && change.operationType === 'insert') return [{ insertOne: { document } }];
  return replacement(document, mode);
}

/** Replaces a document, or inserts it. */
export function replacement(document: Document, mode: WriteMode): AnyBulkWriteOperation<Document>[] {
  const filter = { _id: document._id };
  // Use a single command if a replacement is possible. A replacement must not have fields that begin with `$`. On a
  // sharded cluster, the filter of a replacement would have to contain the shard key.
  const plain = !mode.sharded && Object.keys(document).every((field) => !field.startsWith('$'));
  if (plain) return [{ replaceOne: { filter, replacement: document, upsert: true } }];
  return [removal(filter, mode), { insertOne: { document } }];
}

export function removal(filter: Document, { sharded }: WriteMode): AnyBulkWriteOperation<Document> {
  return sharded ? { deleteMany: { filter } } : { deleteOne: { filter } };
}

function updatesOf(
  {
    updatedFields = {},
    removedFields = [],
    truncatedArrays = [],
    disambiguatedPaths = {},
  }: UpdateDescription,
  filter: Document,
  { sharded }: WriteMode,
): AnyBulkWriteOperation<Document>[] | undefined {
  const paths = [
    ...Object.keys(updatedFields),
    ...removedFields,
    ...truncatedArrays.map(({ field }) => field),
  ];
  if (Object.values(disambiguatedPaths).some((parts) => parts.some(hasDot)) || paths.some(isOdd))
    return undefined;
  const update = (document: Document): AnyBulkWriteOperation<Document> =>
    sharded ? { updateMany: { filter, update: document } } : { updateOne: { filter, update: document } };
  const shorter = truncatedArrays.map(({ field, newSize }) =>
    update({ $push: { [field]: { $each: [], $slice: Number(newSize) } } }),
  );
  const changes = {
    ...(Object.keys(updatedFields).length > 0 ? { $set: updatedFields } : {}),
    ...(removedFields.length > 0
      ? { $unset: Object.fromEntries(removedFields.map((field) => [field, ''])) }
      : {}),
  };
  return Object.keys(changes).length > 0 ? [...shorter, update(changes)] : shorter;
}

function hasDot(part: unknown): boolean {
  return typeof part === 'string' && part.includes('.');
}

/** Whether an update operator would misinterpret a path, because a field name in it is empty or begins with `$`. */
function isOdd(path: string): boolean {
  return path.split('.').some((part) => part === '' || part.startsWith('$'));
}
