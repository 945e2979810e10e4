import { countOf, type Topic, type Tx } from '../../store/index.ts';
import { projectCounters } from '../projects/index.ts';
import {
  type ContainerRow,
  containersOf,
  insertContainer,
  privateIpMode,
  saveCustomDns,
  savePrivateIpMode,
} from './rows.ts';
import { blockOf, networkFaults } from './rules.ts';

type Place = Pick<ContainerRow, 'provider' | 'region'>;

/** Makes the networks that nodes at these places need and the project does not have yet. */
export async function ensureContainers(tx: Tx, groupId: string, places: readonly Place[]): Promise<void> {
  const there = await containersOf(tx, groupId);
  for (const { provider, region: named } of places) {
    const region = provider === 'GCP' ? '' : named;
    if (there.some((row) => row.provider === provider && row.region === region)) continue;
    const row = { id: tx.id(), groupId, provider, region, cidr: blockOf(there.length) };
    await insertContainer(tx, row);
    there.push(row);
  }
}

/** Switches private IP mode off, or on while the project holds no cluster. */
export async function switchPrivateIpMode(tx: Tx, groupId: string, enabled: boolean): Promise<void> {
  const clusters = await countOf(tx, projectCounters.clusters, groupId);
  if (enabled && clusters > 0 && !(await privateIpMode(tx, groupId))) {
    throw networkFaults.CANNOT_UPDATE_PRIVATE_IP_MODE(groupId);
  }
  await savePrivateIpMode(tx, groupId, enabled);
}

/** Clusters at AWS get names for DNS servers of their own, or lose them. */
export const customDnsChanged: Topic<{ readonly groupId: string; readonly enabled: boolean }> = {
  name: 'custom DNS changed',
};

export async function switchCustomDns(tx: Tx, groupId: string, enabled: boolean): Promise<void> {
  await saveCustomDns(tx, groupId, enabled);
  await tx.publish(customDnsChanged, { groupId, enabled });
}
