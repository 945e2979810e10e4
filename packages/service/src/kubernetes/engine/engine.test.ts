import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { AccessSpec, UserSpec } from '@portolan/engine/interface/engine';
import { NotYet } from '../../tasks/index.ts';
import type { kubernetesEngine } from './engine.ts';
import type { KubernetesObject } from './port.ts';
import { wantedCluster } from './testing.ts';
import { ID, opened, stored } from './testing-engine.ts';

const accessSpec: AccessSpec = { revision: 0, users: [], addresses: [] };
const spec = { id: ID } as Parameters<ReturnType<typeof kubernetesEngine>['provision']>[0];

const status = (change: object = {}) => ({ state: 'ready', observedGeneration: 1, ...change });

test('a cluster is provisioned when the operator reports it ready', async () => {
  const { engine, objects, change } = opened();
  assert.equal((await engine.provision(spec)).state, 'failed');
  assert.ok(objects.has('Namespace/portolan-6b09fcbcd8f3f01d21dbe25c'));
  await assert.rejects(
    engine.resume(ID),
    (error) => error instanceof NotYet && /has not seen/.test(error.message),
  );
  change({ status: status() });
  assert.equal((await engine.resume(ID)).state, 'running');
  await assert.rejects(engine.pause(ID), /reports that the cluster is running/);
  change({ status: status({ state: 'error', message: 'Error: no such image' }) });
  await assert.rejects(engine.resume(ID), {
    name: 'Error',
    message: 'the operator reports an error: no such image',
  });
});

test('tasks wait while the API is away, and fail if it refuses', async () => {
  const { engine, refuse } = opened();
  refuse(new Error('connect ECONNREFUSED'));
  await assert.rejects(engine.provision(spec), (error) => {
    assert.ok(error instanceof NotYet);
    assert.equal(error.message, 'the Kubernetes API does not respond: connect ECONNREFUSED');
    return true;
  });
  refuse(Object.assign(new Error('replsets: Required value'), { code: 422 }));
  await assert.rejects(engine.provision(spec), {
    name: 'Error',
    message: 'Kubernetes refuses the request: replsets: Required value',
  });
});

test('a resource that is being deleted is not written again', async () => {
  const { engine, resource, change } = opened();
  await engine.provision(spec);
  const { metadata } = resource();
  change({ metadata: { ...metadata, deletionTimestamp: '2025-04-01T00:00:00Z' } });
  await assert.rejects(
    engine.provision(spec),
    (error) => error instanceof NotYet && error.message === 'the resource is being deleted',
  );
});

test('a cluster that is deleted while its resource is written leaves none', async () => {
  for (const next of [undefined, { ...stored, isSettled: false, isDeleting: true }]) {
    const { engine, objects, state } = opened();
    const set = objects.set.bind(objects);
    objects.set = (key, object) => {
      if (object.kind === 'PerconaServerMongoDB') state.stored = next;
      return set(key, object);
    };
    await assert.rejects(engine.provision(spec), { message: 'the cluster is being deleted' });
    assert.ok(!objects.has('PerconaServerMongoDB/harbour-a1b2c3'));
  }
});

test('a cluster can be deleted when the definition of its resource is gone', async () => {
  const { engine, refuse } = opened();
  await engine.provision(spec);
  refuse(
    Object.assign(new Error('no such kind'), { code: 404, reason: 'KindMissing' }),
    'PerconaServerMongoDB',
  );
  await engine.remove(ID);
  await assert.rejects(engine.provision(spec), { message: 'Kubernetes refuses the request: no such kind' });
});

test('fields that the definition of an older operator lacks are an error', async () => {
  const { engine, state, prune } = opened();
  const [shard] = wantedCluster.shards;
  assert.ok(shard);
  const regions = [{ name: 'eu-west-1', electable: 3, readOnly: 0, analytics: 1 }];
  const wanted = { ...wantedCluster, shards: [{ ...shard, regions }] };
  state.stored = { ...stored, wanted, isSettled: false };
  prune('hidden');
  await assert.rejects(engine.provision(spec), {
    message: 'the installed operator does not have these fields: spec.replsets[0].hidden',
  });
});

test('after seconds without the API its clusters are in trouble', async () => {
  const { engine, change, lose, machine } = opened();
  await engine.provision(spec);
  change({ status: status() });
  assert.deepEqual(await engine.troubled(), []);
  lose('connect ECONNREFUSED');
  assert.deepEqual(await engine.troubled(), []);
  machine.advance(3_000);
  const message = 'the Kubernetes API does not respond: connect ECONNREFUSED';
  assert.deepEqual(await engine.troubled(), [{ id: ID, message }]);
  assert.equal((await engine.describe(ID))?.message, message);
});

test('missing resources and missing nodes are in trouble', async () => {
  const { engine, change } = opened();
  const [missing] = await engine.troubled();
  assert.match(
    missing?.message ?? '',
    /^the resource harbour-a1b2c3 in the namespace portolan-\w+ is missing$/,
  );
  await engine.provision(spec);
  change({ status: status({ state: 'initializing' }) });
  const [waiting] = await engine.troubled();
  assert.equal(waiting?.message, 'the operator reports the state initializing');
});

test('changes by others are found unless the cluster itself is being changed', async () => {
  const { engine, resource, change, state, changed } = opened();
  await engine.provision(spec);
  assert.equal(await engine.foreignChange(ID), undefined);
  const managedFields = [{ manager: 'kubectl-edit', fieldsV1: { 'f:spec': { 'f:pause': {} } } }];
  const { metadata, spec: before } = resource();
  state.stored = { ...stored, isSettled: false };
  change({ spec: { ...before, pause: true }, metadata: { ...metadata, managedFields } });
  assert.equal(await engine.foreignChange(ID), undefined);
  state.stored = stored;
  assert.deepEqual(await engine.foreignChange(ID), { fields: ['spec.pause'], managers: ['kubectl-edit'] });
  await engine.putBack(ID);
  assert.equal(resource().spec?.pause, false);
  await engine.close();
  assert.ok(changed.every((id) => id === ID));
});

