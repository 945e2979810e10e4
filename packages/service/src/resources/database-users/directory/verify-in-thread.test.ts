import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { customerCertificate } from '@portolan/test-support/customer-certificate';
import { verifyInThread } from './verify-in-thread.ts';

const LOOPBACK = '127.0.0.1';
const LIMIT_MS = 300_000;

/** The program of a thread with an LDAP server, which rejects every request and counts it in `seen`. */
const SERVER = `
const { parentPort, workerData } = require('node:worker_threads');
const { createServer } = require('node:tls');
const { cert, key, seen } = workerData;
const server = createServer({ cert, key }, (socket) => {
  socket.on('error', () => {});
  socket.on('data', () => {
    Atomics.add(seen, 0, 1);
    Atomics.notify(seen, 0);
    socket.destroy();
  });
});
server.listen(0, '${LOOPBACK}', () => parentPort.postMessage(server.address().port));
`;

test('the service continues while the certificates of a server are verified', async (t) => {
  const { authority, certificate, key } = await customerCertificate('CN=directory', [LOOPBACK]);
  const seen = new Int32Array(new SharedArrayBuffer(4));
  const workerData = { cert: certificate, key, seen };
  const server = new Worker(SERVER, { eval: true, workerData });
  t.after(() => server.terminate());
  const [port] = await once(server, 'message');
  const named = { hostname: LOOPBACK, port, bindUsername: 'cn=ada', caCertificate: authority };
  const verified = verifyInThread({ server: named, access: { password: 'secret', allowPrivate: true } });
  // This thread sleeps, so only another thread can connect to the server.
  assert.notEqual(Atomics.wait(seen, 0, 0, LIMIT_MS), 'timed-out');
  assert.deepEqual(await verified, [{ status: 'FAIL', validationType: 'CONNECT' }]);
});
