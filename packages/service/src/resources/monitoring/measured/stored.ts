import type { DatabaseSizes, MemberSample } from '@portolan/engine/interface/engine';
import { codec } from '../../../store/index.ts';
import type { SearchSums } from '../figures/search-indexes.ts';
import { counts, levels, type Sums } from '../figures/sums.ts';

/**
 * Sums in the order of the lists `counts` and `levels`. A value that the member does not report is null. Names are not
 * stored, since they would take most of the row.
 */
type Stored = readonly [
  millis: number,
  samples: number,
  counts: readonly (number | null)[],
  levels: readonly (number | null)[],
  maxima: Readonly<Record<string, number>>,
];

const stored = codec.json<Stored>();
const countNames = counts.map(([name]) => name);
const levelNames = levels.map(([name]) => name);

export function writeSums({ millis, samples, counts, levels, maxima }: Sums): string {
  return stored.write([
    millis,
    samples,
    countNames.map((name) => rounded(counts[name])),
    levelNames.map((name) => rounded(levels[name])),
    Object.fromEntries(Object.entries(maxima).map(([name, value]) => [name, rounded(value) ?? 0])),
  ]);
}

export function readSums(text: string): Sums {
  const [millis, samples, counts, levels, maxima] = stored.read(text);
  return { millis, samples, counts: named(countNames, counts), levels: named(levelNames, levels), maxima };
}

function named(names: readonly string[], values: readonly (number | null)[]): Record<string, number> {
  return Object.fromEntries(
    names.flatMap((name, index) => {
      const value = values[index];
      return value === undefined || value === null ? [] : [[name, value]];
    }),
  );
}

const rounded = (value: number | undefined): number | null =>
  value === undefined ? null : Math.round(value * 1000) / 1000;

const searches = codec.json<SearchSums>();
export const writeSearches = searches.write;
export const readSearches = searches.read;

/** The last counted sample of a member. */
export type Sample = MemberSample;
const sample = codec.json<Sample>();
export const writeSample = sample.write;
export const readSample = sample.read;

/** Sizes of a cluster's databases by name. */
export type Databases = Readonly<Record<string, DatabaseSizes>>;
const databases = codec.json<Databases>();
export const writeDatabases = databases.write;
export const readDatabases = databases.read;
