import type { MemberSample } from '../../../engine/engine.ts';
import type { Tx } from '../../../store/index.ts';
import { clusterById } from '../../clusters/index.ts';
import { allowanceOf } from '../figures/allowance.ts';
import { intervalOf } from '../figures/metrics.ts';
import { addedUp, type Sums } from '../figures/sums.ts';
import { retentions, startOf, storedSeconds } from './granularity.ts';
import {
  dropMeasurements,
  keepMeasurements,
  keepSamples,
  lastSamples,
  type MeasurementRow,
  measurementsAt,
} from './rows.ts';
import { type Databases, readSums, writeDatabases, writeSums } from './stored.ts';

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
  const added = new Map<string, Sums>();
  let newest = 0;
  for (const [memberId, all] of samples) {
    for (const sample of all) {
      const before = last.get(memberId);
      if (before !== undefined && sample.taken <= before.taken) continue;
      const sums = intervalOf(before, sample, allowed);
      for (const seconds of storedSeconds) {
        const key = keyOf({ memberId, seconds, start: startOf(sample.time, seconds) });
        const known = added.get(key);
        added.set(key, known === undefined ? sums : addedUp([known, sums]));
      }
      last.set(memberId, sample);
      newest = Math.max(newest, sample.time);
    }
  }
  if (added.size === 0) return last;
  await keepMeasurements(tx, [
    ...(await merged(tx, clusterId, added)),
    ...(databases === undefined ? [] : databaseRows(clusterId, databases, newest)),
  ]);
  await keepSamples(tx, clusterId, last);
  return last;
}

type Place = Pick<MeasurementRow, 'memberId' | 'seconds' | 'start'>;
const keyOf = ({ memberId, seconds, start }: Place) => `${memberId} ${seconds} ${start}`;

/** What was added, with what is there. */
async function merged(
  tx: Tx,
  clusterId: string,
  added: ReadonlyMap<string, Sums>,
): Promise<MeasurementRow[]> {
  const places = [...added.keys()].map((key) => {
    const [memberId = '', seconds, start] = key.split(' ');
    return { memberId, seconds: Number(seconds), start: Number(start) };
  });
  const starts = [...new Set(places.map(({ start }) => start))];
  const there = new Map((await measurementsAt(tx, clusterId, starts)).map((row) => [keyOf(row), row]));
  return places.map((place) => {
    const key = keyOf(place);
    const sums = added.get(key) as Sums;
    const row = there.get(key);
    const all = row === undefined ? sums : addedUp([readSums(row.document), sums]);
    return { clusterId, ...place, document: writeSums(all) };
  });
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
