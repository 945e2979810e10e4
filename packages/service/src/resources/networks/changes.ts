import { countOf, type Topic, type Tx } from '../../store/index.ts';
import { projectCounters } from '../projects/index.ts';
import { networkFaults } from './faults.ts';
import {
  type ContainerRow,
  containersOf,
  insertContainer,
  privateIpMode,
  saveCustomDns,
  savePrivateIpMode,
} from './rows.ts';
import { blockOf, overlaps } from './rules.ts';

type NetworkLocation = Pick<ContainerRow, 'provider' | 'region'>;

/** Creates the networks that a project still needs for nodes in these regions. */
export async function ensureContainers(
  tx: Tx,
  groupId: string,
  locations: readonly NetworkLocation[],
): Promise<void> {
  const existing = await containersOf(tx, groupId);
  for (const { provider, region: named } of locations) {
    const region = provider === 'GCP' ? '' : named;
    if (existing.some((row) => row.provider === provider && row.region === region)) continue;
    const row = { id: tx.id(), groupId, provider, region, cidr: freeBlock(existing) };
    await insertContainer(tx, row);
    existing.push(row);
  }
}

/**
 * Returns a default block that overlaps no network of the project. The search skips one block for each
 * existing network. It checks each block, because callers can also choose blocks.
 */
function freeBlock(existing: readonly ContainerRow[]): string {
  for (let index = existing.length; ; index += 1) {
    const block = blockOf(index);
    if (existing.every(({ cidr }) => !overlaps(cidr, block))) return block;
  }
}

/** Enables or disables private IP mode. Throws if it would be enabled in a project with clusters. */
export async function switchPrivateIpMode(tx: Tx, groupId: string, enabled: boolean): Promise<void> {
  const clusters = await countOf(tx, projectCounters.clusters, groupId);
  if (enabled && clusters > 0 && !(await privateIpMode(tx, groupId))) {
    throw networkFaults.CANNOT_UPDATE_PRIVATE_IP_MODE(groupId);
  }
  await savePrivateIpMode(tx, groupId, enabled);
}

/** Published when custom DNS for clusters at AWS is enabled or disabled. */
export const customDnsChanged: Topic<{ readonly groupId: string; readonly enabled: boolean }> = {
  name: 'custom DNS changed',
};

export async function switchCustomDns(tx: Tx, groupId: string, enabled: boolean): Promise<void> {
  await saveCustomDns(tx, groupId, enabled);
  await tx.publish(customDnsChanged, { groupId, enabled });
}
