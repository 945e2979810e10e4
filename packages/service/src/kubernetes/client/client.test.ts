import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { machineClock } from '@portolan/foundation/clock';
import { APPLY, openGround } from '@portolan/test-support/kubernetes/ground';
import { scopeOf } from '@portolan/test-support/service';
import { openKubernetes } from './open.ts';
import { cluster, rejection, Seen } from './testing.ts';

/** These tests also run against a real API server: `npm run suites -- kubernetes`. */
const ground = openGround(scopeOf({ after }));
const opened = ground.then(({ kubeconfigs }) => openKubernetes(kubeconfigs.service, machineClock()));

test('an applied object has the fields of the last application', async () => {
  const api = await opened;
  const { namespace } = await ground;
  const first = await api.apply(cluster(namespace, 'quay', { pause: true, crVersion: '1.22.0' }));
  assert.deepEqual(
    first.metadata?.managedFields?.map(({ manager, operation }) => [manager, operation]),
    [['portolan', 'Apply']],
  );
  const same = await api.apply(cluster(namespace, 'quay', { pause: true, crVersion: '1.22.0' }));
  assert.equal(same.metadata?.resourceVersion, first.metadata?.resourceVersion);
  const second = await api.apply(cluster(namespace, 'quay', { pause: false }));
  const read = await api.get('PerconaServerMongoDB', namespace, 'quay');
  assert.deepEqual(read, second);
  assert.deepEqual([read?.spec?.pause, read?.spec?.crVersion], [false, undefined]);
  assert.deepEqual([first.metadata?.generation, read?.metadata?.generation], [1, 2]);
  assert.equal(await api.get('PerconaServerMongoDB', namespace, 'absent'), undefined);
});

test('an application takes its fields back from other managers, and leaves theirs', async () => {
  const api = await opened;
  const { namespace, call } = await ground;
  const given = cluster(namespace, 'pier', { pause: false });
  await api.apply(given);
  const path = `/apis/psmdb.percona.com/v1/namespaces/${namespace}/perconaservermongodbs/pier`;
  const change = { spec: { pause: true, updateStrategy: 'OnDelete' } };
  assert.equal((await call('PATCH', `${path}?fieldManager=editor`, change)).status, 200);
  const refused = await call('PATCH', `${path}?fieldManager=another`, given, APPLY);
  const [cause] = refused.body.details?.causes ?? [];
  assert.deepEqual([refused.status, refused.body.reason, cause?.field], [409, 'Conflict', '.spec.pause']);
  assert.match(cause?.message ?? '', /^conflict with "editor" using psmdb\.percona\.com\/v1/);
  const back = await api.apply(given);
  assert.deepEqual([back.spec?.pause, back.spec?.updateStrategy], [false, 'OnDelete']);
});

test('a status neither changes the generation nor belongs to the application', async () => {
  const api = await opened;
  const { namespace, call } = await ground;
  const given = cluster(namespace, 'mole');
  const before = await api.apply(given);
  const path = `/apis/psmdb.percona.com/v1/namespaces/${namespace}/perconaservermongodbs/mole/status`;
  const status = { state: 'ready', ready: 3, size: 3 };
  const change = { status, spec: { pause: true } };
  const reply = await call('PATCH', `${path}?fieldManager=operator`, change);
  assert.equal(reply.status, 200);
  const later = await api.apply({ ...given, status: { state: 'error' } });
  assert.deepEqual([later.status, later.spec?.pause, later.metadata?.generation], [status, undefined, 1]);
  assert.notEqual(later.metadata?.resourceVersion, before.metadata?.resourceVersion);
  const managers = later.metadata?.managedFields?.map(({ manager, subresource }) => [manager, subresource]);
  assert.deepEqual(managers?.sort(), [
    ['operator', 'status'],
    ['portolan', undefined],
  ]);
});

