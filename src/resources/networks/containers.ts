import type { Tx } from '../../store/index.ts';
import { type ContainerRow, containersOf, insertContainer } from './rows.ts';

type Place = Pick<ContainerRow, 'provider' | 'region'>;

/** Blocks are handed out downwards from here, 2,048 addresses each. */
const HIGHEST = 248;
const STEP = 8;

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

/** 32 of them in 192.168.0.0/16, then those of 10.0.0.0/8. */
function blockOf(index: number): string {
  const third = HIGHEST - STEP * (index % 32);
  return index < 32 ? `192.168.${third}.0/21` : `10.${Math.floor(index / 32) % 256}.${third}.0/21`;
}
