import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { machineClock } from '@portolan/foundation/clock';
import { silentLog } from '@portolan/foundation/log';
import { systemRandom } from '@portolan/foundation/random';
import { issueServerCertificate, makeAuthority } from '@portolan/foundation/tls/authority';
import type { Certificate } from '@portolan/foundation/tls/certificate';
import { clientOf } from '../client/call-client.ts';
import { connectToHost } from '../client/control-connection.ts';
import { type CallHandlers, call } from '../interface/call.ts';
import { listenForControl } from './control-server.ts';
import { PeerListener } from './peer-listener.ts';

const random = systemRandom();
const clock = machineClock();
const making = { now: Date.now(), random };
const table = { ping: call<() => string>()('host', 'value', { timeoutMs: 180_000 }) };
const calls: CallHandlers<typeof table> = { ping: () => 'pong' };
const settings = {
  dataDir: '/d',
  listen: '127.0.0.1',
  advertise: 'db.test',
  ports: { from: 1, to: 2, first: 1 },
  keyFolder: '/nowhere',
};

const peers = new PeerListener((at) =>
  listenForControl({ token: 'token', settings, table, calls, random, clock, log: silentLog() }, at),
);
let authority: Certificate;
let certificate: Certificate;

before(async () => {
  authority = await makeAuthority(making);
  certificate = await issueServerCertificate(authority, ['127.0.0.1'], making);
});
after(() => peers.close());

const connect = (port = 0, trusted = authority) =>
  connectToHost({ host: '127.0.0.1', port, token: 'token', authority: trusted.cert }, table, {
    random,
    clock,
  });

const listen = (port = 0, presented = certificate) =>
  peers.set({ host: '127.0.0.1', port, certificate: presented });

test('services that trust the authority call over TLS, others cannot', async () => {
  const port = await listen();
  const connection = await connect(port);
  assert.equal(await clientOf(table, connection).ping(), 'pong');
  await assert.rejects(connect(port, await makeAuthority(making)), { name: 'EngineUnavailable' });
  connection.close();
});

test('a new certificate closes no connection; clients reject a certificate with another name', async () => {
  const port = await listen();
  const before = await connect(port);
  const elsewhere = await issueServerCertificate(authority, ['elsewhere.test'], making);
  assert.equal(await listen(0, elsewhere), port);
  assert.equal(await clientOf(table, before).ping(), 'pong');
  await assert.rejects(connect(port), /altnames|does not match/i);
  before.close();
});

test('an invalid certificate changes nothing', async () => {
  const port = await listen();
  await assert.rejects(listen(0, { cert: 'paper', key: 'wood' }));
  (await connect(port)).close();
});

test('listens nowhere without an address', async () => {
  const port = await listen();
  assert.equal(await peers.set(undefined), undefined);
  await assert.rejects(connect(port), /ECONNREFUSED/);
});
