import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect as connectPlain } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { connect as connectTls, type SecureVersion } from 'node:tls';
import { silentLog } from '@portolan/foundation/log';
import { systemRandom } from '@portolan/foundation/random';
import { issueServerCertificate, makeAuthority } from '@portolan/foundation/tls/authority';
import type { Certificate } from '@portolan/foundation/tls/certificate';
import { enginePorts } from '@portolan/test-support/ports';
import { LONG_TIMEOUTS } from '@portolan/test-support/timeouts';
import { MongoClient, type ServerHeartbeatFailedEvent } from 'mongodb';
import { scramCredentials } from '../access/scram.ts';
import type { Deployment, DeploymentSpec } from '../interface/engine.ts';
import { deploymentSpec } from '../testing.ts';
import { WireClient } from '../wire/testing.ts';
import { createEmbeddedEngine, type EmbeddedEngine } from './engine.ts';
import { startHost } from './testing/host.ts';

const random = systemRandom();
const dataDir = mkdtempSync(join(tmpdir(), 'portolan-tls-'));
const ports = await enginePorts();

let engine: EmbeddedEngine;
let authority: Certificate;
let certificate: Certificate;
let spec: DeploymentSpec;
let made: Deployment;

before(async () => {
  const making = { now: Date.now(), random };
  authority = await makeAuthority(making);
  certificate = await issueServerCertificate(authority, ['127.0.0.1'], making);
  engine = createEmbeddedEngine({ dataDir, startHost, log: silentLog(), ports, tls: true });
  const scram = await scramCredentials('ada', 'pencil', random);
  const roles = [{ role: 'readWriteAnyDatabase', database: 'admin' }];
  const users = [{ username: 'ada', database: 'admin', roles, scram }];
  spec = deploymentSpec({ access: { revision: 1, addresses: ['127.0.0.1/32'], users } });
  made = await engine.provision(spec);
});
after(async () => {
  await engine.stop();
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
});

const port = (index = 0) => made.members[index]?.port ?? 0;

/** Returns the certificate that a member presents, as base64. */
async function presented(maxVersion: SecureVersion = 'TLSv1.3'): Promise<string | undefined> {
  const old = maxVersion === 'TLSv1' ? { minVersion: maxVersion, ciphers: 'DEFAULT@SECLEVEL=0' } : {};
  const socket = connectTls({ port: port(), host: '127.0.0.1', ca: authority.cert, maxVersion, ...old });
  try {
    await once(socket, 'secureConnect');
    return socket.getPeerCertificate().raw.toString('base64');
  } finally {
    socket.destroy();
  }
}

const base64 = ({ cert }: Certificate) => cert.replace(/-----[^-]+-----|\s/g, '');

suite('members with TLS', () => {
  test('accept no connection before they have a certificate', async () => {
    const client = await WireClient.connect(port());
    await client.closed;
    await assert.rejects(presented());
  });

  test('reject an invalid certificate, with the reason', async () => {
    await assert.rejects(engine.setTls({ cert: 'x', key: certificate.key }), {
      name: 'EngineError',
      message: /PEM/,
    });
    await assert.rejects(
      engine.setTls({ cert: authority.cert, key: certificate.key }),
      /key values mismatch/,
    );
  });

  test('serve a driver that trusts the authority, and none that does not', async () => {
    await engine.setTls(certificate);
    const url = `mongodb://ada:pencil@127.0.0.1:${port()}/?replicaSet=${spec.replicaSetName}&tls=true`;
    await using client = new MongoClient(url, { ca: authority.cert, ...LONG_TIMEOUTS });
    const texts = client.db('shop').collection<{ _id: number; text: string }>('texts');
    const documents = Array.from({ length: 500 }, (_, i) => ({ _id: i, text: 'x'.repeat(i * 10) }));
    await texts.insertMany(documents);
    assert.deepEqual(await texts.find().sort({ _id: 1 }).toArray(), documents);
    const stranger = new MongoClient(url);
    const failed = once(stranger, 'serverHeartbeatFailed') as Promise<[ServerHeartbeatFailedEvent]>;
    const unconnected = assert.rejects(stranger.connect());
    assert.match((await failed)[0].failure.message, /certificate/);
    await stranger.close();
    await unconnected;
  });

  test('close a plain connection', async () => {
    const client = await WireClient.connect(port());
    await assert.rejects(client.command({ hello: 1, $db: 'admin' }), /was closed/);
  });

  test('stop at once, also during a handshake', async () => {
    const socket = connectPlain({ port: port(1), host: '127.0.0.1' });
    await once(socket, 'connect');
    const closed = once(socket, 'close');
    socket.resume();
    await engine.stopMember(spec.id, 'shard-00-01');
    await closed;
    await engine.startMember(spec.id, 'shard-00-01');
  });

  test('present a new certificate to later connections', async () => {
    const next = await issueServerCertificate(authority, ['127.0.0.1'], { now: Date.now(), random });
    assert.equal(await presented(), base64(certificate));
    await engine.setTls(next);
    assert.equal(await presented(), base64(next));
    certificate = next;
  });

  test('accept no version older than the deployment allows', async () => {
    assert.equal(await presented('TLSv1.2'), base64(certificate));
    await assert.rejects(presented('TLSv1'), /alert protocol version/);
    await engine.reconfigure({ ...spec, minimumTlsProtocol: 'TLS1_3' });
    await assert.rejects(presented('TLSv1.2'), /alert protocol version/);
    assert.equal(await presented(), base64(certificate));
    await engine.reconfigure({ ...spec, minimumTlsProtocol: 'TLS1_0' });
    assert.equal(await presented('TLSv1'), base64(certificate));
  });

  test('have their certificate again after the host was killed; no file contains its key', async () => {
    process.kill((await engine.status()).pid, 'SIGKILL');
    await engine.describe(spec.id);
    assert.equal(await presented(), base64(certificate));
    const record = readFileSync(join(dataDir, 'engine', 'clusters', spec.id, 'deployment.json'), 'utf8');
    const log = readFileSync(join(dataDir, 'engine', 'host.log'), 'utf8');
    const secret = certificate.key.split('\n')[1] ?? '';
    assert.ok(secret.length > 20);
    assert.equal((record + log).includes(secret), false);
  });
});
