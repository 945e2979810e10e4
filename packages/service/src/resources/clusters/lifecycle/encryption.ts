import { type ReadTx, subscribe } from '../../../store/index.ts';
import { encryptionFaults, type KeyProvider, keysChanging, projectKeys } from '../../encryption/index.ts';
import type { ClusterModel } from '../model/cluster.ts';
import { clustersIn } from '../rows.ts';
import { APPLY } from './changes.ts';
import { enqueueWork } from './work.ts';

/** Returns the key provider of a cluster; undefined if it is not encrypted. */
export function keyProviderOf({ spec }: Pick<ClusterModel, 'spec'>): KeyProvider | undefined {
  const { encryptionAtRestProvider = 'NONE' } = spec.settings;
  return encryptionAtRestProvider === 'NONE' ? undefined : encryptionAtRestProvider;
}

/** Returns the master key that wraps the key of a cluster; undefined if it is not encrypted. */
export async function masterKeyOf(tx: ReadTx, cluster: ClusterModel): Promise<string | undefined> {
  const provider = keyProviderOf(cluster);
  if (provider === undefined) return undefined;
  const key = (await projectKeys(tx, cluster.groupId)).get(provider);
  if (key === undefined)
    throw new Error(`the project of the cluster ${cluster.name} has no key of ${provider}`);
  return key;
}

/**
 * Rejects a change that disables a provider whose keys are in use. After a change of the master key, encrypts the keys
 * of the clusters with the new master key.
 */
export const followKeys = subscribe(keysChanging, async (tx, { groupId, before, after }) => {
  for (const cluster of await clustersIn(tx, groupId)) {
    const provider = keyProviderOf(cluster);
    if (provider === undefined || cluster.state === 'DELETING') continue;
    const key = after.get(provider);
    if (key === undefined) throw encryptionFaults.CANNOT_DISABLE_ENCRYPTION_AT_REST(cluster.name, provider);
    if (key !== before.get(provider)) await enqueueWork(tx, APPLY, cluster, {});
  }
});
