import { nextTurn } from '@portolan/foundation/next-turn';
import type { ReadTx } from '../../../store/index.ts';
import { type ClusterModel, clustersIn } from '../../clusters/index.ts';
import { oplogOf, readOf } from '../model/oplog/rows.ts';
import { scheduleOf } from '../model/schedules/rows.ts';
import { newestMoment, unfinishedSince } from '../model/snapshots/rows.ts';

/**
 * The ages of a cluster's backups, in milliseconds of service time. An age is undefined if the moment from
 * which it counts does not exist or has not come yet.
 */
export interface BackupAges {
  readonly groupId: string;
  readonly clusterId: string;
  readonly clusterName: string;
  /** Time since the oldest missing snapshot was due. */
  readonly behind: number | undefined;
  /** Time since the newest completed snapshot. */
  readonly last: number | undefined;
  /** Time since the oplog archive was last complete. */
  readonly oplog: number | undefined;
}

/**
 * Returns the backup ages of all running clusters in the given projects that have a schedule. Other requests are served
 * between the clusters.
 */
export async function backupAges(tx: ReadTx, groupIds: readonly string[]): Promise<BackupAges[]> {
  const found: BackupAges[] = [];
  for (const groupId of groupIds) {
    for (const cluster of await clustersIn(tx, groupId)) {
      const { paused, state } = cluster;
      if (paused || state === 'CREATING' || state === 'DELETING') continue;
      const ages = await agesOf(tx, cluster);
      if (ages !== undefined) found.push(ages);
      await nextTurn();
    }
  }
  return found;
}

async function agesOf(
  tx: ReadTx,
  { id: clusterId, groupId, name: clusterName }: ClusterModel,
): Promise<BackupAges | undefined> {
  const [schedule, archive] = [await scheduleOf(tx, clusterId), await oplogOf(tx, clusterId)];
  if (schedule === undefined) return undefined;
  const newest = await newestMoment(tx, clusterId);
  const due = await unfinishedSince(tx, clusterId, newest);
  const missing = [due, schedule.next].filter((moment) => moment !== undefined).map(Number);
  const span = archive?.facts.spans.at(-1);
  const since = (moment: number | undefined) =>
    moment === undefined || moment > tx.now.getTime() ? undefined : tx.now.getTime() - moment;
  return {
    ...{ groupId, clusterId, clusterName },
    behind: since(missing.length === 0 ? undefined : Math.min(...missing)),
    last: since(newest?.getTime()),
    oplog: since(span && Date.parse(readOf(span))),
  };
}
