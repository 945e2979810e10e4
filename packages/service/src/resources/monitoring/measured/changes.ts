import type { MemberSample } from '@portolan/engine/interface/engine';
import type { Tx } from '../../../store/index.ts';
import { clusterById } from '../../clusters/index.ts';
import { allowanceOf } from '../figures/allowance.ts';
import { intervalOf } from '../figures/metrics.ts';
import { type SearchSums, searchAddedUp, searchSumsOf } from '../figures/search-indexes.ts';
import { addedUp, type Sums } from '../figures/sums.ts';
import { retentions, startOf, storedSeconds } from './granularity.ts';
import {
  dropMeasurements,
  keepMeasurements,
  keepSamples,
  lastSamples,
  type MeasurementRow,
  measurementsAt,
  searchesOver,
} from './rows.ts';
import {
  type Databases,
  readSearches,
  readSums,
  writeDatabases,
  writeSearches,
  writeSums,
} from './stored.ts';

/** What was read from an engine of one cluster: samples by member, the oldest first. */
export interface Reading {
  readonly clusterId: string;
  readonly samples: ReadonlyMap<string, readonly MemberSample[]>;
  readonly databases: Databases | undefined;
}

/**
 * Counts the samples that were not counted before, and answers the last of each member. A sample is known by its machine
 * time, so that it counts once, although several instances of the service may have read it.
 */
export async function addSamples(tx: Tx, reading: Reading): Promise<ReadonlyMap<string, MemberSample>> {
  const { clusterId, samples, databases } = reading;
  const cluster = await clusterById(tx, clusterId);
  const last = await lastSamples(tx, clusterId);
  if (cluster === undefined) return last;
  const allowed = allowanceOf(cluster);
  const members = new Added<Sums>({
    write: writeSums,
    read: readSums,
    plus: (one, other) => addedUp([one, other]),
  });
  const searches = new Added<SearchSums>({ write: writeSearches, read: readSearches, plus: searchAddedUp });
  let newest = 0;
  for (const [memberId, all] of samples) {
    for (const sample of all) {
      const before = last.get(memberId);
      if (before !== undefined && sample.taken <= before.taken) continue;
      members.add(memberId, sample.time, intervalOf(before, sample, allowed));
      if (sample.search !== undefined)
        searches.add(searchesOver(memberId), sample.time, searchSumsOf(before, sample));
      last.set(memberId, sample);
      newest = Math.max(newest, sample.time);
    }
  }
  if (members.isEmpty) return last;
  await keepMeasurements(tx, [
    ...(await members.merged(tx, clusterId)),
    ...(await searches.merged(tx, clusterId)),
    ...(databases === undefined ? [] : databaseRows(clusterId, databases, newest)),
  ]);
  await keepSamples(tx, clusterId, last);
  return last;
}

type Place = Pick<MeasurementRow, 'memberId' | 'seconds' | 'start'>;
const keyOf = ({ memberId, seconds, start }: Place) => `${memberId} ${seconds} ${start}`;

interface Kind<T> {
  write(sums: T): string;
  read(text: string): T;
  plus(one: T, other: T): T;
}

/** What is to be added to rows of one kind. */
class Added<T> {
  readonly #kind: Kind<T>;
  readonly #sums = new Map<string, T>();

  constructor(kind: Kind<T>) {
    this.#kind = kind;
  }

  get isEmpty(): boolean {
    return this.#sums.size === 0;
  }

  /** To the rows of all lengths in which the time lies. */
  add(memberId: string, time: number, sums: T): void {
    for (const seconds of storedSeconds) {
      const key = keyOf({ memberId, seconds, start: startOf(time, seconds) });
      const known = this.#sums.get(key);
      this.#sums.set(key, known === undefined ? sums : this.#kind.plus(known, sums));
    }
  }

  /** What was added, with what is there. */
  async merged(tx: Tx, clusterId: string): Promise<MeasurementRow[]> {
    if (this.isEmpty) return [];
    const { read, write, plus } = this.#kind;
    const places = [...this.#sums.keys()].map((key) => {
      const [memberId = '', seconds, start] = key.split(' ');
      return { memberId, seconds: Number(seconds), start: Number(start) };
    });
    const starts = [...new Set(places.map(({ start }) => start))];
    const there = new Map((await measurementsAt(tx, clusterId, starts)).map((row) => [keyOf(row), row]));
    return places.map((place) => {
      const key = keyOf(place);
      const sums = this.#sums.get(key) as T;
      const row = there.get(key);
      return {
        clusterId,
        ...place,
        document: write(row === undefined ? sums : plus(read(row.document), sums)),
      };
    });
  }
}

/** As they are at this moment: the last that is told in a time counts. */
function databaseRows(clusterId: string, databases: Databases, time: number): MeasurementRow[] {
  const document = writeDatabases(databases);
  return storedSeconds.map((seconds) => ({
    ...{ clusterId, memberId: '', seconds, start: startOf(time, seconds), document },
  }));
}

/** Forgets what is older than its granularity is kept. */
export async function dropOld(tx: Tx): Promise<void> {
  for (const [seconds, retention] of retentions)
    await dropMeasurements(tx, seconds, startOf(tx.now.getTime() - retention, seconds));
}
