import Type from 'typebox';
import { entity } from '../../../../api/entity.ts';
import { Choice, Links } from '../../../../api/fields.ts';
import { loadParams } from '../carried-model.ts';
import { schemasOf } from './field.ts';
import { clusterFields } from './fields.ts';

/**
 * This file declares the cluster in the contract's shape (docs/contract/api.md 2.15 and 2.18): one provider
 * and one size for all nodes.
 */

/** The entity rule of clusters in every shape. */
export const clusterRule = {
  name: 'cluster',
  self: 'getCluster',
  params: (c: { readonly groupId?: string; readonly name?: string }) => ({
    groupId: c.groupId ?? '',
    clusterName: c.name ?? '',
    ...loadParams(c),
  }),
  lacks: (c: { readonly clusterType?: string; readonly providerBackupEnabled?: boolean }) => [
    c.clusterType === 'REPLICASET' ? 'shardedSnapshots' : 'snapshots',
    ...(c.providerBackupEnabled ? [] : ['backupSchedule']),
  ],
};
export const clusterDescription = 'A cluster: a replica set or a sharded cluster to which drivers connect.';

export const Cluster = entity(
  Type.Object(schemasOf(clusterFields), { description: clusterDescription }),
  clusterRule,
);
export type Cluster = Type.Static<typeof Cluster>;

export const ClusterStatus = entity(
  Type.Object({
    changeStatus: Choice(['PENDING', 'APPLIED'], {
      description:
        '`APPLIED` if all nodes use the current database users and access list of the project, `PENDING` otherwise.',
    }),
    links: Links,
  }),
  { name: 'clusterStatus', self: 'getClusterStatus', params: () => ({}) },
);
