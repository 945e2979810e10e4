import { bsonTypes } from '../../bson/bson-types.ts';
import { byBytes, type Comparison } from '../../bson/collation/comparison.ts';
import { entriesOf, type RawDocument } from '../../bson/raw.ts';
import { nullValue, type Value } from '../../bson/value.ts';
import { type Path, someValueAt, someWholeAt } from '../paths.ts';

/**
 * Returns the keys of all values that an equality on the path could match: array entries, whole arrays, and null for a
 * missing value.
 */
export function keysMetAt(path: Path, doc: RawDocument, comparison?: Comparison): Set<string> {
  const keys = new Set<string>();
  someValueAt(path, doc, (value) => {
    keys.add(keyOf(value, comparison));
    return false;
  });
  return keys;
}

/** Estimated memory of an entry in a map of keys, in addition to the characters of the key. */
const ENTRY_BYTES = 128;

/**
 * Returns the estimated memory of the keys of one document in a map from keys to lists of documents. The first key adds
 * no overhead, because the overhead of the document already includes that of its first key.
 */
export function bytesOfKeys(keys: ReadonlySet<string>): number {
  let bytes = -ENTRY_BYTES;
  for (const key of keys) bytes += ENTRY_BYTES + key.length;
  return Math.max(0, bytes);
}

/** Returns the key of a value. Null, undefined and missing have the same key, because an equality treats them alike. */
export function keyOf(value: Value | undefined, { keyText }: Comparison = byBytes): string {
  return keyText(value === undefined || value.type === bsonTypes.undefined ? nullValue : value);
}

/** Returns the values at a path: the entries of an array at its end, or nothing if the path does not exist. */
export function valuesAt(path: Path, doc: RawDocument): Value[] {
  const values: Value[] = [];
  someWholeAt(path, doc, (value) => {
    if (value?.type === bsonTypes.array) for (const entry of entriesOf(value)) values.push(entry);
    else if (value !== undefined) values.push(value);
    return false;
  });
  return values;
}
