import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { machineClock } from '@portolan/foundation/clock';
import { testClock } from '@portolan/foundation/testing';
import { type ApiServer, startApiServer } from '@portolan/test-support/kubernetes/api-server';
import { scopeOf } from '@portolan/test-support/service';
import type { KubernetesApi } from '../engine/port.ts';
import { openKubernetes } from './open.ts';
import { cluster, Seen } from './testing.ts';

const NAMESPACE = 'harbour';

/** Begins a watch of a simulated API server with one object. */
async function watched(t: TestContext) {
  const scope = scopeOf(t);
  const server = await startApiServer(scope);
  const api = await openKubernetes(server.kubeconfig, machineClock());
  await api.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  await api.apply(cluster(NAMESPACE, 'quay'));
  const seen = new Seen();
  const watch = api.watch('PerconaServerMongoDB', seen);
  scope.after(() => watch.close());
  await seen.reaches(['quay 1', 'connected']);
  return { server, api, seen };
}

/** Returns the requests that list objects. Requests that only check whether the API responds are omitted. */
const listsOf = ({ requests }: ApiServer) =>
  requests.filter((one) => one === 'GET /apis/psmdb.percona.com/v1/perconaservermongodbs').length;

const found = (api: KubernetesApi, server: ApiServer, name: string) => {
  const object = server.resource(NAMESPACE, name);
  assert.ok(object, name);
  return { api, object };
};

test('an ended watch continues without another list', async (t) => {
  const { server, api, seen } = await watched(t);
  server.interrupt();
  await api.apply(cluster(NAMESPACE, 'quay', { pause: true }));
  await seen.reaches(['quay 2']);
  assert.deepEqual([seen.all, listsOf(server)], [['quay 1', 'connected', 'quay 2'], 1]);
});

test('a watch of a version that the API has forgotten lists again, and reports what is gone', async (t) => {
  const { server, api, seen } = await watched(t);
  await api.apply(cluster(NAMESPACE, 'pier'));
  await seen.reaches(['pier 1']);
  await server.stop();
  await seen.reaches(['lost']);
  server.change(found(api, server, 'pier').object, { spec: { pause: true } }, 'editor');
  server.delete(found(api, server, 'quay').object);
  server.compact();
  await server.start();
  await seen.reaches(['gone quay', 'pier 2', 'connected']);
});

test('bookmarks keep a watch of objects that do not change from listing again', async (t) => {
  const { server, api, seen } = await watched(t);
  server.bookmark();
  // When the watch reports this event, it has also processed the earlier bookmark.
  await api.apply(cluster(NAMESPACE, 'quay', { pause: true }));
  await seen.reaches(['quay 2']);
  server.bookmark();
  server.compact();
  await api.apply(cluster(NAMESPACE, 'quay', { pause: false }));
  await seen.reaches(['quay 3']);
  server.interrupt();
  await api.apply(cluster(NAMESPACE, 'quay', { pause: true }));
  await seen.reaches(['quay 4']);
  assert.deepEqual([seen.all.includes('lost'), listsOf(server)], [false, 1]);
});

test('a watch that the API does not answer ends at once when it is closed', async (t) => {
  const scope = scopeOf(t);
  const server = await startApiServer(scope);
  const api = await openKubernetes(server.kubeconfig, machineClock());
  server.freeze(true);
  const watch = api.watch('PerconaServerMongoDB', new Seen());
  await watch.close();
});

test('a request without a reply ends after thirty seconds', async (t) => {
  const scope = scopeOf(t);
  const server = await startApiServer(scope);
  const machine = testClock();
  const api = await openKubernetes(server.kubeconfig, machine);
  server.freeze(true);
  const reading = api.get('PerconaServerMongoDB', NAMESPACE, 'quay');
  machine.advance(30_000);
  await assert.rejects(reading, { message: 'no reply within 30 seconds' });
});

test('a closed client ends requests to which a frozen server does not reply', async (t) => {
  const scope = scopeOf(t);
  const server = await startApiServer(scope);
  const api = await openKubernetes(server.kubeconfig, machineClock());
  server.freeze(true);
  const request = api.get('PerconaServerMongoDB', NAMESPACE, 'quay');
  const ended = assert.rejects(request, /the client was closed/);
  api.close();
  await ended;
});
