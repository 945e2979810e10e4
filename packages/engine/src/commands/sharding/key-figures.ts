import type { RawDocument } from '../../bson/raw.ts';
import { wholeIndex } from '../../planner/index-bounds.ts';
import type { Collection } from '../../storage/collection/collection.ts';
import type { AccessPath } from '../../storage/model/access-path.ts';
import type { StoredRecord } from '../../storage/records/page.ts';
import { compareKeys, type KeyValues, keyOf, type ShardKey } from './shard-key.ts';
import type { KeyIndex } from './shard-key-index.ts';

/** Statistics of the values of a shard key. */
export interface KeyFigures {
  readonly sampled: number;
  readonly distinct: number;
  /** The most common values, in descending order of their frequency. */
  readonly common: readonly Frequency[];
  /** The correlation between the order of the values and the order in which they were inserted, from -1 to 1. */
  readonly correlation: number;
}

interface Frequency {
  readonly value: KeyValues;
  readonly frequency: number;
}

/** Maximum number of most common values. */
const MAX_COMMON = 5;

/** Reads a part of the documents in the order of an index, in which equal values of the shard key are adjacent. */
export function keyFigures(
  collection: Collection,
  key: ShardKey,
  { index, hashed }: KeyIndex,
  rate: number,
): KeyFigures {
  const names = [...key.keys()];
  // An index does not separate values with equal hashes.
  const grouping = new Map(names.map((name) => [name, { hashed: hashed.has(name) }]));
  const plain = new Map(names.map((name) => [name, { hashed: false }]));
  const path: AccessPath =
    index === undefined
      ? { kind: 'byId', reverse: false }
      : { kind: 'index', index, ranges: wholeIndex, reverse: false, bounds: [] };
  const correlation = new Correlation();
  let common: readonly Frequency[] = [];
  let group: { readonly key: KeyValues; readonly doc: RawDocument; frequency: number } | undefined;
  const endGroup = () => {
    if (group === undefined) return;
    const { doc, frequency } = group;
    if (common.length === MAX_COMMON && frequency <= (common.at(-1)?.frequency ?? 0)) return;
    const others = [...common, { value: keyOf(plain, doc.compact()), frequency }];
    common = others.sort((a, b) => b.frequency - a.frequency).slice(0, MAX_COMMON);
  };
  let sampled = 0;
  for (const { doc, rid } of sampleOf(collection, path, rate)) {
    sampled++;
    const own = keyOf(grouping, doc);
    if (group !== undefined && compareKeys(group.key, own) === 0) group.frequency++;
    else {
      endGroup();
      group = { key: own, doc, frequency: 1 };
      correlation.add(rid);
    }
  }
  endGroup();
  return { sampled, distinct: correlation.count, common, correlation: correlation.coefficient };
}

/** Yields a part of the records, at even distances. */
function* sampleOf(collection: Collection, path: AccessPath, rate: number): Generator<StoredRecord> {
  const records = collection.scan(path);
  let number = 0;
  for (let record = records.next(); record !== undefined; record = records.next()) {
    collection.running.check();
    number++;
    if (number === 1 || Math.floor(number * rate) > Math.floor((number - 1) * rate)) yield record;
  }
}

/** The correlation between the numbers of a sequence and their positions in it. */
class Correlation {
  count = 0;
  #positions = 0;
  #numbers = 0;
  #ofPositions = 0;
  #ofNumbers = 0;
  #ofBoth = 0;

  add(number: number): void {
    this.count++;
    const [position, difference] = [this.count - this.#positions, number - this.#numbers];
    this.#positions += position / this.count;
    this.#numbers += difference / this.count;
    this.#ofPositions += position * (this.count - this.#positions);
    this.#ofNumbers += difference * (number - this.#numbers);
    this.#ofBoth += position * (number - this.#numbers);
  }

  /** The coefficient, or 0 if there are fewer than two numbers. */
  get coefficient(): number {
    if (this.count < 2) return 0;
    return this.#ofBoth / Math.sqrt(this.#ofPositions * this.#ofNumbers);
  }
}
