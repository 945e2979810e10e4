import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClusterModel } from '../../clusters/index.ts';
import { insertRestore } from '../model/restores/rows.ts';
import { insertSnapshot, type SnapshotRow } from '../model/snapshots/rows.ts';
import { checkTenantTarget } from '../tenants/rules.ts';
import { openBackups, restoreRow } from '../testing.ts';
import { checkTarget } from './rules.ts';

type Change = { readonly facts?: object; readonly spec?: object } & Partial<Omit<ClusterModel, 'spec'>>;

test('a snapshot that does not fit the target is rejected with the reason', async (t) => {
  const { store, cluster } = await openBackups(t);
  const taken = { version: '8.0.4', diskGB: 10, storageBytes: 1, clusterName: cluster.name };
  const facts = { ...taken, frequency: 'ondemand', retention: { value: 1, unit: 'DAYS' } } as const;
  const snapshot: SnapshotRow = {
    id: 'snapshot',
    groupId: cluster.groupId,
    clusterId: cluster.id,
    host: cluster.host,
    status: 'completed',
    type: 'onDemand',
    created: new Date(),
    expires: new Date(),
    facts,
  };
  const checked = (
    check: typeof checkTarget,
    { facts: own, spec, ...rest }: Change,
    status = snapshot.status,
  ) => {
    const target = {
      ...cluster,
      ...rest,
      spec: { ...cluster.spec, majorVersion: '8.0', diskSizeGB: 10, ...spec },
    };
    const row = { ...snapshot, status, facts: { ...facts, ...own } } as SnapshotRow;
    return store.read((tx) => check(tx, row, target as ClusterModel));
  };
  const refused = (change: Change, code: string, ...parameters: string[]) =>
    assert.rejects(checked(checkTarget, change), { code, parameters });

  await checked(checkTarget, {});
  await assert.rejects(checked(checkTarget, {}, 'inProgress'), {
    code: 'CANNOT_START_RESTORE_JOB_FOR_INCOMPLETE_CLUSTER_SNAPSHOT',
  });
  await refused({ paused: true }, 'CLUSTER_PAUSED_CANNOT_RESTORE');
  const failed = 'RESTORE_INITIATION_FAILED';
  await refused(
    { spec: { majorVersion: '7.0' } },
    failed,
    'the target runs version 7.0, but the snapshot was taken from version 8.0.4',
  );
  await refused(
    { facts: { diskGB: 40 } },
    failed,
    'the target has a disk of 10 GB, but the snapshot requires 40 GB',
  );
  await checked(checkTarget, { facts: { diskGB: undefined } });

  const [zone] = cluster.spec.zones;
  const wide = (numShards: number, settings = {}) => ({
    clusterType: 'SHARDED',
    zones: [{ ...zone, numShards }],
    settings: { ...cluster.spec.settings, ...settings },
  });
  const of = (sets: number, configServers: string) => {
    const members = Array.from({ length: sets }, (_, at) => ({ id: `${at}`, replicaSetName: `${at}` }));
    return { sharded: { members, configServers } };
  };
  const dedicated = { configServerManagementMode: 'FIXED_TO_DEDICATED' };
  await refused({ spec: wide(2) }, failed, 'the target is sharded, but the snapshot is not');
  await refused({ facts: of(2, 'EMBEDDED') }, failed, 'the snapshot is sharded, but the target is not');
  await refused(
    { spec: wide(1), facts: of(2, 'EMBEDDED') },
    failed,
    'the target has 1 shards, but the snapshot has 2',
  );
  // The target and the snapshot have three replica sets each, but in the target, one of them is for config servers.
  await refused(
    { spec: wide(2, dedicated), facts: of(3, 'EMBEDDED') },
    failed,
    'the config servers of the target are DEDICATED, but those of the snapshot are EMBEDDED',
  );
  await checked(checkTarget, { spec: wide(2, dedicated), facts: of(3, 'DEDICATED') });

  const tenant = (change: Change, code: string, status?: 'queued') =>
    assert.rejects(checked(checkTenantTarget, change, status), { code });
  await tenant({}, 'CANNOT_START_RESTORE_JOB_FOR_INCOMPLETE_CLUSTER_SNAPSHOT', 'queued');
  await tenant({ spec: { majorVersion: '7.0' } }, 'TENANT_RESTORE_VERSION_MISMATCH');
  const encrypted = { settings: { encryptionAtRestProvider: 'AWS' } };
  await tenant({ spec: encrypted }, 'TENANT_RESTORE_DESTINATION_ENCRYPTION');
  await refused({ spec: encrypted }, 'INVALID_SNAPSHOT_RESTORE_ENCRYPTION', cluster.name);

  await store.write((tx) => insertSnapshot(tx, { ...snapshot, status: 'inProgress' }));
  await checked(checkTarget, {});
  const placement = { ...cluster.placement, found: { engine: 'adopted' } as never };
  await refused({ placement }, failed, 'a snapshot of the target is being taken');

  await store.write((tx) => {
    return insertRestore(tx, restoreRow(tx, cluster, snapshot.id));
  });
  await refused({}, 'PLATFORM_CLUSTER_RESTORE_IN_PROGRESS', cluster.name);
  await tenant({}, 'TENANT_RESTORE_DESTINATION_UNAVAILABLE');
});
