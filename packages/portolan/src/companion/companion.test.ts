import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { after, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startEngine } from '@portolan/engine/library/index';
import { MongoMemoryReplSet, MongoMemoryServer } from '@portolan/engine/library/memory-server/index';
import { machineClock } from '@portolan/foundation/clock';
import { lockFile } from '@portolan/foundation/file-lock';
import { poll } from '@portolan/foundation/wait';
import { LONG_TIMEOUTS } from '@portolan/test-support/timeouts';
import { MongoClient } from 'mongodb';
import { start } from '../library/index.ts';

const open: MongoClient[] = [];
// `close` fails for clients whose database a test has killed, so accept rejections.
after(() => Promise.allSettled(open.map((client) => client.close())));

function ships(uri: string) {
  const client = new MongoClient(uri, LONG_TIMEOUTS);
  open.push(client);
  return client.db('harbour').collection<{ _id: number }>('ships');
}

suite('an engine', () => {
  test('accepts every connection, and is empty after a reset', async () => {
    await using engine = await startEngine();
    await ships(engine.uri).insertOne({ _id: 1 });
    await engine.reset();
    assert.equal(await ships(engine.uri).countDocuments(), 0);
  });

  test('runs resets one at a time, and rejects them after the close', async () => {
    const engine = await startEngine();
    await ships(engine.uri).insertOne({ _id: 1 });
    await Promise.all([engine.reset(), engine.reset()]);
    assert.equal(await ships(engine.uri).countDocuments(), 0);
    await engine.close();
    await assert.rejects(engine.reset(), { message: 'the engine is closed' });
    await engine.close();
  });

  test('admits only the user of its options', async () => {
    const auth = { username: 'a:da', password: 'p@ss' };
    await using engine = await startEngine({ members: 3, auth });
    await ships(engine.uri).insertOne({ _id: 1 });
    const stranger = engine.uri.replace(/\/\/.*@/, '//').replace('authSource=admin&', '');
    await assert.rejects(ships(stranger).insertOne({ _id: 2 }), { code: 13 });
  });

  test('keeps its data in a given folder', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'portolan-kept-'));
    after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
    const first = await startEngine({ folder });
    await ships(first.uri).insertOne({ _id: 7 });
    await first.close();
    await using second = await startEngine({ folder });
    assert.deepEqual(await ships(second.uri).findOne(), { _id: 7 });
  });

  test('rejects a port that another program uses', async () => {
    await using engine = await startEngine();
    await assert.rejects(startEngine({ port: engine.ports[0] ?? 0 }), { reason: 'PORT_TAKEN' });
  });
});

suite('a service', () => {
  test('has clusters that drivers reach, and its initial state after a reset', async () => {
    await using service = await start();
    const uri = await service.createCluster('quay');
    await ships(uri).insertOne({ _id: 1 });
    assert.equal(await service.connectionString('quay'), uri);
    await Promise.all([service.reset(), service.reset()]);
    await assert.rejects(service.connectionString('quay'), /CLUSTER_NOT_FOUND/);
    const { clientId, clientSecret } = service.credentials;
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
    const answer = await fetch(`${service.url}/api/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    assert.equal(answer.status, 200);
    await service.close();
    await assert.rejects(service.reset(), /the service is closed/);
  });

  test('contains its seed, also after a reset', async () => {
    const seed = { projects: [{ name: 'Harbour', accessList: [{ ipAddress: '127.0.0.1' }] }] };
    await using service = await start({ seed });
    const { clientId, clientSecret } = service.credentials;
    const call = async (method: string, path: string) => {
      const granted = await fetch(`${service.url}/api/oauth/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
      });
      const { access_token: token } = (await granted.json()) as { access_token: string };
      const headers = { authorization: `Bearer ${token}` };
      return fetch(`${service.url}/api/service/v2${path}`, { method, headers });
    };
    const harbour = async () =>
      (await call('GET', '/groups/byName/Harbour')).json() as Promise<{ id: string }>;
    const { id } = await harbour();
    assert.equal((await call('DELETE', `/groups/${id}`)).status, 204);
    await service.reset();
    assert.equal((await harbour()).id, id);
    await assert.rejects(start({ seed: { projects: [{}] } }), /projects\[0\]/);
  });

  test('rejects unknown settings', async () => {
    await assert.rejects(start({ settings: { colour: 'red' } }), /colour/);
  });
});

