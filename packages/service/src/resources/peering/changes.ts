import { isDeepStrictEqual } from 'node:util';
import { generalFaults } from '../../api/faults.ts';
import type { Actor } from '../../events/index.ts';
import { subscribe, type Tx } from '../../store/index.ts';
import { clusterChanging, clusterFaults, isRegion } from '../clusters/index.ts';
import {
  type ContainerRow,
  containersOf,
  deleteContainer,
  insertContainer,
  overlaps,
  updateContainer,
} from '../networks/index.ts';
import { recordInProject } from '../projects/index.ts';
import { peeringFaults } from './faults.ts';
import { deletePeer, insertPeer, type PeerRow, peersOf, updatePeer } from './rows.ts';
import { checkPeer, checkPeers, checkUnused, readBlock, requireContainer } from './rules.ts';
import {
  type ContainerUpdate,
  type NewContainer,
  type NewPeer,
  type PeerSettings,
  settingNames,
} from './schema.ts';

export async function addContainer(tx: Tx, groupId: string, body: NewContainer): Promise<ContainerRow> {
  const provider = body.providerName ?? 'AWS';
  const regions = regionsOf(body, provider);
  const row: ContainerRow = {
    id: tx.id(),
    groupId,
    provider,
    region: regionOf(body, provider),
    cidr: readBlock(body.platformCidrBlock, provider, regions),
    regions,
  };
  const existing = await containersOf(tx, groupId);
  if (existing.some((other) => other.provider === provider && other.region === row.region))
    throw peeringFaults.CONTAINER_ALREADY_EXISTS(groupId);
  checkOverlap(row, existing);
  await insertContainer(tx, row);
  return row;
}

/**
 * Changes the block, the region, or the regions at GCP of a network. Throws for a network in use, unless the body
 * repeats the present values.
 */
export async function changeContainer(
  tx: Tx,
  before: ContainerRow,
  body: ContainerUpdate,
): Promise<ContainerRow> {
  const { provider, groupId } = before;
  const regions = regionsOf(body, provider) ?? before.regions;
  const namesRegion = (body.regionName ?? body.region) !== undefined;
  const row: ContainerRow = {
    ...before,
    region: namesRegion ? regionOf(body, provider) : before.region,
    cidr:
      body.platformCidrBlock === undefined
        ? before.cidr
        : readBlock(body.platformCidrBlock, provider, regions),
    regions,
  };
  if (isDeepStrictEqual(settingsOf(row), settingsOf(before))) return before;
  await checkUnused(tx, before);
  const others = (await containersOf(tx, groupId)).filter(({ id }) => id !== row.id);
  if (others.some((other) => other.provider === provider && other.region === row.region))
    throw peeringFaults.CONTAINER_ALREADY_EXISTS(groupId);
  checkOverlap(row, others);
  await updateContainer(tx, row);
  return row;
}

const settingsOf = ({ region, cidr, regions = [] }: ContainerRow) => ({ region, cidr, regions });

export async function removeContainer(tx: Tx, row: ContainerRow): Promise<void> {
  await checkUnused(tx, row);
  await deleteContainer(tx, row.id);
}

function checkOverlap({ cidr }: ContainerRow, others: readonly ContainerRow[]): void {
  if (others.some((other) => overlaps(other.cidr, cidr)))
    throw peeringFaults.OVERLAPPING_PLATFORM_CIDR_BLOCK(cidr);
}

type Regions = Pick<ContainerUpdate, 'region' | 'regionName' | 'regions'>;

function regionOf({ region, regionName }: Regions, provider: ContainerRow['provider']): string {
  if (provider === 'GCP') return '';
  const field = provider === 'AZURE' ? 'region' : 'regionName';
  const name = regionName ?? region;
  if (name === undefined) throw generalFaults.MISSING_ATTRIBUTE(field).at(field);
  if (!isRegion(provider, name)) throw clusterFaults.INVALID_REGION(name, provider);
  return name;
}

function regionsOf({ regions }: Regions, provider: ContainerRow['provider']): readonly string[] | undefined {
  if (provider !== 'GCP' || regions === undefined || regions.length === 0) return undefined;
  for (const name of regions) if (!isRegion('GCP', name)) throw clusterFaults.INVALID_REGION(name, 'GCP');
  return regions;
}

/** Rejects clusters at GCP outside the regions of the project's network. */
export const limitRegions = subscribe(clusterChanging, async (tx, change) => {
  if (change.kind !== 'create' && change.kind !== 'update') return;
  const { groupId, spec } = change.cluster;
  if (spec.tenant) return;
  const places = spec.zones.flatMap(({ regions }) => regions).filter(({ provider }) => provider === 'GCP');
  if (places.length === 0) return;
  const network = (await containersOf(tx, groupId)).find(({ provider }) => provider === 'GCP');
  for (const { region } of places)
    if (network?.regions?.includes(region) === false) throw clusterFaults.INVALID_REGION(region, 'GCP');
});

const eventPrefix = { AWS: '', AZURE: 'AZURE_', GCP: 'GCP_' } as const;

async function recordPeer(
  tx: Tx,
  { groupId, provider }: PeerRow,
  what: 'CREATED' | 'DELETED' | 'UPDATED',
  actor: Actor,
): Promise<void> {
  await recordInProject(tx, groupId, { type: `${eventPrefix[provider]}PEER_${what}`, actor });
}

const settingsIn = (body: Partial<NewPeer>): PeerSettings =>
  Object.fromEntries(settingNames.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])));

export async function addPeer(tx: Tx, groupId: string, body: NewPeer, actor: Actor): Promise<PeerRow> {
  const { containerId } = body;
  const { provider } = await requireContainer(tx, { groupId, containerId });
  const row: PeerRow = { id: tx.id(), groupId, containerId, provider, settings: settingsIn(body) };
  if ((body.providerName ?? 'AWS') !== provider)
    throw generalFaults.INVALID_ENUM_VALUE(body.providerName ?? 'AWS').at('providerName');
  const peers = await peersOf(tx, groupId);
  checkPeers(peers);
  checkPeer(row, peers, await containersOf(tx, groupId));
  await insertPeer(tx, row);
  await recordPeer(tx, row, 'CREATED', actor);
  return row;
}

export async function changePeer(tx: Tx, before: PeerRow, body: NewPeer, actor: Actor): Promise<PeerRow> {
  const { containerId, providerName = before.provider } = body;
  if (containerId !== before.containerId) throw generalFaults.ATTRIBUTE_READ_ONLY('containerId');
  if (providerName !== before.provider) throw generalFaults.ATTRIBUTE_READ_ONLY('providerName');
  const row: PeerRow = { ...before, settings: { ...before.settings, ...settingsIn(body) } };
  checkPeer(row, await peersOf(tx, row.groupId), await containersOf(tx, row.groupId));
  await updatePeer(tx, row);
  await recordPeer(tx, row, 'UPDATED', actor);
  return row;
}

export async function removePeer(tx: Tx, row: PeerRow, actor: Actor): Promise<void> {
  await deletePeer(tx, row.id);
  await recordPeer(tx, row, 'DELETED', actor);
}
