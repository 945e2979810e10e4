import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { type Client, digest } from './client.ts';
import type { KeyPair } from './digest.ts';
import { expectStatus, until } from './expect.ts';
import type { Setup } from './setups.ts';

/** Helpers that create what tests need. */

export interface ProjectDocument {
  readonly id: string;
  readonly name: string;
  readonly orgId: string;
}

export interface ClusterDocument {
  readonly id: string;
  readonly name: string;
  readonly stateName: string;
  readonly paused: boolean;
  readonly connectionStrings: { readonly standard?: string };
  readonly replicationSpecs: readonly object[];
}

export interface Link {
  readonly href: string;
  readonly rel: string;
}

export interface ListDocument<T = Record<string, unknown>> {
  readonly results: readonly T[];
  readonly totalCount?: number;
  readonly links: readonly Link[];
}

let made = 0;

/** Returns a name that no other test of this file uses. */
export function uniqueName(kind: string): string {
  return `${kind}-${++made}`;
}

/** Creates a project for a test. Returns its path. */
export async function newProject({ owner, bootstrap }: Setup, change: object = {}): Promise<string> {
  const body = { name: uniqueName('project'), orgId: bootstrap.orgId, ...change };
  const { id } = expectStatus<ProjectDocument>(await owner.post('/groups', body), 200);
  return `/groups/${id}`;
}

/** Returns the smallest body that creates a cluster, with these changes. */
export function clusterBody(name: string, change: object = {}) {
  const providerSettings = { providerName: 'AWS', instanceSizeName: 'M10', regionName: 'US_EAST_1' };
  return { name, providerSettings, ...change };
}

/** Returns a region in the contract's shape. */
export const nodes = (electableNodes: number, priority: number, more: object = {}) => ({
  analyticsNodes: 0,
  readOnlyNodes: 0,
  electableNodes,
  priority,
  ...more,
});

/**
 * Returns the body of a replica set in two regions, with its primary in the east. The arguments are the numbers of
 * nodes.
 */
export const twoRegions = (east: number, west: number) => ({
  clusterType: 'REPLICASET',
  providerSettings: { providerName: 'AWS', instanceSizeName: 'M10' },
  replicationSpecs: [
    {
      numShards: 1,
      regionsConfig: { US_EAST_1: nodes(east, 7), US_WEST_2: nodes(west, 6) },
      zoneName: 'Zone 1',
    },
  ],
  diskSizeGB: 10,
});

/** Waits until the cluster at a path is idle. Returns its document. */
export async function idle(client: Client, path: string): Promise<ClusterDocument> {
  const reply = await until(
    `${path} IDLE`,
    () => client.get(path),
    (answer) => answer.status !== 200 || answer.json().stateName === 'IDLE',
  );
  return expectStatus<ClusterDocument>(reply, 200);
}

/** Waits until the cluster at a path is removed. */
export async function gone(client: Client, path: string): Promise<void> {
  await until(
    `${path} gone`,
    () => client.get(path),
    (answer) => answer.status === 404,
  );
}

/** Creates a cluster, and waits until it is idle. Returns its path. */
export async function newCluster(setup: Setup, project: string, name: string, change = {}): Promise<string> {
  const body = clusterBody(name, change);
  expectStatus(await setup.owner.post(`${project}/clusters`, body), 201);
  await idle(setup.owner, `${project}/clusters/${name}`);
  return `${project}/clusters/${name}`;
}

/** Waits until all nodes of a cluster enforce the current users and addresses. */
export async function applied(client: Client, cluster: string): Promise<void> {
  await until(
    `${cluster} APPLIED`,
    () => client.get(`${cluster}/status`),
    (answer) => answer.json().changeStatus === 'APPLIED',
  );
}

/** Advances service time, and waits until every instance has noticed. Returns the new time in milliseconds. */
export async function moveClock({ operator, instances }: Setup, advanceSeconds: number): Promise<number> {
  const path = '/operator/v1/clock';
  const time = ({ now }: { readonly now: string }) => Date.parse(now);
  const moved = time(expectStatus<{ now: string }>(await operator.patch(path, { advanceSeconds }), 200));
  await until(
    'the same time at every instance',
    async () => {
      const read: number[] = [];
      // Ask once for each instance, since requests go to the instances in turn.
      for (const _ of instances)
        read.push(time(expectStatus<{ now: string }>(await operator.get(path), 200)));
      return read;
    },
    (read) => read.every((now) => now >= moved),
  );
  return moved;
}

/** An organization, and a key for it. */
export interface Organization {
  readonly id: string;
  readonly key: Client;
  readonly keyId: string;
  readonly pair: KeyPair;
}

/** Creates an organization, and a key with these roles in it. */
export async function newOrganization(setup: Setup, ...roles: string[]): Promise<Organization> {
  const owned = await ownOrganization(setup);
  if (isDeepStrictEqual(roles, ['ORG_OWNER'])) return owned;
  // Create the key beside the owner's, since an organization must have an owner.
  const made = await owned.key.post(`/orgs/${owned.id}/apiKeys`, { desc: roles.join(' and '), roles });
  const { id: keyId, publicKey, privateKey } = expectStatus<KeyPair & { id: string }>(made, 200);
  setup.keepOutOfLogs(privateKey);
  const pair = { publicKey, privateKey };
  return { id: owned.id, key: setup.clientWith(digest(pair)), keyId, pair };
}

async function ownOrganization(setup: Setup): Promise<Organization> {
  const body = { name: uniqueName('organization'), apiKey: { desc: 'the owner', roles: ['ORG_OWNER'] } };
  const created = expectStatus<{
    organization: { id: string };
    apiKey: KeyPair & { id: string };
  }>(await setup.owner.post('/orgs', body), 201);
  const { id, publicKey, privateKey } = created.apiKey;
  setup.keepOutOfLogs(privateKey);
  const pair = { publicKey, privateKey };
  return { id: created.organization.id, key: setup.clientWith(digest(pair)), keyId: id, pair };
}

/** Returns the last segment of a path. */
export function idIn(path: string): string {
  const id = path.slice(path.lastIndexOf('/') + 1);
  assert.match(id, /^[a-f0-9]{24}$/);
  return id;
}

/** Returns the links of a document that links only to itself, without origins. */
export const linksTo = (path: string): readonly Link[] => [{ href: `/api/service/v2${path}`, rel: 'self' }];

/** Removes the service's port from a document, since it differs in each run. */
export function withoutOrigins(document: unknown): unknown {
  return JSON.parse(JSON.stringify(document).replaceAll(/https?:\/\/127\.0\.0\.1:\d+/g, ''));
}