suite('the classes of mongodb-memory-server', () => {
  test('a server keeps its data over a restart, on another port if necessary', async () => {
    const server = await MongoMemoryServer.create();
    await ships(server.getUri()).insertOne({ _id: 1 });
    const port = server.instanceInfo?.port ?? 0;
    await server.stop({ doCleanup: false });
    const thief = await MongoMemoryServer.create({ instance: { port, portGeneration: false } });
    await server.start();
    assert.notEqual(server.instanceInfo?.port, port);
    assert.deepEqual(await ships(server.getUri()).findOne(), { _id: 1 });
    const folder = server.instanceInfo?.dbPath ?? '';
    assert.ok(existsSync(folder));
    await Promise.all([server.stop(), thief.stop()]);
    assert.ok(!existsSync(folder));
  });

  test('a replica set has the requested number of members, and its own users', async () => {
    const extraUsers = [{ createUser: 'reader', pwd: 'pencil', roles: ['readAnyDatabase'] }];
    await using set = await MongoMemoryReplSet.create({
      replSet: { count: 3, auth: { enable: true, extraUsers } },
    });
    const as = (user: string) => set.getUri('admin').replace('//', `//${user}@`);
    await ships(as('mongodb-memory-server-root:rootuser')).insertOne({ _id: 1 });
    await assert.rejects(ships(as('reader:pencil')).insertOne({ _id: 2 }), { code: 13 });
    await assert.rejects(ships(set.getUri()).findOne(), { code: 13 });
    assert.equal(
      set.servers.filter(({ instanceInfo }) => instanceInfo?.instance.isInstancePrimary).length,
      1,
    );
  });
});

/** A program that kills its first companion, and then closes the engine that ran there. */
const caller = `
  import childProcess from 'node:child_process';
  import { once } from 'node:events';
  import { startEngine } from ${JSON.stringify(import.meta.resolve('@portolan/engine/library/index'))};
  setInterval(() => {}, 1000);
  const lost = await startEngine();
  const first = childProcess[Symbol.for('portolan.companions')].get('databases').child;
  first.kill('SIGKILL');
  await once(first, 'exit');
  const { uri } = await startEngine();
  await lost.close();
  console.log(uri);`;

test('a killed process leaves nothing running', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-killed-'));
  after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const running = 'portolan-companion-running';
  mkdirSync(join(folder, running));
  const release = lockFile(join(folder, running, 'lock'));
  after(() => release?.());
  const child: ChildProcess = spawn(process.execPath, ['--input-type=module', '-e', caller], {
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [uri] = (await once(createInterface({ input: child.stdout as never }), 'line')) as [string];
  const become = (count: number) =>
    poll(machineClock(), { step: 20, limit: 240_000 }, () =>
      readdirSync(folder).length === count ? true : undefined,
    );
  assert.equal(await ships(uri).findOne(), null);
  assert.ok(await become(2), 'the folder of the companion that was killed is gone');
  child.kill('SIGKILL');
  assert.ok(await become(1), 'the folder of its companion is gone');
  assert.deepEqual(readdirSync(folder), [running]);
  const socket = connect({ host: '127.0.0.1', port: Number(/:(\d+)\//.exec(uri)?.[1]) });
  await assert.rejects(once(socket, 'connect'), { code: 'ECONNREFUSED' });
});

/** A module that prints the URL of every module that the process loads. */
const PRINTING = `data:text/javascript,
  import { registerHooks } from 'node:module';
  registerHooks({ load(url, context, next) { console.error(url); return next(url, context); } });`;

test('a companion for databases loads no module of the service', async () => {
  const main = fileURLToPath(import.meta.resolve('@portolan/engine/companion/main'));
  const flags = ['--disable-warning=ExperimentalWarning', '--import', PRINTING];
  const child = spawn(process.execPath, [...flags, main], { stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  const loaded = text(child.stderr);
  await once(child.stdout, 'data');
  child.stdin.end();
  await ended;
  const modules = (await loaded).split('\n').filter((url) => url.includes('/src/'));
  assert.ok(modules.some((url) => url.endsWith('/companion/databases.ts')));
  assert.deepEqual(
    modules.filter((url) => /packages\/service\//.test(url)),
    [],
  );
});
