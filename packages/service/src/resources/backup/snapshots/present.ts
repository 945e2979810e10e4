import type { SnapshotRow } from '../model/snapshots/rows.ts';

function common({ id, created, expires, status, type, facts }: SnapshotRow) {
  const { description, encryption, frequency, items = [], version, storageBytes, consistency } = facts;
  return {
    ...(consistency === undefined ? {} : { consistency }),
    id,
    ...(created === undefined ? {} : { createdAt: created }),
    ...(description === undefined ? {} : { description }),
    ...(version === undefined ? {} : { dbdVersion: version }),
    expiresAt: expires,
    frequencyType: frequency,
    ...(encryption === undefined ? {} : { masterKeyUUID: encryption.masterKey }),
    policyItems: items.map(({ id: item }) => item),
    snapshotType: type,
    status,
    storageSizeBytes: storageBytes,
  };
}

export function presentReplicaSet(row: SnapshotRow, copyRegions: readonly string[] = []) {
  const { provider, clusterName } = row.facts;
  return {
    ...common(row),
    ...(provider === undefined ? {} : { cloudProvider: provider }),
    copyRegions: [...copyRegions],
    replicaSetName: clusterName,
    type: 'replicaSet' as const,
  };
}

export function presentSharded(row: SnapshotRow) {
  const { members = [], configServers = 'EMBEDDED' } = row.facts.sharded ?? {};
  return {
    ...common(row),
    configServerType: configServers,
    members: members.map(({ id, replicaSetName, provider }) => ({
      id,
      replicaSetName,
      cloudProvider: provider,
    })),
    snapshotIds: members.map(({ id }) => id),
    type: 'shardedCluster' as const,
  };
}

/** Presents a snapshot in the shape for a replica set or for a sharded cluster. */
export function presentSnapshot(row: SnapshotRow, copyRegions: readonly string[] = []) {
  return row.facts.sharded === undefined ? presentReplicaSet(row, copyRegions) : presentSharded(row);
}