test('exposed clusters wait for the addresses of their services', async () => {
  const { engine, change, objects } = opened({ expose: 'LoadBalancer' });
  await engine.provision(spec);
  change({ status: status() });
  await assert.rejects(engine.resume(ID), /the service harbour-a1b2c3-rs0-0 has no external address/);
  for (const index of [0, 1, 2]) {
    const loadBalancer = { ingress: [{ ip: `192.0.2.${index}` }] };
    objects.set(`Service/harbour-a1b2c3-rs0-${index}`, { status: { loadBalancer } });
  }
  const { members } = await engine.resume(ID);
  assert.deepEqual(
    members.map(({ host }) => host),
    ['192.0.2.0', '192.0.2.1', '192.0.2.2'],
  );
});

for (const [deletesVolumes, finalizers] of [
  [false, ['percona.com/delete-psmdb-pods-in-order']],
  [true, ['percona.com/delete-psmdb-pods-in-order', 'percona.com/delete-psmdb-pvc']],
] as const) {
  test(`a deletion ${deletesVolumes ? 'deletes' : 'keeps'} the volumes`, async () => {
    const { engine, objects, resource } = opened({ deletesVolumes });
    await engine.provision(spec);
    let last: KubernetesObject | undefined;
    const remove = objects.delete.bind(objects);
    objects.delete = (key) => {
      if (key.startsWith('PerconaServerMongoDB/')) last = resource();
      return remove(key);
    };
    await assert.rejects(engine.remove(ID), /the operator is deleting the nodes/);
    assert.deepEqual(last?.metadata?.finalizers, finalizers);
    await engine.remove(ID);
  });
}

const user: UserSpec = {
  ...{ username: 'pilot', database: 'admin', scram: {}, password: { text: 'two bells', version: 'v1' } },
  roles: [{ role: 'readWrite', database: 'harbour' }],
};

test('users and roles are written, and have their revision when the operator has seen them', async () => {
  const { engine, resource, change, state, objects } = opened();
  await engine.provision(spec);
  change({ status: status() });
  state.access = { ...state.access, revision: 3, users: [user] };
  const before = await engine.setAccess(ID, accessSpec);
  assert.deepEqual([before.accessRevision, before.accessProblem], [0, null]);
  const [entry] = (resource().spec?.users ?? []) as { passwordSecretRef: { key: string } }[];
  assert.deepEqual(objects.get('Secret/harbour-a1b2c3-database-users'), {
    ...{ apiVersion: 'v1', kind: 'Secret' },
    metadata: {
      ...{ name: 'harbour-a1b2c3-database-users', namespace: resource().metadata?.namespace },
      ...{ labels: resource().metadata?.labels, generation: 1, uid: 'u' },
    },
    data: { [entry?.passwordSecretRef.key ?? '']: Buffer.from('two bells').toString('base64') },
  });
  change({ status: status({ observedGeneration: 2 }) });
  assert.equal((await engine.setAccess(ID, accessSpec)).accessRevision, 3);
  change({ status: status({ state: 'initializing', observedGeneration: 2 }) });
  assert.equal((await engine.setAccess(ID, accessSpec)).accessRevision, 0);
});

test('users that the operator cannot create are reported', async () => {
  const { engine, state } = opened();
  await engine.provision(spec);
  state.access = { ...state.access, revision: 1, users: [{ ...user, username: 'backup' }] };
  assert.equal(
    (await engine.setAccess(ID, accessSpec)).accessProblem,
    'backup: the Percona operator has a user with this name',
  );
});

test('changes of users by others are found unless the users themselves are being changed', async () => {
  const { engine, resource, change, state, changed } = opened();
  state.access = { ...state.access, revision: 1, users: [user] };
  await engine.provision(spec);
  change({ status: status(), spec: { ...resource().spec, users: [] } });
  assert.equal(await engine.foreignChange(ID), undefined);
  state.stored = { ...stored, accessRevision: 1 };
  assert.deepEqual((await engine.foreignChange(ID))?.fields, ['spec.users']);
  await engine.putBack(ID);
  assert.equal(await engine.foreignChange(ID), undefined);
  await engine.close();
  assert.ok(changed.length > 0);
});

test('a deletion deletes the passwords after the nodes', async () => {
  const { engine, state, objects } = opened();
  state.access = { ...state.access, users: [user] };
  await engine.provision(spec);
  await assert.rejects(engine.remove(ID), /the operator is deleting the nodes/);
  assert.ok(objects.has('Secret/harbour-a1b2c3-database-users'));
  await engine.remove(ID);
  assert.ok(!objects.has('Secret/harbour-a1b2c3-database-users'));
});

test('a change that the watch reports during a comparison is compared, too', async () => {
  const { engine, change, state, changed } = opened();
  await engine.provision(spec);
  // The servers lack the newest users, but the operator has not seen the resource yet.
  const access = { ...state.access, revision: 1 };
  let isReported = false;
  Object.defineProperty(state, 'access', {
    get() {
      if (!isReported) {
        isReported = true;
        change({ status: status() });
      }
      return access;
    },
  });
  change({});
  for (let turn = 0; turn < 100 && changed.length === 0; turn++) await setImmediate();
  assert.deepEqual(changed, [ID]);
});