test('a deleted object stays until its finalizers are removed', async () => {
  const api = await opened;
  const { namespace, call } = await ground;
  await api.apply(cluster(namespace, 'dock', {}, ['percona.com/delete-psmdb-pods-in-order']));
  const find = () => api.get('PerconaServerMongoDB', namespace, 'dock');
  await api.delete('PerconaServerMongoDB', namespace, 'dock');
  const deleting = await find();
  assert.notEqual(deleting?.metadata?.deletionTimestamp, undefined);
  await api.delete('PerconaServerMongoDB', namespace, 'dock');
  assert.deepEqual(await find(), deleting);
  const path = `/apis/psmdb.percona.com/v1/namespaces/${namespace}/perconaservermongodbs/dock`;
  await call('PATCH', path, { metadata: { finalizers: null } });
  assert.equal(await find(), undefined);
  await api.delete('PerconaServerMongoDB', namespace, 'dock');
});

test('objects of all namespaces are listed by their labels', async () => {
  const api = await opened;
  const { namespace } = await ground;
  const listed = (name: string, deck: string) => ({
    ...{ apiVersion: 'psmdb.percona.com/v1', kind: 'PerconaServerMongoDBBackup' },
    metadata: { name, namespace, labels: { deck } },
    spec: { clusterName: 'wharf', storageName: 'portolan' },
  });
  for (const [name, deck] of [
    ['log-1', 'upper'],
    ['log-2', 'lower'],
    ['log-3', 'upper'],
  ] as const)
    await api.apply(listed(name, deck));
  const found = await api.list('PerconaServerMongoDBBackup', 'deck=upper');
  assert.deepEqual(found.map(({ metadata }) => metadata?.name).sort(), ['log-1', 'log-3']);
  for (const name of ['log-1', 'log-2', 'log-3'])
    await api.delete('PerconaServerMongoDBBackup', namespace, name);
  assert.deepEqual(await api.list('PerconaServerMongoDBBackup', 'deck=upper'), []);
});

test('errors have the status and the message of the API', async () => {
  const api = await opened;
  const { namespace, kubeconfigs } = await ground;
  const given = cluster(namespace, 'buoy');
  const { metadata } = await api.apply(given);
  await api.apply(cluster(namespace, 'buoy', { pause: true }));
  const past = { ...given, metadata: { ...given.metadata, resourceVersion: metadata?.resourceVersion } };
  const stranger = await openKubernetes(kubeconfigs.stranger, machineClock());
  const unknown = await openKubernetes(kubeconfigs.unknown, machineClock());
  const refusals = [
    await rejection(api.apply(past as typeof given)),
    await rejection(api.apply(cluster(namespace, 'not_a_name'))),
    await rejection(api.apply(cluster('absent', 'buoy'))),
    await rejection(stranger.apply(given)),
    await rejection(unknown.apply(given)),
  ];
  assert.deepEqual(
    refusals.map(({ code, reason }) => [code, reason]),
    [
      [409, 'Conflict'],
      [422, 'Invalid'],
      [404, 'NotFound'],
      [403, 'Forbidden'],
      [401, 'Unauthorized'],
    ],
  );
});

test('a watch reports objects that exist, changes and deletions of objects with its labels', async () => {
  const api = await opened;
  const { namespace } = await ground;
  await api.apply(cluster(namespace, 'wharf', {}, [], { side: 'east' }));
  await api.apply(cluster(namespace, 'slip', {}, [], { side: 'west' }));
  const seen = new Seen();
  const watch = api.watch('PerconaServerMongoDB', seen, { labelSelector: 'side=east' });
  await seen.reaches(['wharf 1', 'connected']);
  await api.apply(cluster(namespace, 'wharf', { pause: true }, [], { side: 'east' }));
  await seen.reaches(['wharf 2']);
  await api.apply(cluster(namespace, 'slip', { pause: true }, [], { side: 'west' }));
  await api.delete('PerconaServerMongoDB', namespace, 'wharf');
  await seen.reaches(['gone wharf']);
  await watch.close();
  assert.deepEqual(seen.all, ['wharf 1', 'connected', 'wharf 2', 'gone wharf']);
});
