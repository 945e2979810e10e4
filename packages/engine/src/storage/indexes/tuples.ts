import { bsonTypes } from '../../bson/bson-types.ts';
import { hashOf } from '../../bson/hash.ts';
import { encodeCompoundKey } from '../../bson/keys.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { step } from '../../bson/turns.ts';
import { int64, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { type KeyTuple, keyTuples } from '../../language/index-keys.ts';
import type { IndexDefinition } from '../model/index-definition.ts';

/** Returns the values from which the keys of a document are built: one tuple per key, possibly with duplicates. */
export function tuplesOf(
  index: IndexDefinition,
  doc: RawDocument,
  watch?: (part: number, depth: number) => void,
): readonly KeyTuple[] {
  const paths = index.parts.map(({ path }) => path);
  if (index.kind !== 'hashed') return keyTuples(paths, doc, () => parallelArrays(index, doc), watch);
  return keyTuples(
    paths,
    doc,
    () => parallelArrays(index, doc),
    (part) => {
      throw new ServerError(
        16766,
        `hashed indexes do not currently support array values. Found array at path: ${paths[part]?.text ?? ''}`,
      );
    },
  );
}

export function keyOf(index: IndexDefinition, tuple: KeyTuple): Uint8Array {
  return keyOfFolded(index, foldedBy(index, tuple));
}

/** Maps the values of a tuple to those that the index contains. */
export function foldedBy({ fold }: IndexDefinition, tuple: KeyTuple): KeyTuple {
  return fold === undefined ? tuple : tuple.map(fold);
}

/** Returns the key of a tuple that `foldedBy` has mapped. */
export function keyOfFolded({ parts }: IndexDefinition, folded: KeyTuple): Uint8Array {
  const values = folded.map((value, i) => (parts[i]?.hashed ? hashed(value) : value));
  return encodeCompoundKey(
    values,
    parts.map(({ direction }) => direction),
  );
}

export function hashed(value: Value): Value {
  return int64(hashOf(value));
}

function parallelArrays({ parts }: IndexDefinition, doc: RawDocument): ServerError {
  const arrays = parts
    .map(({ path }) => path.parts[0]?.name ?? '')
    .filter((name) => doc.get(name)?.type === bsonTypes.array);
  const [one = '', other = one] = arrays;
  return new ServerError('CannotIndexParallelArrays', `cannot index parallel arrays [${other}] [${one}]`);
}

/** Removes duplicate keys. */
export function distinct(keys: readonly Uint8Array[]): Uint8Array[] {
  if (keys.length < 2) return [...keys];
  const found = new Map<string, Uint8Array>();
  for (const key of keys) found.set(textOf(key), key);
  return [...found.values()];
}

/** Returns a string that is equal for equal keys. */
export function textOf(key: Uint8Array): string {
  step();
  return Buffer.from(key.buffer, key.byteOffset, key.length).toString('latin1');
}
