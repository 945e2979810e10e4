import type { Topic, Tx } from '../../store/index.ts';
import { type ContainerRow, containersOf, insertContainer, saveCustomDns } from './rows.ts';
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

/** Published when custom DNS for clusters at AWS is enabled or disabled. */
export const customDnsChanged: Topic<{ readonly groupId: string; readonly enabled: boolean }> = {
  name: 'custom DNS changed',
};

export async function switchCustomDns(tx: Tx, groupId: string, enabled: boolean): Promise<void> {
  await saveCustomDns(tx, groupId, enabled);
  await tx.publish(customDnsChanged, { groupId, enabled });
}
