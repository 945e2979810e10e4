import type { Tx } from '../../../store/index.ts';
import { type ClusterPlace, type ClusterWork, enqueueWork } from '../../clusters/index.ts';
import { scheduleOf } from '../model/schedules/rows.ts';
import { oplogCopiesOf, oplogCopyIn, putOplogCopy } from './rows.ts';

export const COPY_OPLOG = { kind: 'backup.copyOplog' };
export const FORGET_OPLOG_COPY = { kind: 'backup.forgetOplogCopy' };

export interface CopyOplogWork extends ClusterWork {
  readonly region: string;
}

export interface ForgetOplogCopyWork extends ClusterWork {
  readonly region: string;
  /** Whether to remove the whole copy, or only the segments that the archive no longer contains. */
  readonly all?: boolean;
}

/**
 * Each region has a separate task queue, so that a slow region delays neither archiving nor the copies of snapshots.
 */
const queueOf = (region: string) => ({ queue: `oplog:${region}` });

/** Enqueues the copies of a cluster's archived oplog that the cluster's schedule requires. */
export async function queueOplogCopies(tx: Tx, place: ClusterPlace): Promise<void> {
  const { id } = place;
  const settings = (await scheduleOf(tx, id))?.schedule.copies ?? [];
  const wanted = settings.filter(({ oplogs }) => oplogs);
  for (const region of new Set(wanted.map(({ provider, region }) => `${provider}/${region}`))) {
    const row = await oplogCopyIn(tx, id, region);
    if (row?.facts.asked) continue;
    await putOplogCopy(tx, {
      clusterId: id,
      region,
      facts: { through: row?.facts.through ?? {}, asked: true },
    });
    await enqueueWork<CopyOplogWork>(tx, COPY_OPLOG, place, { region }, queueOf(region));
  }
}

/** Enqueues the removal, in all regions, of segments that the archive no longer contains. */
export async function trimOplogCopies(tx: Tx, place: ClusterPlace): Promise<void> {
  for (const { region } of await oplogCopiesOf(tx, place.id))
    await enqueueWork<ForgetOplogCopyWork>(tx, FORGET_OPLOG_COPY, place, { region }, queueOf(region));
}

/** Removes the copy in a region. If the schedule still requires the copy, the next archive run starts it again. */
export async function removeOplogCopy(tx: Tx, place: ClusterPlace, region: string): Promise<void> {
  if ((await oplogCopyIn(tx, place.id, region)) === undefined) return;
  const work = { region, all: true };
  await enqueueWork<ForgetOplogCopyWork>(tx, FORGET_OPLOG_COPY, place, work, queueOf(region));
}
