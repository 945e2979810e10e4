import assert from 'node:assert/strict';
import { test } from 'node:test';
import { machineClock } from '@portolan/foundation/clock';
import { systemRandom } from '@portolan/foundation/random';
import {
  issueClientCertificate,
  issueServerCertificate,
  makeAuthority,
} from '@portolan/foundation/tls/authority';
import { startApiServer } from '@portolan/test-support/kubernetes/api-server';
import { scopeOf } from '@portolan/test-support/service';
import { openKubernetes } from './open.ts';
import { rejection } from './testing.ts';

const HOUR_MS = 3_600_000;

test('a kubeconfig file can name an authority and a client certificate', async (t) => {
  const machine = machineClock();
  const making = { now: machine.now(), random: systemRandom() };
  const [authority, other] = await Promise.all([makeAuthority(making), makeAuthority(making)]);
  const tls = await issueServerCertificate(authority, ['127.0.0.1'], making);
  const client = {
    ...{ subject: [['CN', 'pilot']] as const, serialNumber: '01', uri: 'urn:pilot' },
    notAfter: new Date(machine.now() + HOUR_MS),
  };
  const user = await issueClientCertificate(authority, client, making);
  const server = await startApiServer(scopeOf(t), { tls: { ...tls, ca: authority.cert } });
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'harbour' } };
  const open = async (file: string) => (await openKubernetes(file, machine)).apply(namespace);

  const withToken = await open(server.kubeconfig);
  const access = { user: { certificate: user.cert, key: user.key } };
  const withCertificate = await open(await server.kubeconfigFor(access));
  assert.equal(withCertificate.metadata?.uid, withToken.metadata?.uid);
  const distrusting = await server.kubeconfigFor({ ...access, authority: other.cert });
  const refused = await rejection(open(distrusting));
  assert.equal(refused.code, undefined, 'not a reply of the API');
  assert.match(refused.message, /certificate/);
});

test('outside a pod and without a file, the client says what is missing', async () => {
  await assert.rejects(openKubernetes(undefined, machineClock()), {
    message: 'this is not a pod: the variable KUBERNETES_SERVICE_HOST is not set',
  });
});
