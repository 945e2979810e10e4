import type { MemberSample, SearchIndexSample } from '@portolan/engine/interface/engine';
import type { Units } from './unmeasured.ts';

/**
 * This file computes changes between samples of one search index on one member. The changes in an interval
 * are the sums of the changes in its parts.
 */

const counts = ['inserts', 'updates', 'deletes', 'succeeded', 'failed', 'getMores'] as const;
const levels = ['bytes', 'fields', 'lag'] as const;
type Count = (typeof counts)[number];
type Level = (typeof levels)[number];

interface IndexSums extends Readonly<Record<Count | Level, number>> {
  /** The duration in machine time during which the counts were collected, in milliseconds. */
  readonly millis: number;
  readonly samples: number;
}

/** The sums of each index, by index id. */
export type SearchSums = Readonly<Record<string, IndexSums>>;

export function searchSumsOf(before: MemberSample | undefined, now: MemberSample): SearchSums {
  const since = before !== undefined && now.taken > before.taken ? before : undefined;
  return Object.fromEntries(
    Object.entries(now.search?.indexes ?? {}).map(([id, index]) => {
      const former = since?.search?.indexes[id];
      // When an index is rebuilt or its process restarts, the counters start at zero again.
      const grown = former !== undefined && counts.every((name) => index[name] >= former[name]);
      const millis = grown && since !== undefined ? now.taken - since.taken : 0;
      return [id, { millis, samples: 1, ...changeOf(index, grown ? former : index) }];
    }),
  );
}

function changeOf(now: SearchIndexSample, before: SearchIndexSample) {
  const { bytes, fields, lag } = now;
  const grown = Object.fromEntries(counts.map((name) => [name, now[name] - before[name]]));
  return { bytes, fields, lag, ...(grown as Record<Count, number>) };
}

export function addSearchSums(one: SearchSums, other: SearchSums): SearchSums {
  const all: Record<string, IndexSums> = { ...one };
  for (const [id, sums] of Object.entries(other)) {
    const known = all[id];
    all[id] = known === undefined ? sums : plus(known, sums);
  }
  return all;
}

function plus(one: IndexSums, other: IndexSums): IndexSums {
  const names = ['millis', 'samples', ...counts, ...levels] as const;
  return Object.fromEntries(names.map((name) => [name, one[name] + other[name]])) as unknown as IndexSums;
}

export interface SearchIndexMetric {
  readonly units: Units;
  readonly read: (sums: IndexSums) => number | undefined;
  /** Combines the values of several indexes into one. */
  readonly combine: (values: readonly number[]) => number;
}

const MIB = 1024 ** 2;
const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
const highest = (values: readonly number[]) => Math.max(...values);

const perSecond = (...names: readonly Count[]): SearchIndexMetric => ({
  units: 'SCALAR_PER_SECOND',
  read: (sums) =>
    sums.millis === 0 ? undefined : (sum(names.map((name) => sums[name])) * 1000) / sums.millis,
  combine: sum,
});
const level = (units: Units, name: Level, combine = sum, per = 1): SearchIndexMetric => ({
  units,
  read: (sums) => (sums.samples === 0 ? undefined : sums[name] / sums.samples / per),
  combine,
});

/** Inserts, updates and deletes are counted from the oplog; searches are counted on each member. */
export const searchIndexMetrics: ReadonlyMap<string, SearchIndexMetric> = new Map([
  ['INDEX_SIZE_ON_DISK', level('MEGABYTES', 'bytes', sum, MIB)],
  ['NUMBER_OF_DELETES', perSecond('deletes')],
  ['NUMBER_OF_ERROR_QUERIES', perSecond('failed')],
  ['NUMBER_OF_GETMORE_COMMANDS', perSecond('getMores')],
  ['NUMBER_OF_INDEX_FIELDS', level('SCALAR', 'fields')],
  ['NUMBER_OF_INSERTS', perSecond('inserts')],
  ['NUMBER_OF_SUCCESS_QUERIES', perSecond('succeeded')],
  ['NUMBER_OF_UPDATES', perSecond('updates')],
  ['REPLICATION_LAG', level('SECONDS', 'lag', highest)],
  ['TOTAL_NUMBER_OF_QUERIES', perSecond('succeeded', 'failed')],
]);
