import type { Tx } from '../../../store/index.ts';
import { type ClusterWork, enqueueWork } from '../../clusters/index.ts';
import { scheduleOf } from '../schedules/rows.ts';
import { oplogCopiesOf, oplogCopyIn, putOplogCopy } from './rows.ts';

export const COPY_OPLOG = { kind: 'backup.copyOplog' };
export const FORGET_OPLOG_COPY = { kind: 'backup.forgetOplogCopy' };

export interface CopyOplogWork extends ClusterWork {
  readonly region: string;
}

export interface ForgetOplogCopyWork extends ClusterWork {
  readonly region: string;
  /** Also what the archive still has. */
  readonly all?: boolean;
}

interface Place {
  readonly id: string;
  readonly host: string;
}

/** What is done in one region is done in turn, and holds back neither the archive nor copies of snapshots. */
const line = (region: string) => ({ beside: `oplog:${region}` });

/** Lets tasks copy what is archived of a cluster to the regions where its schedule wants it. */
export async function queueOplogCopies(tx: Tx, { id, host }: Place): Promise<void> {
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
    await enqueueWork<CopyOplogWork>(tx, COPY_OPLOG, { id, host }, { region }, line(region));
  }
}

/** Lets tasks remove what regions hold of the oplog of a cluster and the archive has no more. */
export async function trimOplogCopies(tx: Tx, place: Place): Promise<void> {
  for (const { region } of await oplogCopiesOf(tx, place.id))
    await enqueueWork<ForgetOplogCopyWork>(tx, FORGET_OPLOG_COPY, place, { region }, line(region));
}

/** Forgets the copy of a region. One that is still wanted begins anew with what is archived next. */
export async function removeOplogCopy(tx: Tx, place: Place, region: string): Promise<void> {
  if ((await oplogCopyIn(tx, place.id, region)) === undefined) return;
  const work = { region, all: true };
  await enqueueWork<ForgetOplogCopyWork>(tx, FORGET_OPLOG_COPY, place, work, line(region));
}
