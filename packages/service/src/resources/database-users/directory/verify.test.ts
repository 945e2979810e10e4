import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createServer, type TLSSocket } from 'node:tls';
import { customerCertificate } from '@portolan/test-support/customer-certificate';
import { readQuery, verifyDirectory } from './verify.ts';

const DN = 'cn=Ada (Countess),dc=example,dc=org';

test('a query has a base, attributes, a scope and a filter', () => {
  const limits = { sizeLimit: 1, timeLimit: 10, returnAttributeValues: false };
  assert.deepEqual(readQuery('{USER}?memberOf?base', DN), {
    base: DN,
    options: { scope: 'base', attributes: ['memberOf'], ...limits },
  });
  assert.deepEqual(readQuery('dc=example,dc=org??sub?(&(objectClass=group)(member={USER}))', DN), {
    base: 'dc=example,dc=org',
    options: {
      scope: 'sub',
      filter: '(&(objectClass=group)(member=cn=Ada \\28Countess\\29,dc=example,dc=org))',
      ...limits,
    },
  });
});

test('queries that RFC 4516 does not allow are rejected', () => {
  for (const query of [
    '',
    '?cn?base',
    'dc=org??deep',
    'dc=org??toString',
    'dc=org??sub?cn=a',
    'dc=org?a?one?(a=b)?c',
  ])
    assert.equal(readQuery(query, DN), undefined, query);
});

const LOOPBACK = '127.0.0.1';
/** More bytes than the buffers of a connection can hold. */
const ENDLESS_BYTES = 32 * 1024 * 1024;

/** Sends the beginning of a message of two gigabytes, and then zeros. Returns how many bytes it could send. */
function sendEndless(socket: TLSSocket): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const part = Buffer.alloc(64 * 1024);
  let sent = 0;
  const more = () => {
    if (socket.destroyed || sent >= ENDLESS_BYTES) return resolve(sent);
    sent += part.length;
    socket.write(part, more);
  };
  socket.once('error', () => resolve(sent)).once('close', () => resolve(sent));
  socket.write(Buffer.from([0x30, 0x84, 0x7f, 0xff, 0xff, 0xff]), more);
  return promise;
}

test('a server that sends without end is disconnected', async (t) => {
  const { authority, certificate, key } = await customerCertificate('CN=directory', [LOOPBACK]);
  const sent = Promise.withResolvers<number>();
  const server = createServer({ cert: certificate, key }, (socket) => sent.resolve(sendEndless(socket)));
  await new Promise<void>((done) => server.listen(0, LOOPBACK, done));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const request = { hostname: LOOPBACK, port, bindUsername: 'cn=a', caCertificate: authority };
  const results = await verifyDirectory(request, { password: 'a compass', allowPrivate: true });
  assert.deepEqual(results, [{ status: 'FAIL', validationType: 'CONNECT' }]);
  assert.ok((await sent.promise) < ENDLESS_BYTES);
});
