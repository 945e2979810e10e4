import type { MemberSample } from '@portolan/engine/interface/engine';
import type { Tx } from '../../../store/index.ts';
import { clusterById } from '../../clusters/index.ts';
import { allowanceOf } from '../figures/allowance.ts';
import { intervalOf } from '../figures/metrics.ts';
import { addSearchSums, type SearchSums, searchSumsOf } from '../figures/search-indexes.ts';
import { type Sums, sumOfAll } from '../figures/sums.ts';
import { retentions, startOf, storedSeconds } from './granularity.ts';
import {
  deleteMeasurements,
  lastSamples,
  type MeasurementRow,
  measurementsAt,
  saveMeasurements,
  saveSamples,
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

/** Measurements of one cluster from its engine. `samples` are grouped by member, oldest first. */
export interface SampleBatch {
  readonly clusterId: string;
  readonly samples: ReadonlyMap<string, readonly MemberSample[]>;
  readonly databases: Databases | undefined;
}

/**
 * Adds the samples that have not been counted yet. Returns the last sample of each member. A sample is identified by
 * its machine time, so it is counted once even if several instances read it.
 */
export async function addSamples(tx: Tx, batch: SampleBatch): Promise<ReadonlyMap<string, MemberSample>> {
  const { clusterId, samples, databases } = batch;
  const cluster = await clusterById(tx, clusterId);
  const last = await lastSamples(tx, clusterId);
  if (cluster === undefined) return last;
  const allowed = allowanceOf(cluster);
  const members = new PendingSums<Sums>({
    write: writeSums,
    read: readSums,
    plus: (one, other) => sumOfAll([one, other]),
  });
  const searches = new PendingSums<SearchSums>({
    write: writeSearches,
    read: readSearches,
    plus: addSearchSums,
  });
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
  await saveMeasurements(tx, [
    ...(await members.merged(tx, clusterId)),
    ...(await searches.merged(tx, clusterId)),
    ...(databases === undefined ? [] : databaseRows(clusterId, databases, newest)),
  ]);
  await saveSamples(tx, clusterId, last);
  return last;
}

type RowKey = Pick<MeasurementRow, 'memberId' | 'seconds' | 'start'>;
const keyOf = ({ memberId, seconds, start }: RowKey) => `${memberId} ${seconds} ${start}`;

interface Kind<T> {
  write(sums: T): string;
  read(text: string): T;
  plus(one: T, other: T): T;
}

/** Collects the sums to add to the stored rows of one kind. */
class PendingSums<T> {
  readonly #kind: Kind<T>;
  readonly #sums = new Map<string, T>();

  constructor(kind: Kind<T>) {
    this.#kind = kind;
  }

  get isEmpty(): boolean {
    return this.#sums.size === 0;
  }

  /** Adds sums to one row for each stored length: the row whose interval contains this time. */
  add(memberId: string, time: number, sums: T): void {
    for (const seconds of storedSeconds) {
      const key = keyOf({ memberId, seconds, start: startOf(time, seconds) });
      const known = this.#sums.get(key);
      this.#sums.set(key, known === undefined ? sums : this.#kind.plus(known, sums));
    }
  }

  /** Returns the stored rows with the added sums. */
  async merged(tx: Tx, clusterId: string): Promise<MeasurementRow[]> {
    if (this.isEmpty) return [];
    const { read, write, plus } = this.#kind;
    const keys = [...this.#sums.keys()].map((key) => {
      const [memberId = '', seconds, start] = key.split(' ');
      return { memberId, seconds: Number(seconds), start: Number(start) };
    });
    const starts = [...new Set(keys.map(({ start }) => start))];
    const stored = new Map((await measurementsAt(tx, clusterId, starts)).map((row) => [keyOf(row), row]));
    return keys.map((key) => {
      const id = keyOf(key);
      const sums = this.#sums.get(id) as T;
      const row = stored.get(id);
      return {
        clusterId,
        ...key,
        document: write(row === undefined ? sums : plus(read(row.document), sums)),
      };
    });
  }
}

/**
 * Returns rows with the current sizes of databases. If the sizes are stored several times in an interval, the last ones
 * replace the others.
 */
function databaseRows(clusterId: string, databases: Databases, time: number): MeasurementRow[] {
  const document = writeDatabases(databases);
  return storedSeconds.map((seconds) => ({
    ...{ clusterId, memberId: '', seconds, start: startOf(time, seconds), document },
  }));
}

/** Deletes rows that are older than the retention of their granularity. */
export async function deleteExpired(tx: Tx): Promise<void> {
  for (const [seconds, retention] of retentions)
    await deleteMeasurements(tx, seconds, startOf(tx.now.getTime() - retention, seconds));
}
