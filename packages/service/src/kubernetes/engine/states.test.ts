import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubernetesObject } from './port.ts';
import { deploymentOf, type ResourceState, stateOf } from './states.ts';
import { wantedCluster } from './testing.ts';

const metadata = {
  ...{ name: 'harbour-a1b2c3', namespace: 'portolan-6b09fcbcd8f3f01d21dbe25c', generation: 2 },
};

const withStatus = (status: KubernetesObject['status'] | undefined): KubernetesObject => ({
  metadata,
  ...(status === undefined ? {} : { status }),
});

const unseen: ResourceState = {
  state: 'unseen',
  reason: 'the operator has not seen the last change of its resource',
};

const rows: readonly (readonly [string, KubernetesObject['status'] | undefined, ResourceState])[] = [
  ['no status', undefined, unseen],
  ['a status of an earlier generation', { state: 'ready', observedGeneration: 1 }, unseen],
  ['ready', { state: 'ready', observedGeneration: 2 }, { state: 'running' }],
  ['paused', { state: 'paused', observedGeneration: 2 }, { state: 'paused' }],
  [
    'an error, of which the operator does not record the generation',
    { state: 'error', observedGeneration: 1, message: 'Error: replset size must be odd' },
    { state: 'failed', reason: 'the operator reports an error: replset size must be odd' },
  ],
  [
    'an error of a replica set',
    {
      state: 'error',
      replsets: { rs0: { status: 'error', message: '0/3 nodes are available' } },
    },
    { state: 'failed', reason: 'the operator reports an error: 0/3 nodes are available' },
  ],
  [
    'missing nodes',
    {
      ...{ state: 'initializing', observedGeneration: 2 },
      replsets: { rs0: { size: 3, ready: 1, message: 'mongod: back-off pulling image; ' } },
      mongos: { size: 3, ready: 3 },
    },
    {
      state: 'waiting',
      reason:
        'the operator reports the state initializing; 1 of 3 nodes of rs0 are ready (mongod: back-off pulling image)',
    },
  ],
];

for (const [what, status, expected] of rows) {
  test(`the state of a resource follows its status: ${what}`, () => {
    assert.deepEqual(stateOf(withStatus(status)), expected);
  });
}

test('a resource that is being deleted does not run', () => {
  const object = { ...withStatus({ state: 'ready', observedGeneration: 2 }) };
  const deleted = { ...object, metadata: { ...metadata, deletionTimestamp: '2026-11-28T10:00:00Z' } };
  assert.deepEqual(stateOf(deleted), { state: 'waiting', reason: 'its resource is being deleted' });
});

test('members have the names of their pods, and Kubernetes has an SRV record for them', () => {
  const host = 'harbour-a1b2c3-rs0.portolan-6b09fcbcd8f3f01d21dbe25c.svc.cluster.local';
  const status = {
    ...{ state: 'ready', observedGeneration: 2, host, mongoVersion: '8.0.19-7' },
    replsets: {
      rs0: {
        ...{ size: 3, ready: 3 },
        members: {
          'harbour-a1b2c3-rs0-0': { stateStr: 'SECONDARY' },
          'harbour-a1b2c3-rs0-1': { stateStr: 'PRIMARY' },
        },
      },
    },
  };
  assert.deepEqual(deploymentOf(wantedCluster, withStatus(status), undefined), {
    id: wantedCluster.id,
    state: 'running',
    members: [0, 1, 2].map((index) => ({
      id: `shard-00-0${index}`,
      host: `harbour-a1b2c3-rs0-${index}.${host}`,
      port: 27017,
    })),
    accessRevision: 0,
    primaries: ['shard-00-01'],
    servers: { replicaSets: ['rs0'], tls: true, srvHost: host, version: '8.0.19' },
  });
});

test('exposed members have their external addresses', () => {
  const status = { state: 'ready', observedGeneration: 2, host: '192.0.2.1:27017,192.0.2.2:27017' };
  const addresses = new Map([0, 1, 2].map((index) => [`harbour-a1b2c3-rs0-${index}`, `192.0.2.${index}`]));
  const { members, servers } = deploymentOf(wantedCluster, withStatus(status), addresses);
  assert.deepEqual(
    members.map(({ host }) => host),
    ['192.0.2.0', '192.0.2.1', '192.0.2.2'],
  );
  assert.equal(servers?.srvHost, undefined);
});
