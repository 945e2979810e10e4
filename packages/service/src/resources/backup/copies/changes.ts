import { system } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import { type ClusterPlace, type ClusterWork, enqueueWork } from '../../clusters/index.ts';
import { recordInProject } from '../../projects/index.ts';
import type { CopiedFrequency } from '../model/schedules/policy.ts';
import { scheduleOf } from '../model/schedules/rows.ts';
import type { SnapshotRow } from '../model/snapshots/rows.ts';
import { copyRegions, deleteCopies, insertCopy } from './rows.ts';

export const COPY = { kind: 'backup.copy' };
export const FORGET_COPIES = { kind: 'backup.forgetCopies' };

export interface CopyWork extends ClusterWork {
  readonly snapshotId: string;
  readonly region: string;
}

export interface ForgetCopiesWork extends ClusterWork {
  readonly region: string;
}

/** Each region has a separate task queue, so that a slow region delays neither snapshots nor other regions. */
const queueOf = (region: string) => ({ queue: `copies:${region}` });

/** Enqueues the copies of a completed snapshot that the cluster's schedule requires. */
export async function queueCopies(tx: Tx, row: SnapshotRow): Promise<void> {
  const settings = (await scheduleOf(tx, row.clusterId))?.schedule.copies ?? [];
  if (settings.length === 0) return;
  const due = frequenciesOf(row);
  const wanted = settings.filter(({ frequencies }) => frequencies.some((one) => due.has(one)));
  const regions = new Set(wanted.map(({ provider, region }) => `${provider}/${region}`));
  const { id: snapshotId, clusterId } = row;
  const place = { ...row, id: clusterId };
  for (const region of regions) {
    await insertCopy(tx, { snapshotId, region, clusterId, status: 'queued' });
    await enqueueWork<CopyWork>(tx, COPY, place, { snapshotId, region }, queueOf(region));
  }
}

/** Returns all frequencies at which the snapshot was due. */
function frequenciesOf({ facts }: SnapshotRow): ReadonlySet<CopiedFrequency> {
  if (facts.frequency === 'ondemand') return new Set(['ON_DEMAND']);
  const all = [facts.frequency, ...(facts.items ?? []).map(({ frequency }) => frequency)];
  return new Set(all.map((one) => one.toUpperCase() as CopiedFrequency));
}

/** Removes the copies of a cluster in a region, with their objects. */
export async function removeCopies(tx: Tx, place: ClusterPlace, region: string): Promise<void> {
  await deleteCopies(tx, place.id, region);
  await forgetCopiesIn(tx, place, region);
}

/** Enqueues the removal of a cluster's unreferenced objects in all regions. */
export async function forgetCopies(tx: Tx, place: ClusterPlace): Promise<void> {
  for (const region of await copyRegions(tx, place.id)) await forgetCopiesIn(tx, place, region);
}

export function forgetCopiesIn(tx: Tx, place: ClusterPlace, region: string): Promise<void> {
  return enqueueWork<ForgetCopiesWork>(tx, FORGET_COPIES, place, { region }, queueOf(region));
}

export type CopyEvent = 'STARTED' | 'SUCCESSFUL' | 'FAILED' | 'FAILED_WILL_RETRY';

/** Records an event about a copy; `reason` is the reason of a failure. */
export function recordCopy(
  tx: Tx,
  event: CopyEvent,
  { groupId, facts: { clusterName } }: SnapshotRow,
  reason?: string,
): Promise<void> {
  const about = { clusterName, ...(reason && { details: { reason } }) };
  return recordInProject(tx, groupId, { type: `CPS_COPY_SNAPSHOT_${event}`, actor: system, ...about });
}
