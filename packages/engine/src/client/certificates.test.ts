import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { silentLog } from '@portolan/foundation/log';
import { systemRandom } from '@portolan/foundation/random';
import {
  type ClientCertificate,
  issueClientCertificate,
  issueServerCertificate,
  makeAuthority,
} from '@portolan/foundation/tls/authority';
import type { Certificate } from '@portolan/foundation/tls/certificate';
import { enginePorts } from '@portolan/test-support/ports';
import { MongoClient } from 'mongodb';
import type { AccessSpec, Deployment, UserSpec } from '../interface/engine.ts';
import { deploymentSpec, memberSpec } from '../testing.ts';
import { subjectOf } from '../wire/client-certificate.ts';
import { createEmbeddedEngine, type EmbeddedEngine } from './engine.ts';
import { eventually } from './testing/eventually.ts';
import { startHost } from './testing/host.ts';

const HOUR_MS = 3_600_000;
const PARTS: ClientCertificate['subject'] = [
  ['O', 'Portolan'],
  ['OU', 'Zoë'],
  ['CN', '#Ada "A, B+C"'],
];
const SUBJECT = 'CN=\\#Ada \\"A\\, B\\+C\\",OU=Zoë,O=Portolan';
const making = { now: Date.now(), random: systemRandom() };
const dataDir = mkdtempSync(join(tmpdir(), 'portolan-certificates-'));
const [server, own, stranger, other] = await Promise.all([
  makeAuthority(making),
  makeAuthority(making),
  makeAuthority(making),
  makeAuthority(making),
]);

let engine: EmbeddedEngine;
let made: Deployment;
let revision = 0;

function ada(more: Partial<UserSpec> = {}): UserSpec {
  const roles = [{ role: 'readWriteAnyDatabase', database: 'admin' }];
  const certificates = { authority: 'own', uri: 'urn:user:1' };
  return { username: SUBJECT, database: '$external', roles, certificates, ...more };
}

function access(users: readonly UserSpec[], more: Partial<AccessSpec> = {}): AccessSpec {
  const authorities = { own: own.cert, other: other.cert };
  return { revision: ++revision, addresses: ['127.0.0.1/32'], users, authorities, ...more };
}

before(async () => {
  const ports = await enginePorts();
  engine = createEmbeddedEngine({ dataDir, startHost, log: silentLog(), ports, tls: true });
  made = await engine.provision(deploymentSpec({ members: [memberSpec(0)], access: access([ada()]) }));
  await engine.setTls(await issueServerCertificate(server, ['127.0.0.1'], making));
});
after(async () => {
  await engine.stop();
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
});

function issue(
  authority: Certificate,
  {
    subject = PARTS,
    uri = 'urn:user:1',
    now = making.now,
  }: Partial<ClientCertificate & { now: number }> = {},
): Promise<Certificate> {
  const notAfter = new Date(now + HOUR_MS);
  return issueClientCertificate(
    authority,
    { subject, serialNumber: '40', notAfter, uri },
    { ...making, now },
  );
}

function driver(certificate: Partial<Certificate>, username = ''): MongoClient {
  const user = username === '' ? '' : `${encodeURIComponent(username)}@`;
  const url = `mongodb://${user}127.0.0.1:${made.members[0]?.port}/?tls=true&directConnection=true`;
  const options = { authMechanism: 'MONGODB-X509', maxPoolSize: 1, ca: server.cert } as const;
  return new MongoClient(url, { ...options, ...certificate });
}

/** Returns the users whose identity the client has proven, or the error of the login. */
async function loggedIn(client: MongoClient): Promise<unknown> {
  try {
    const { authInfo } = await client.db('admin').command({ connectionStatus: 1 });
    return authInfo.authenticatedUsers;
  } catch (error) {
    const { code, codeName, message } = error as Error & { code?: number; codeName?: string };
    return { code, codeName, message };
  } finally {
    await client.close();
  }
}

const success = [{ user: SUBJECT, db: '$external' }];
const failure = { code: 18, codeName: 'AuthenticationFailed', message: 'Authentication failed.' };

suite('a client certificate', () => {
  test('logs in the user that its subject names', async () => {
    const certificate = await issue(own);
    assert.equal(subjectOf(new X509Certificate(certificate.cert)), SUBJECT);
    assert.deepEqual(await loggedIn(driver(certificate)), success);
    assert.deepEqual(await loggedIn(driver(certificate, SUBJECT)), success);
  });

  test('logs in nobody if it is not valid for the user', async () => {
    const cases: Record<string, Certificate> = {
      'an unknown authority': await issue(stranger),
      'the authority of other users': await issue(other),
      'an unknown user': await issue(own, { subject: [['CN', 'nobody']] }),
      'a former user of that name': await issue(own, { uri: 'urn:user:0' }),
      'its end': await issue(own, { now: making.now - 3 * HOUR_MS }),
      'its beginning': await issue(own, { now: making.now + 3 * HOUR_MS }),
    };
    for (const [reason, certificate] of Object.entries(cases)) {
      assert.deepEqual(await loggedIn(driver(certificate)), failure, reason);
    }
    assert.deepEqual(await loggedIn(driver(await issue(own), 'CN=b')), failure);
    assert.deepEqual(await loggedIn(driver({})), failure);
  });

  test('records why it logs in nobody', async () => {
    const expected = [
      'MONGODB-X509 AuthenticationFailed: No verified subject name available from client',
      'MONGODB-X509 AuthenticationFailed: The certificate is not valid for the user',
      'MONGODB-X509 AuthenticationFailed: There is no x.509 client certificate matching the user.',
      'MONGODB-X509 UserNotFound: Could not find user "CN=nobody" for db "$external"',
    ];
    const reasons = async () => {
      const attempts = await engine.accessHistory(made.id, { success: false });
      return new Set(attempts.map(({ mechanism, failureReason }) => `${mechanism} ${failureReason}`));
    };
    const found = await eventually(reasons, ({ size }) => size >= expected.length);
    assert.deepEqual([...found].sort(), expected);
  });
});

suite('a connection of a user with a certificate', () => {
  const count = (client: MongoClient) => client.db('shop').collection('texts').countDocuments();
  const unauthorized = { code: 13, codeName: 'Unauthorized' };

  test('loses its rights with the user and with the authority', async () => {
    await using client = driver(await issue(own));
    await using late = driver(await issue(own));
    assert.equal(await count(client), 0);
    assert.equal(await count(late), 0);
    await engine.setAccess(made.id, access([ada({ certificates: { authority: 'own', uri: 'urn:user:2' } })]));
    await assert.rejects(count(client), unauthorized);
    await engine.setAccess(made.id, access([ada()], { authorities: { own: stranger.cert } }));
    await assert.rejects(count(late), unauthorized);
    assert.deepEqual(await loggedIn(driver(await issue(stranger))), success);
    await engine.setAccess(made.id, access([ada()]));
  });

  test('loses its rights at the end of the certificate, by service time', async () => {
    await using client = driver(await issue(own));
    assert.equal(await count(client), 0);
    await engine.setClock({ at: making.now + 2 * HOUR_MS, since: Date.now(), rate: 1 });
    await assert.rejects(count(client), unauthorized);
    assert.deepEqual(await loggedIn(driver(await issue(own))), failure);
  });
});
