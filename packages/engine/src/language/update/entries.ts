import { bsonTypes } from '../../bson/bson-types.ts';
import type { Comparison } from '../../bson/collation/comparison.ts';
import { DocumentWriter } from '../../bson/document-writer.ts';
import { depthOf } from '../../bson/validate.ts';
import { Value } from '../../bson/value.ts';
import type { Statement } from '../../statement/statement.ts';
import { keysOf } from '../parts.ts';

export function arrayWith(entries: Iterable<Value>, statement: Statement): Value {
  const writer = new DocumentWriter();
  const start = writer.begin();
  let length = 0;
  for (const entry of entries) {
    statement.check();
    writer.entry(length++, entry);
  }
  writer.end(start);
  const bytes = writer.finish();
  return new Value(bsonTypes.array, bytes, 0, bytes.length);
}

/** Returns the nesting depth of the deepest value; 0 if all values are scalars. */
export function deepest(values: readonly Value[], statement: Statement): number {
  let depth = 0;
  for (const value of values) {
    statement.check();
    depth = Math.max(depth, depthOf(value));
  }
  return depth;
}

/** Up to this number, comparing with each value is faster than computing the key of an entry. */
const FEW = 8;

/**
 * Returns a test of whether an entry equals one of the values. The time of the test does not grow with the
 * number of values.
 */
export function memberOf(
  values: readonly Value[],
  { compare, keyText }: Comparison,
  statement: Statement,
): (entry: Value) => boolean {
  if (values.length <= FEW) return (entry) => values.some((value) => compare(value, entry) === 0);
  let keys: Set<string> | undefined;
  return (entry) => {
    statement.check();
    keys ??= keysOf(values, keyText, 'an update', statement);
    return keys.has(keyText(entry));
  };
}

/** Returns the values that equal neither an entry nor an earlier value. */
export function valuesToAdd(
  values: readonly Value[],
  entries: readonly Value[],
  comparison: Comparison,
  statement: Statement,
): Value[] {
  const { compare, keyText } = comparison;
  if (values.length <= FEW) {
    const added: Value[] = [];
    for (const value of values) {
      const equals = (other: Value) => {
        statement.check();
        return compare(other, value) === 0;
      };
      if (!entries.some(equals) && !added.some(equals)) added.push(value);
    }
    return added;
  }
  const missing = new Map<string, Value>();
  for (const value of values) {
    statement.check();
    const key = keyText(value);
    if (!missing.has(key)) missing.set(key, value);
  }
  for (const entry of entries) {
    statement.check();
    missing.delete(keyText(entry));
  }
  return [...missing.values()];
}
