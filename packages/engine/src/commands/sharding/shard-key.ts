import { bsonTypes } from '../../bson/bson-types.ts';
import { compareValues } from '../../bson/compare.ts';
import { hashOf } from '../../bson/hash.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import { int64, isNumber, maxKey, minKey, nullValue, textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';

/** A shard key: its field paths, and whether each is hashed. */
export type ShardKey = ReadonlyMap<string, { readonly hashed: boolean }>;

/** Parses a shard key pattern. Throws if it is not supported. */
export function readShardKey(pattern: RawDocument): ShardKey {
  const parts = [...pattern];
  if (parts.length === 0) throw new ServerError('BadValue', 'Shard key cannot be empty');
  const key = new Map(parts.map((part) => [part.name, { hashed: isHashed(part) }]));
  if ([...key.values()].filter(({ hashed }) => hashed).length > 1) {
    throw new ServerError('BadValue', 'A maximum of one index field is allowed to be hashed');
  }
  for (const part of parts) checkPart(part.name, part);
  return key;
}

function isHashed(value: Value): boolean {
  return value.type === bsonTypes.string && textOf(value) === 'hashed';
}

function checkPart(name: string, value: Value): void {
  const ascending = isNumber(value) && toNumber(value) === 1;
  if (name !== '' && !name.startsWith('$') && (ascending || isHashed(value))) return;
  throw new ServerError(
    'BadValue',
    'Unsupported shard key pattern. Pattern must either be a single hashed field, or a list of ascending fields',
  );
}

/**
 * Returns the shard key values of a document. Missing fields become null. Throws if the path of a field leads
 * to or through an array.
 */
export function keyOf(key: ShardKey, document: RawDocument): Readonly<Record<string, Value>> {
  const values = [...key].map(([path, { hashed }]) => {
    const value = valueAt(document, path.split('.')) ?? nullValue;
    return [path, hashed ? int64(hashOf(value)) : value] as const;
  });
  return Object.fromEntries(values);
}

function valueAt(document: RawDocument, [name = '', ...rest]: readonly string[]): Value | undefined {
  const value = document.get(name);
  if (value?.type === bsonTypes.array) {
    throw new ServerError('ShardKeyNotFound', `Shard key cannot contain array values: ${name}`);
  }
  if (rest.length === 0 || value === undefined) return value;
  return value.type === bsonTypes.object ? valueAt(documentOf(value), rest) : undefined;
}

export function lowest(key: ShardKey): Readonly<Record<string, Value>> {
  return Object.fromEntries([...key.keys()].map((name) => [name, minKey]));
}

export function highest(key: ShardKey): Readonly<Record<string, Value>> {
  return Object.fromEntries([...key.keys()].map((name) => [name, maxKey]));
}

/**
 * Returns a bound of a chunk or zone. `given` may omit fields at the end of the key, which then have the value
 * `filler`.
 */
export function boundOf(key: ShardKey, given: RawDocument, filler: Value): Readonly<Record<string, Value>> {
  const names = [...key.keys()];
  const fields = [...given];
  if (fields.length === 0 || fields.some(({ name }, i) => name !== names[i])) {
    throw new ServerError('ShardKeyNotFound', 'the bound does not contain the fields of the shard key');
  }
  return Object.fromEntries(names.map((name, i) => [name, fields[i] ?? filler]));
}

/** Compares field by field in key order. */
export function compareKeys(a: KeyValues, b: KeyValues): number {
  for (const name in a) {
    const [left, right] = [a[name], b[name]];
    const order = left && right ? compareValues(left, right) : 0;
    if (order !== 0) return order;
  }
  return 0;
}

export type KeyValues = Readonly<Record<string, Value>>;
