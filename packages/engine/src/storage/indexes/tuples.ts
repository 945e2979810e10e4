import { bsonTypes } from '../../bson/bson-types.ts';
import { hashOf } from '../../bson/hash.ts';
import { encodeCompoundKey } from '../../bson/keys.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { step } from '../../bson/turns.ts';
import { int64, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { type ArrayWatcher, type KeyTuple, visitTuples } from '../../language/index-keys.ts';
import type { IndexDefinition } from '../model/index-definition.ts';

/** Visits the values from which the keys of a document are built: one tuple per key, possibly with duplicates. */
export function visitKeyTuples(
  index: IndexDefinition,
  doc: RawDocument,
  visit: (tuple: KeyTuple) => void,
  watch?: ArrayWatcher,
): void {
  const paths = index.parts.map(({ path }) => path);
  const refuse: ArrayWatcher = (part) => {
    throw new ServerError(
      16766,
      `hashed indexes do not currently support array values. Found array at path: ${paths[part]?.text ?? ''}`,
    );
  };
  const parallel = () => parallelArrays(index, doc);
  visitTuples(paths, doc, { visit, parallel, watch: index.kind === 'hashed' ? refuse : watch });
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

/** Maximum memory of the keys of one document in all indexes, in bytes. An array of a million numbers needs 150 MB. */
const MAX_KEY_BYTES = 268_435_456;
/** Estimated memory of a key, in addition to its bytes. */
const OVERHEAD = 128;

/** The memory of the keys of one document. */
export class KeyMemory {
  readonly #most: number;
  #bytes = 0;

  constructor(most = MAX_KEY_BYTES) {
    this.#most = most;
  }

  add(bytes: number): void {
    this.#bytes += OVERHEAD + bytes;
    if (this.#bytes <= this.#most) return;
    throw new ServerError(
      'ExceededMemoryLimit',
      `the index keys of a document need more than ${this.#most} bytes`,
    );
  }
}

/** Collects the distinct keys of a document in one index. */
export class DistinctKeys {
  readonly #memory: KeyMemory;
  readonly #byText = new Map<string, Uint8Array>();

  constructor(memory: KeyMemory) {
    this.#memory = memory;
  }

  add(key: Uint8Array): void {
    const text = textOf(key);
    if (this.#byText.has(text)) return;
    this.#memory.add(text.length + key.length);
    this.#byText.set(text, key);
  }

  get keys(): Uint8Array[] {
    return [...this.#byText.values()];
  }
}

/** Returns a string that is equal for equal keys. */
export function textOf(key: Uint8Array): string {
  step();
  return Buffer.from(key.buffer, key.byteOffset, key.length).toString('latin1');
}
