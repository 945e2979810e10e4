import { pageOf } from '../../../store/index.ts';
import { operation } from '../../services.ts';
import { regionsOf } from '../copies/rows.ts';
import { ClusterQuery } from '../model/cluster-query.ts';
import { onDemandDays } from '../model/compliance/guard.ts';
import { lackingOfSnapshot } from '../model/lacking-links.ts';
import { extraDays } from '../model/schedules/policy.ts';
import { scheduleOf } from '../model/schedules/rows.ts';
import { snapshotsOf } from '../model/snapshots/rows.ts';
import { changeRetention, removeSnapshot, requestSnapshot } from './changes.ts';
import { snapshotFaults } from './faults.ts';
import { listSnapshots } from './list.ts';
import { presentReplicaSet, presentSharded, presentSnapshot } from './present.ts';
import {
  DEFAULT_RETENTION_DAYS,
  kindOf,
  rejectMember,
  requireBackedUp,
  requireOfKind,
  requireSnapshot,
  requireSource,
} from './rules.ts';
import {
  ReplicaSetSnapshot,
  ShardedSnapshot,
  Snapshot,
  SnapshotRequest,
  SnapshotRetention,
} from './schema.ts';

export const listReplicaSetBackups = operation({
  id: 'listReplicaSetBackups',
  tag: 'Cloud Backups',
  method: 'GET',
  path: '/groups/{groupId}/clusters/{clusterName}/backup/snapshots',
  summary: 'Lists the snapshots of a replica set, oldest first.',
  access: 'Project Read Only',
  query: ClusterQuery,
  reply: ReplicaSetSnapshot,
  list: 'page',
  status: 200,
  reachedFrom: { cluster: 'snapshots' },
  handler: (call) =>
    call.read(async (tx) => {
      const cluster = await requireOfKind(tx, call.params, 'replicaSet', call.query.clusterId);
      return listSnapshots(tx, cluster.id, call.page, presentReplicaSet);
    }),
});

export const takeSnapshot = operation({
  id: 'takeSnapshot',
  tag: 'Cloud Backups',
  method: 'POST',
  path: '/groups/{groupId}/clusters/{clusterName}/backup/snapshots',
  summary: 'Takes a snapshot of a cluster now.',
  access: 'Project Backup Manager',
  body: SnapshotRequest,
  reply: Snapshot,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const { description, retentionInDays } = call.body;
      const cluster = await requireBackedUp(tx, call.params);
      const row = await scheduleOf(tx, cluster.id);
      const extra = row === undefined ? 0 : extraDays(row.schedule, 'ON_DEMAND');
      const usual = await onDemandDays(tx, cluster.groupId, DEFAULT_RETENTION_DAYS);
      const value = (retentionInDays ?? usual) + extra;
      const retention = { value, unit: 'DAYS' } as const;
      return presentSnapshot(await requestSnapshot(tx, cluster, { description, retention }, call.actor));
    }),
});

export const getReplicaSetBackup = operation({
  id: 'getReplicaSetBackup',
  tag: 'Cloud Backups',
  method: 'GET',
  path: '/groups/{groupId}/clusters/{clusterName}/backup/snapshots/{snapshotId}',
  summary: 'Returns one snapshot of a replica set.',
  access: 'Project Read Only',
  reply: ReplicaSetSnapshot,
  status: 200,
  reachedFrom: { restoreJob: 'snapshot' },
  handler: (call) =>
    call.read(async (tx) => {
      const row = await requireSnapshot(tx, call.params, 'replicaSet');
      return {
        ...presentReplicaSet(row, (await regionsOf(tx, [row.id])).get(row.id)),
        ...(await lackingOfSnapshot(tx, call.params, row)),
      };
    }),
});

