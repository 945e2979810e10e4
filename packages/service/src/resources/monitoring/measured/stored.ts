import type { DatabaseSizes, MemberSample } from '@portolan/engine/interface/engine';
import { codec } from '../../../store/index.ts';
import type { SearchSums } from '../figures/search-indexes.ts';
import { counts, levels, type Sums } from '../figures/sums.ts';

/** Sums without their names, which would be the most of a row: by the order of the tables, null for what is not told. */
type Stored = readonly [
  millis: number,
  samples: number,
  counts: readonly (number | null)[],
  levels: readonly (number | null)[],
  most: Readonly<Record<string, number>>,
];

const stored = codec.json<Stored>();
const countNames = counts.map(([name]) => name);
const levelNames = levels.map(([name]) => name);

export function writeSums({ millis, samples, counts, levels, most }: Sums): string {
  return stored.write([
    millis,
    samples,
    countNames.map((name) => rounded(counts[name])),
    levelNames.map((name) => rounded(levels[name])),
    Object.fromEntries(Object.entries(most).map(([name, value]) => [name, rounded(value) ?? 0])),
  ]);
}

export function readSums(text: string): Sums {
  const [millis, samples, counts, levels, most] = stored.read(text);
  return { millis, samples, counts: named(countNames, counts), levels: named(levelNames, levels), most };
}

function named(names: readonly string[], values: readonly (number | null)[]): Record<string, number> {
  return Object.fromEntries(
    names.flatMap((name, place) => {
      const value = values[place];
      return value === undefined || value === null ? [] : [[name, value]];
    }),
  );
}

const rounded = (value: number | undefined): number | null =>
  value === undefined ? null : Math.round(value * 1000) / 1000;

const searches = codec.json<SearchSums>();
export const writeSearches = searches.write;
export const readSearches = searches.read;

/** The last of a member that was counted. */
export type Sample = MemberSample;
const sample = codec.json<Sample>();
export const writeSample = sample.write;
export const readSample = sample.read;

/** Of the databases of a cluster, by name. */
export type Databases = Readonly<Record<string, DatabaseSizes>>;
const databases = codec.json<Databases>();
export const writeDatabases = databases.write;
export const readDatabases = databases.read;
