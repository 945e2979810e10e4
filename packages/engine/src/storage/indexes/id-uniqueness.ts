import { RawDocument } from '../../bson/raw.ts';

/** The name of the index on `_id`. Only the index of `uniqueIdSpec` is stored under it. */
export const ID_NAME = '_id_';

/**
 * Returns the specification of the index that keeps the values of `_id` different under the collation of a
 * collection, or undefined without a collation. Documents are stored by the bytes of `_id`, so `a` and `A` would both be
 * accepted without this index. Queries do not use it, and no command lists it.
 */
export function uniqueIdSpec(options: RawDocument): RawDocument | undefined {
  const collation = options.document('collation');
  if (collation === undefined) return undefined;
  return RawDocument.from({
    v: 2,
    key: { _id: 1 },
    name: ID_NAME,
    unique: true,
    collation: collation.toObject(),
  });
}
