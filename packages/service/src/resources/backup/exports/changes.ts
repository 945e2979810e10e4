import { type Actor, system } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import { assertCan, type ClusterModel, enqueueWork } from '../../clusters/index.ts';
import { findOrganization } from '../../organizations/index.ts';
import { findProject, recordInProject } from '../../projects/index.ts';
import {
  activeExports,
  type ExportRow,
  exportsOfSnapshot,
  insertExport,
  isActive,
  updateExport,
} from '../model/exports/rows.ts';
import { scheduleOf } from '../model/schedules/rows.ts';
import type { SnapshotRow } from '../model/snapshots/rows.ts';
import { prefixOf, secondOf } from './prefix.ts';
import { checkExport } from './rules.ts';

export const EXPORT = { kind: 'backup.export' };

export interface ExportWork {
  readonly clusterId: string;
  readonly exportId: string;
}

interface RequestedExport {
  readonly snapshot: SnapshotRow;
  readonly bucketId: string;
  readonly customData?: ExportRow['customData'] | undefined;
  readonly bySchedule?: boolean;
}

/** Enqueues the export of a snapshot to a bucket. Throws if the snapshot cannot be exported now. */
export async function requestExport(
  tx: Tx,
  cluster: ClusterModel,
  { snapshot, bucketId, customData = [], bySchedule = false }: RequestedExport,
): Promise<ExportRow> {
  assertCan(cluster, 'snapshotFiles');
  await checkExport(tx, snapshot);
  const { groupId, name: clusterName, spec } = cluster;
  const place = { groupId, clusterName, ...(await namesOf(tx, groupId)) };
  const { labels = [] } = spec.settings;
  const taken = snapshot.facts.due ?? snapshot.facts.started ?? snapshot.created ?? tx.now;
  const names = (await scheduleOf(tx, cluster.id))?.schedule.namesInExportPrefix === true;
  const second = await nextSecond(tx, snapshot.id);
  const { orgId, orgName, groupName } = place;
  const shards = shardsOf(snapshot).map((replicaSetName) => ({ exportId: tx.id(), replicaSetName }));
  const row: ExportRow = {
    id: tx.id(),
    groupId,
    clusterId: cluster.id,
    snapshotId: snapshot.id,
    bucketId,
    clusterName,
    origin: { orgId, orgName, groupName, labels, snapshotDate: taken },
    state: 'Queued',
    created: tx.now,
    finished: undefined,
    prefix: prefixOf(place, { snapshot: taken, second, names }),
    customData,
    bySchedule,
    exported: 0,
    total: 0,
    ...(shards.length === 0 ? {} : { components: shards }),
  };
  await insertExport(tx, row);
  // Any instance can run the task, because all instances can access the snapshot store. The cluster's host may no
  // longer exist.
  const where = { queue: `export:${row.id}`, onAnyInstance: true };
  await enqueueWork<ExportWork>(tx, EXPORT, cluster, { exportId: row.id }, where);
  return row;
}

/** Returns the shards of a sharded cluster, without dedicated config servers; empty for a replica set. */
function shardsOf({ facts: { sharded } }: SnapshotRow): string[] {
  const names = sharded?.members.map(({ replicaSetName }) => replicaSetName) ?? [];
  return sharded?.configServers === 'DEDICATED' ? names.slice(0, -1) : names;
}

async function namesOf(tx: Tx, groupId: string) {
  const project = await findProject(tx, groupId);
  const orgId = project?.orgId ?? '';
  const organization = await findOrganization(tx, orgId);
  return { orgId, orgName: organization?.name ?? '', groupName: project?.name ?? '' };
}

/** Returns a different second for each export of a snapshot, so that each export has a folder of its own. */
async function nextSecond(tx: Tx, snapshotId: string): Promise<number> {
  const before = await exportsOfSnapshot(tx, snapshotId);
  const last = Math.max(0, ...before.map(({ prefix }) => secondOf(prefix)));
  return Math.max(last + 1, Math.floor(tx.now.getTime() / 1000));
}

/** The properties of an export job that can change. */
type ExportChange = Partial<Pick<ExportRow, 'state' | 'finished' | 'exported' | 'total' | 'reason'>>;

export async function changeExport(tx: Tx, row: ExportRow, change: ExportChange): Promise<void> {
  await updateExport(tx, { ...row, ...change });
}

/** Ends an export: successfully, or with the reason of its failure. */
export async function endExport(tx: Tx, row: ExportRow, reason?: ExportRow['reason']): Promise<void> {
  const finished = tx.now;
  if (reason === undefined) await changeExport(tx, row, { state: 'Successful', finished });
  else await changeExport(tx, row, { state: 'Failed', finished, reason });
  await record(tx, reason === undefined ? 'CPS_EXPORT_SUCCESSFUL' : 'CPS_EXPORT_FAILED', row, system);
  if (reason !== undefined && row.bySchedule) await record(tx, 'CPS_AUTO_EXPORT_FAILED', row, system);
}

/** Cancels the active exports of removed snapshots. Files in the bucket stay. */
export async function cancelExports(
  tx: Tx,
  clusterId: string,
  isGone: (snapshotId: string) => boolean,
): Promise<void> {
  for (const row of await activeExports(tx, clusterId)) {
    if (isActive(row) && isGone(row.snapshotId))
      await changeExport(tx, row, { state: 'Cancelled', finished: tx.now });
  }
}

export function record(
  tx: Tx,
  type: string,
  { groupId, clusterName }: Pick<ExportRow, 'groupId' | 'clusterName'>,
  actor: Actor,
): Promise<void> {
  return recordInProject(tx, groupId, { type, actor, clusterName });
}
