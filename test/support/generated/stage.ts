import type { Client } from '../client.ts';
import { expectStatus } from '../expect.ts';
import type { Setup } from '../setups.ts';
import { newOrganization } from '../stage.ts';
import { Pools } from './pools.ts';

/** A separate organization, in which requests may change anything. */
export interface Stage {
  readonly client: Client;
  readonly operator: Client;
  readonly pools: Pools;
  /** The caller's key, which requests must not delete. */
  readonly keyId: string;
}

/** Values that must be known in advance, since responses contain them only after a request has used them. */
export const knownValues = {
  instanceSizeName: ['M10', 'M20', 'M0', 'M30'],
  instanceSize: ['M10', 'M20', 'M0', 'M30'],
  providerName: ['AWS', 'AWS', 'GCP', 'TENANT'],
  backingProviderName: ['AWS'],
  regionName: ['US_EAST_1', 'EU_WEST_1'],
  electableNodes: [3],
  nodeCount: [3],
  priority: [7],
  numShards: [1, 2],
  replicationFactor: [3, 5],
  diskSizeGB: [10, 40],
  roleName: ['read', 'readWrite', 'readAnyDatabase'],
  databaseName: ['admin', '$external', 'harbour'],
  db: ['harbour', 'admin'],
  collection: ['ships', ''],
  cidrBlock: ['10.0.0.0/8', '192.168.7.0/24', '2001:db8::/32'],
  ipAddress: ['10.1.2.3', '192.0.2.7', '2001:db8::1'],
  entryValue: ['10.1.2.3', '10.0.0.0/8'],
  awsSecurityGroup: ['sg-0123456789abcdef0'],
  dbMajorVersion: ['7.0', '8.0'],
  key: ['US_EAST_1', 'environment'],
  limitName: ['platform.project.deployment.clusters', 'platform.project.security.networkAccess.entries'],
  secretExpiresAfterHours: [8, 720],
};

export async function newStage(setup: Setup): Promise<Stage> {
  const { id, key, keyId } = await newOrganization(setup, 'ORG_OWNER');
  const pools = new Pools(knownValues);
  pools.add('orgId', id);
  const body = { name: pools.fresh('project'), orgId: id };
  const project = expectStatus<{ id: string }>(await key.post('/groups', body), 200);
  pools.add('groupId', project.id);
  return { client: key, operator: setup.operator, pools, keyId };
}
