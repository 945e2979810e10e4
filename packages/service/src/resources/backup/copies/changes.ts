import { system } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import { type ClusterWork, enqueueWork } from '../../clusters/index.ts';
import { recordInProject } from '../../projects/index.ts';
import type { CopiedFrequency } from '../schedules/policy.ts';
import { scheduleOf } from '../schedules/rows.ts';
import type { SnapshotRow } from '../snapshots/rows.ts';
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

interface Place {
  readonly id: string;
  readonly host: string;
}

/** What is done in one region is done in turn; a region that is slow holds back neither snapshots nor others. */
const line = (region: string) => ({ beside: `copies:${region}` });

/** Lets tasks copy a snapshot that is complete to the regions where the schedule of its cluster wants it. */
export async function queueCopies(tx: Tx, row: SnapshotRow): Promise<void> {
  const settings = (await scheduleOf(tx, row.clusterId))?.schedule.copies ?? [];
  if (settings.length === 0) return;
  const due = frequenciesOf(row);
  const wanted = settings.filter(({ frequencies }) => frequencies.some((one) => due.has(one)));
  const regions = new Set(wanted.map(({ provider, region }) => `${provider}/${region}`));
  const { id: snapshotId, clusterId, host } = row;
  for (const region of regions) {
    await insertCopy(tx, { snapshotId, region, clusterId, status: 'queued' });
    await enqueueWork<CopyWork>(tx, COPY, { id: clusterId, host }, { snapshotId, region }, line(region));
  }
}

/** All for which it was taken, where several came together. */
function frequenciesOf({ facts }: SnapshotRow): ReadonlySet<CopiedFrequency> {
  if (facts.frequency === 'ondemand') return new Set(['ON_DEMAND']);
  const all = [facts.frequency, ...(facts.items ?? []).map(({ frequency }) => frequency)];
  return new Set(all.map((one) => one.toUpperCase() as CopiedFrequency));
}

/** Forgets the copies of a cluster in a region, with their files. */
export async function removeCopies(tx: Tx, place: Place, region: string): Promise<void> {
  await deleteCopies(tx, place.id, region);
  await forgetCopiesIn(tx, place, region);
}

/** Lets tasks remove what regions hold of a cluster and no row names. */
export async function forgetCopies(tx: Tx, place: Place): Promise<void> {
  for (const region of await copyRegions(tx, place.id)) await forgetCopiesIn(tx, place, region);
}

export function forgetCopiesIn(tx: Tx, place: Place, region: string): Promise<void> {
  return enqueueWork<ForgetCopiesWork>(tx, FORGET_COPIES, place, { region }, line(region));
}

export type CopyEvent = 'STARTED' | 'SUCCESSFUL' | 'FAILED' | 'FAILED_WILL_RETRY';

/** `reason`: why it failed. */
export function recordCopy(
  tx: Tx,
  event: CopyEvent,
  { groupId, facts: { clusterName } }: SnapshotRow,
  reason?: string,
): Promise<void> {
  const about = { clusterName, ...(reason && { details: { reason } }) };
  return recordInProject(tx, groupId, { type: `CPS_COPY_SNAPSHOT_${event}`, actor: system, ...about });
}
