import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { connect, createServer } from 'node:tls';
import { systemRandom } from '../random.ts';
import { issueServerCertificate, makeAuthority } from './authority.ts';

const DAY_MS = 86_400_000;
const random = systemRandom();
const making = { now: Date.now(), random };
const names = ['localhost', '127.0.0.1', '::1', 'db.example.org'];

/**
 * Connects to a server that presents `certificate`, as a client that trusts `ca`. Returns the result of the client's
 * verification.
 */
async function handshake(certificate: { cert: string; key: string }, ca: string, servername: string) {
  const server = createServer(certificate).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const host = '127.0.0.1';
  const socket = connect({ host, port, ca, ...(servername === host ? {} : { servername }) });
  try {
    await once(socket, 'secureConnect');
    return 'trusted';
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  } finally {
    socket.destroy();
    server.close();
  }
}

test('a server certificate is valid for its names only', async () => {
  const authority = await makeAuthority(making);
  const server = await issueServerCertificate(authority, names, making);
  for (const name of ['localhost', '127.0.0.1', 'db.example.org']) {
    assert.equal(await handshake(server, authority.cert, name), 'trusted', name);
  }
  assert.equal(await handshake(server, authority.cert, 'other.example.org'), 'ERR_TLS_CERT_ALTNAME_INVALID');
  const parsed = new X509Certificate(server.cert);
  assert.equal(parsed.checkIP('::1'), '::1');
  assert.equal(parsed.ca, false);
});

test('another authority does not verify it', async () => {
  const [authority, stranger] = [await makeAuthority(making), await makeAuthority(making)];
  const server = await issueServerCertificate(authority, names, making);
  assert.notEqual(await handshake(server, stranger.cert, 'localhost'), 'trusted');
});

test('a renewed authority verifies certificates of the former one, and the former those of the renewed', async () => {
  const authority = await makeAuthority(making);
  const renewed = await makeAuthority({ ...making, now: making.now + 1000 }, authority);
  assert.notEqual(renewed.cert, authority.cert);
  const [before, after] = [
    await issueServerCertificate(authority, names, making),
    await issueServerCertificate(renewed, names, making),
  ];
  assert.equal(await handshake(before, renewed.cert, 'localhost'), 'trusted');
  assert.equal(await handshake(after, authority.cert, 'localhost'), 'trusted');
});

test('an authority is valid for ten years, a server certificate for 397 days and never longer than its authority', async () => {
  const authority = await makeAuthority(making);
  const daysOf = (cert: string) => {
    const { validFrom, validTo } = new X509Certificate(cert);
    return (Date.parse(validTo) + 1000 - Date.parse(validFrom)) / DAY_MS;
  };
  assert.equal(daysOf(authority.cert), 3650);
  assert.equal(new X509Certificate(authority.cert).ca, true);
  const server = await issueServerCertificate(authority, names, making);
  assert.equal(daysOf(server.cert), 397);
  const late = await issueServerCertificate(authority, names, { random, now: making.now + 3600 * DAY_MS });
  assert.equal(new X509Certificate(late.cert).validTo, new X509Certificate(authority.cert).validTo);
});
