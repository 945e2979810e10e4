import { canonicalBlock } from '../../access/index.ts';
import { badValue, generalFaults } from '../../api/faults.ts';
import type { ReadTx } from '../../store/index.ts';
import { clustersIn } from '../clusters/index.ts';
import { type ContainerRow, findContainer, networkFaults, overlaps } from '../networks/index.ts';
import { peeringFaults } from './faults.ts';
import { type PeerRow, peersOf } from './rows.ts';
import type { PeerSettings } from './schema.ts';

const PRIVATE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'];
/** Shortest and longest prefix lengths of blocks. */
const prefixes = { AWS: [21, 24], AZURE: [21, 24], GCP: [8, 18] } as const;

/** The longest prefix of a block for one region of GCP. Each doubling of the number of regions needs one more bit. */
const LONGEST_OF_REGION = 22;

/**
 * Returns the canonical form of a network's block. Throws for an invalid block. A network at GCP can be limited to
 * `regions`, and then needs fewer addresses.
 */
export function readBlock(
  text: string,
  provider: ContainerRow['provider'],
  regions: readonly string[] = [],
): string {
  const field = 'platformCidrBlock';
  const block = canonicalBlock(text);
  if (block === undefined || block.includes(':')) throw generalFaults.INVALID_CIDR_BLOCK(text).at(field);
  const prefix = Number(block.split('/')[1]);
  const [shortest, usual] = prefixes[provider];
  const limited = LONGEST_OF_REGION - Math.ceil(Math.log2(regions.length || 1));
  const longest = regions.length > 0 ? Math.max(usual, limited) : usual;
  if (prefix < shortest || prefix > longest)
    throw badValue(field, `must have a prefix from /${shortest} to /${longest}`);
  if (!PRIVATE.some((range) => prefix >= Number(range.split('/')[1]) && overlaps(range, block)))
    throw badValue(field, `must lie in one of the private ranges ${PRIVATE.join(', ')}`);
  return block;
}

export async function requireContainer(
  tx: ReadTx,
  { groupId, containerId }: { groupId: string; containerId: string },
): Promise<ContainerRow> {
  const row = await findContainer(tx, groupId, containerId);
  if (!row) throw networkFaults.CLOUD_PROVIDER_CONTAINER_NOT_FOUND(containerId);
  return row;
}

export async function requirePeer(
  tx: ReadTx,
  { groupId, peerId }: { groupId: string; peerId: string },
): Promise<PeerRow> {
  const row = (await peersOf(tx, groupId)).find(({ id }) => id === peerId);
  if (!row) throw peeringFaults.PEER_NOT_FOUND(peerId, groupId);
  return row;
}

/** Returns a function that tells whether a network of a project contains nodes of clusters. */
export async function usedNetworks(
  tx: ReadTx,
  groupId: string,
): Promise<(container: ContainerRow) => boolean> {
  const clusters = (await clustersIn(tx, groupId)).filter(({ spec }) => !spec.tenant);
  const places = clusters.flatMap(({ spec }) => spec.zones.flatMap(({ regions }) => regions));
  return ({ provider, region }) =>
    places.some((place) => place.provider === provider && (region === '' || place.region === region));
}

export async function checkUnused(tx: ReadTx, container: ContainerRow): Promise<void> {
  const isUsed = await usedNetworks(tx, container.groupId);
  if (isUsed(container)) throw peeringFaults.CONTAINERS_IN_USE('clusters have nodes in it');
  const peers = await peersOf(tx, container.groupId);
  if (peers.some(({ containerId }) => containerId === container.id))
    throw peeringFaults.CONTAINERS_IN_USE('it has peering connections');
}

/** Maximum number of peering connections of a project. Each new one is compared with all others. */
const MAX_PEERS = 100;

/** Throws if a project has the maximum number of peering connections. */
export function checkPeers(peers: readonly PeerRow[]): void {
  if (peers.length >= MAX_PEERS) throw peeringFaults.PEERS_LIMIT_EXCEEDED(MAX_PEERS);
}

const required: Readonly<Record<PeerRow['provider'], readonly (keyof PeerSettings)[]>> = {
  AWS: ['accepterRegionName', 'awsAccountId', 'routeTableCidrBlock', 'vpcId'],
  AZURE: ['azureDirectoryId', 'azureSubscriptionId', 'resourceGroupName', 'vnetName'],
  GCP: ['gcpProjectId', 'networkName'],
};

/**
 * Checks a connection before it is stored. `peers` are the project's connections, `networks` its networks.
 */
export function checkPeer(
  { provider, settings, id }: PeerRow,
  peers: readonly PeerRow[],
  networks: readonly ContainerRow[],
): void {
  for (const name of required[provider])
    if (settings[name] === undefined) throw generalFaults.MISSING_ATTRIBUTE(name).at(name);
  const others = peers.filter((peer) => peer.id !== id && peer.provider === provider);
  const named = required[provider].filter((name) => name !== 'routeTableCidrBlock');
  if (others.some((peer) => named.every((name) => peer.settings[name] === settings[name])))
    throw peeringFaults.PEER_ALREADY_EXISTS();
  if (provider !== 'AWS') return;
  const text = settings.routeTableCidrBlock ?? '';
  const block = canonicalBlock(text);
  if (block === undefined || block.includes(':'))
    throw generalFaults.INVALID_CIDR_BLOCK(text).at('routeTableCidrBlock');
  if (networks.some(({ cidr }) => overlaps(cidr, block)))
    throw peeringFaults.OVERLAPPING_PLATFORM_CIDR_BLOCK(block);
  if (others.some((peer) => overlaps(peer.settings.routeTableCidrBlock ?? block, block)))
    throw peeringFaults.OVERLAPPING_CIDR_BLOCK(block);
}
