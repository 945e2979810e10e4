import { bsonTypes } from '../../bson/bson-types.ts';
import { findField, type RawDocument } from '../../bson/raw.ts';
import { type PathPart, positionAt } from '../paths.ts';
import type { Condition, Leaf } from './filter.ts';

/**
 * The position of the array entry by which a document matches. Of several conditions the last one that
 * meets an array counts; those below `$or`, `$nor` and `$not` tell nothing.
 */
export function positionOf(condition: Condition, doc: RawDocument): number | undefined {
  const { leaf } = condition;
  if (leaf !== undefined) return positionOfLeaf(leaf, doc);
  if (condition.operator !== '$and') return undefined;
  let found: number | undefined;
  for (const child of condition.children ?? []) found = positionOf(child, doc) ?? found;
  return found;
}

function positionOfLeaf({ path, test, entry }: Leaf, doc: RawDocument): number | undefined {
  if (entry === undefined) return positionAt(path, doc, test);
  const [part, ...others] = path.parts as [PathPart, ...PathPart[]];
  let value = findField(doc.bytes, doc.offset, part.bytes);
  for (const { bytes } of others) {
    // An array further up is the one that counts.
    if (value?.type === bsonTypes.array) return positionAt(path, doc, test);
    if (value?.type !== bsonTypes.object) return undefined;
    value = findField(value.bytes, value.start, bytes);
  }
  return value?.type === bsonTypes.array ? entry(value) : undefined;
}
