import { bsonTypes } from '../../bson/bson-types.ts';
import { byBytes, type Comparison } from '../../bson/collation/comparison.ts';
import { entriesOf, type RawDocument } from '../../bson/raw.ts';
import { nullValue, type Value } from '../../bson/value.ts';
import { type Path, someValueAt, someWholeAt } from '../paths.ts';

/**
 * Keys of all values that an equality on the path could match: array entries, whole arrays, null for a missing value.
 */
export function keysMetAt(path: Path, doc: RawDocument, comparison?: Comparison): Set<string> {
  const keys = new Set<string>();
  someValueAt(path, doc, (value) => {
    keys.add(keyOf(value, comparison));
    return false;
  });
  return keys;
}

/** An equality treats null, undefined and missing alike. */
export function keyOf(value: Value | undefined, { keyText }: Comparison = byBytes): string {
  return keyText(value === undefined || value.type === bsonTypes.undefined ? nullValue : value);
}

/** The values at a path, with an array at its end expanded; null if there is none. */
export function valuesAt(path: Path, doc: RawDocument): Value[] {
  const values: Value[] = [];
  someWholeAt(path, doc, (value) => {
    if (value?.type === bsonTypes.array) for (const entry of entriesOf(value)) values.push(entry);
    else if (value !== undefined) values.push(value);
    return false;
  });
  return values.length === 0 ? [nullValue] : values;
}