export const deleteReplicaSetBackup = operation({
  id: 'deleteReplicaSetBackup',
  tag: 'Cloud Backups',
  method: 'DELETE',
  path: '/groups/{groupId}/clusters/{clusterName}/backup/snapshots/{snapshotId}',
  summary: 'Deletes a snapshot of a replica set.',
  access: 'Project Backup Manager',
  status: 204,
  handler: (call) =>
    call.write(async (tx) => {
      await rejectMember(tx, call.params, snapshotFaults.CANNOT_DELETE_FROM_CLUSTER_SNAPSHOT);
      await removeSnapshot(tx, await requireSnapshot(tx, call.params, 'replicaSet'), call.actor);
    }),
});

export const updateSnapshotRetention = operation({
  id: 'updateSnapshotRetention',
  tag: 'Cloud Backups',
  method: 'PATCH',
  path: '/groups/{groupId}/clusters/{clusterName}/backup/snapshots/{snapshotId}',
  absentInLegacy: true,
  summary: 'Changes how long a snapshot is kept, counted from its `createdAt`.',
  access: 'Project Backup Manager',
  body: SnapshotRetention,
  reply: Snapshot,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      await rejectMember(tx, call.params, snapshotFaults.CANNOT_MODIFY_CLUSTER_SNAPSHOT);
      const source = await requireSource(tx, call.params);
      const row = await requireSnapshot(tx, call.params, kindOf(source));
      const { retentionUnit: unit, retentionValue: value } = call.body;
      const changed = await changeRetention(tx, row, { unit, value }, call.actor);
      return {
        ...presentSnapshot(changed, (await regionsOf(tx, [row.id])).get(row.id)),
        ...(await lackingOfSnapshot(tx, call.params, row)),
      };
    }),
});

export const listShardedClusterBackups = operation({
  id: 'listShardedClusterBackups',
  tag: 'Cloud Backups',
  method: 'GET',
  path: '/groups/{groupId}/clusters/{clusterName}/backup/snapshots/shardedClusters',
  summary: 'Lists all snapshots of a sharded cluster, oldest first.',
  access: 'Project Read Only',
  query: ClusterQuery,
  reply: ShardedSnapshot,
  list: 'page',
  status: 200,
  reachedFrom: { cluster: 'shardedSnapshots' },
  handler: (call) =>
    call.read(async (tx) => {
      const cluster = await requireOfKind(tx, call.params, 'shardedCluster', call.query.clusterId);
      const rows = await snapshotsOf(tx, cluster.id);
      // docs/contract/clusters.md 3.3 describes this list without pages, so one page has all results.
      return pageOf(rows.map(presentSharded), { ...call.page, itemsPerPage: Math.max(rows.length, 1) });
    }),
});

export const getShardedClusterBackup = operation({
  id: 'getShardedClusterBackup',
  tag: 'Cloud Backups',
  method: 'GET',
  path: '/groups/{groupId}/clusters/{clusterName}/backup/snapshots/shardedCluster/{snapshotId}',
  summary: 'Returns one snapshot of a sharded cluster.',
  access: 'Project Read Only',
  reply: ShardedSnapshot,
  status: 200,
  reachedFrom: { restoreJob: 'snapshot' },
  handler: (call) =>
    call.read(async (tx) => {
      const row = await requireSnapshot(tx, call.params, 'shardedCluster');
      return { ...presentSharded(row), ...(await lackingOfSnapshot(tx, call.params, row)) };
    }),
});

export const deleteShardedClusterBackup = operation({
  id: 'deleteShardedClusterBackup',
  tag: 'Cloud Backups',
  method: 'DELETE',
  path: '/groups/{groupId}/clusters/{clusterName}/backup/snapshots/shardedCluster/{snapshotId}',
  summary: 'Deletes a snapshot of a sharded cluster.',
  access: 'Project Backup Manager',
  status: 204,
  handler: (call) =>
    call.write(async (tx) => {
      await rejectMember(tx, call.params, snapshotFaults.CANNOT_DELETE_FROM_CLUSTER_SNAPSHOT);
      await removeSnapshot(tx, await requireSnapshot(tx, call.params, 'shardedCluster'), call.actor);
    }),
});
