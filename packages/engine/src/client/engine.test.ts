import assert from 'node:assert/strict';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { MongoClient } from 'mongodb';
import type { Deployment, DeploymentSpec } from '../interface/engine.ts';
import { FILE_NAME } from '../storage/file/format.ts';
import { memberSpec } from '../testing.ts';
import { WireClient } from '../wire/testing.ts';
import { engineOfDeployments, orders } from './testing/deployments.ts';

const started = await engineOfDeployments('engine');
const { engine, options, access, newSpec, connect, driver } = started;
const anyDatabase = [{ role: 'readWriteAnyDatabase', database: 'admin' }];
const { dataDir, ports } = options;

before(() => engine.start());
after(() => started.stop());

suite('a deployment and a driver', () => {
  let deployment: Deployment;
  let client: MongoClient;
  let spec: DeploymentSpec;
  before(async () => {
    spec = newSpec();
    deployment = await engine.provision(spec);
    client = await driver(deployment).connect();
  });

  test('a deployment runs with a port for every member', () => {
    assert.equal(deployment.state, 'running');
    assert.equal(deployment.accessRevision, 1);
    assert.equal(new Set(deployment.members.map(({ port }) => port)).size, 3);
  });

  test('documents are written, read, changed and deleted', async () => {
    await orders(client).insertMany([{ _id: 1 }, { _id: 2 }, { _id: 3 }]);
    await orders(client).updateOne({ _id: 2 }, { $set: { n: 5 } });
    await orders(client).deleteOne({ _id: 3 });
    assert.deepEqual(await orders(client).find().sort({ _id: 1 }).toArray(), [{ _id: 1 }, { _id: 2, n: 5 }]);
  });

  test('a large batch arrives complete, over many packets', async () => {
    const text = 'x'.repeat(1_000);
    const documents = Array.from({ length: 5_000 }, (_, i) => ({ _id: i, text }));
    const large = client.db('shop').collection<{ _id: number; text: string }>('large');
    await large.insertMany(documents);
    assert.equal(await large.countDocuments(), 5_000);
    assert.equal((await large.find().toArray()).length, 5_000);
  });

  test("messages are compressed in both directions at the driver's request", async () => {
    const packed = driver(deployment, { compressors: ['zlib'] });
    const texts = packed.db('shop').collection<{ _id: number; text: string }>('texts');
    const documents = Array.from({ length: 2_000 }, (_, i) => ({ _id: i, text: 'x'.repeat(i) }));
    await texts.insertMany(documents);
    assert.deepEqual(await texts.find().sort({ _id: 1 }).toArray(), documents);
  });

  test('both mechanisms log in', async () => {
    for (const authMechanism of ['SCRAM-SHA-1', 'SCRAM-SHA-256'] as const) {
      const other = driver(deployment, { authMechanism });
      assert.equal((await other.db('admin').command({ ping: 1 })).ok, 1);
    }
  });

  test('reads go to secondaries on request, which reject writes', async () => {
    const [, secondary] = deployment.members;
    const { replicaSet: _, ...direct } = { replicaSet: '', directConnection: true };
    const members = secondary === undefined ? [] : [secondary];
    const toSecondary = driver({ ...deployment, members }, { ...direct, replicaSet: 'set-1-shard-0' });
    const found = orders(toSecondary).find({ _id: 1 }, { readPreference: 'secondary' });
    assert.deepEqual(await found.toArray(), [{ _id: 1 }]);
    await assert.rejects(orders(toSecondary).insertOne({ _id: 9 }), { code: 10107 });
  });

  test('a wrong password and an unknown user fail in the same way', async () => {
    for (const auth of [
      { username: 'ada', password: 'pen' },
      { username: 'eve', password: 'pencil' },
    ]) {
      await assert.rejects(driver(deployment, { auth }).connect(), {
        code: 18,
        message: 'Authentication failed.',
      });
    }
  });

  test('before login, hello succeeds, and other commands are rejected', async () => {
    const [primary] = deployment.members;
    const url = `mongodb://${primary?.host}:${primary?.port}/?directConnection=true`;
    const stranger = connect(url);
    assert.equal((await stranger.db('admin').command({ hello: 1 })).isWritablePrimary, true);
    await assert.rejects(orders(stranger).findOne(), {
      code: 13,
      message: 'Command find requires authentication',
    });
    await assert.rejects(stranger.db('admin').command({ createUser: 'x', pwd: 'y', roles: [] }), {
      code: 13,
    });
  });

  test('users cannot be managed over the wire', async () => {
    const create = client.db('admin').command({ createUser: 'eve', pwd: 'x', roles: [] });
    await assert.rejects(create, { code: 8000, message: 'CMD_NOT_ALLOWED: createUser' });
  });

  test('new roles, users and addresses apply to open connections', async () => {
    const read = [{ role: 'read', database: 'shop' }];
    assert.equal((await engine.setAccess(spec.id, access(2, read))).accessRevision, 2);
    assert.equal((await orders(client).findOne({ _id: 1 }))?._id, 1);
    await assert.rejects(orders(client).insertOne({ _id: 7 }), { code: 13 });

    await engine.setAccess(spec.id, { ...access(3, read), users: [] });
    await assert.rejects(orders(client).findOne(), { code: 13 });

    await engine.setAccess(spec.id, access(4, anyDatabase, ['192.0.2.0/24']));
    const outside = driver(deployment, { serverSelectionTimeoutMS: 300 });
    await assert.rejects(outside.connect(), { name: 'MongoServerSelectionError' });

    const late = await engine.setAccess(spec.id, access(3, read));
    assert.equal(late.accessRevision, 4);
    await engine.setAccess(spec.id, access(5, anyDatabase));
    assert.equal((await orders(client).findOne({ _id: 1 }))?._id, 1);
  });
});

suite('a deployment of tests', () => {
  test('needs no login, uses a chosen port, and does not enforce roles', async () => {
    const port = ports.to;
    const open = { ...access(1, []), users: [], open: true };
    const members = [memberSpec(0, { port })];
    const made = await engine.provision(newSpec({ access: open, members, ownUsers: true, unsynced: true }));
    assert.deepEqual(
      made.members.map((member) => member.port),
      [port],
    );
    const anyone = driver(made, { auth: undefined as never });
    await orders(anyone).insertOne({ _id: 1 });
    const admin = anyone.db('admin');
    const { authInfo } = await admin.command({ connectionStatus: 1 });
    assert.deepEqual(authInfo, { authenticatedUsers: [], authenticatedUserRoles: [] });
    assert.deepEqual((await admin.command({ usersInfo: 1 })).users, []);

    await admin.command({ createUser: 'bob', pwd: 'pencil', roles: ['readAnyDatabase'] });
    const bob = driver(made, { auth: { username: 'bob', password: 'pencil' } });
    assert.equal((await orders(bob).findOne())?._id, 1);
    await orders(bob).insertOne({ _id: 2 });
    const { authInfo: own } = await bob.db('admin').command({ connectionStatus: 1 });
    assert.deepEqual(own, {
      authenticatedUsers: [{ user: 'bob', db: 'admin' }],
      authenticatedUserRoles: [{ role: 'readAnyDatabase', db: 'admin' }],
    });
  });
});

suite('the life of a deployment', () => {
  test('provisioning again returns the existing deployment', async () => {
    const spec = newSpec();
    const made = await engine.provision(spec);
    assert.deepEqual(await engine.provision(spec), made);
    assert.deepEqual(await engine.describe(spec.id), made);
  });

  test('a pause closes the ports and keeps data and ports; repeating it changes nothing', async () => {
    const spec = newSpec();
    const made = await engine.provision(spec);
    const client = driver(made);
    await orders(client).insertOne({ _id: 1 });
    await client.close();

    const paused = await engine.pause(spec.id);
    assert.deepEqual(made.primaries, ['shard-00-00']);
    assert.deepEqual(paused, { ...made, state: 'paused', primaries: [] });
    assert.deepEqual(await engine.pause(spec.id), paused);
    await assertClosed(made);

    assert.deepEqual(await engine.resume(spec.id), made);
    assert.deepEqual(await engine.resume(spec.id), made);
    assert.equal(await orders(driver(made)).countDocuments(), 1);
  });

  test('a removed deployment is gone with its files; removal may be repeated', async () => {
    const spec = newSpec();
    const made = await engine.provision(spec);
    await engine.remove(spec.id);
    await engine.remove(spec.id);
    assert.equal(await engine.describe(spec.id), undefined);
    assert.equal(existsSync(join(dataDir, 'engine', 'clusters', spec.id)), false);
    await assertClosed(made);
    await assert.rejects(engine.pause(spec.id), { message: `there is no deployment ${spec.id}` });
  });

  test('members are added and removed while a driver stays connected', async () => {
    const spec = newSpec();
    const made = await engine.provision(spec);
    const client = await driver(made, { heartbeatFrequencyMS: 500 }).connect();
    await orders(client).insertOne({ _id: 1 });
    const members = [
      memberSpec(0),
      memberSpec(2),
      memberSpec(3),
      memberSpec(4, { kind: 'analytics', priority: 0 }),
    ];
    const changed = await engine.reconfigure({ ...spec, members, majorVersion: '8.2', version: '8.2.1' });
    const portOf = (id: string, { members: all }: Deployment) => all.find((member) => member.id === id)?.port;
    assert.deepEqual(
      changed.members.map(({ id }) => id),
      members.map(({ id }) => id),
    );
    for (const id of ['shard-00-00', 'shard-00-02']) assert.equal(portOf(id, changed), portOf(id, made));
    assert.equal(await orders(client).countDocuments(), 1);
    const hello = await client.db('admin').command({ hello: 1 });
    assert.equal(hello.hosts.length, 3);
    assert.equal(hello.passives.length, 1);
    assert.equal(hello.maxWireVersion, 27);
    assert.deepEqual(
      await engine.reconfigure({ ...spec, members, majorVersion: '8.2', version: '8.2.1' }),
      changed,
    );
  });

  test('a port in use and a damaged file fail their own deployment, which recovers when they are repaired', async () => {
    const [blocked, damaged, sound] = [newSpec(), newSpec(), newSpec()];
    const made = await engine.provision(blocked);
    await engine.provision(damaged);
    await engine.provision(sound);
    await engine.pause(blocked.id);
    await engine.pause(damaged.id);
    const port = made.members[1]?.port ?? 0;
    const thief = await listen(port);
    const file = join(dataDir, 'engine', 'clusters', damaged.id, FILE_NAME);
    assert.ok(existsSync(file));
    writeFileSync(file, Buffer.alloc(8_192, 7));

    const failed = await engine.resume(blocked.id);
    assert.equal(failed.state, 'failed');
    assert.equal(failed.message, `port ${port} of member shard-00-01 is taken by another program`);
    const broken = await engine.resume(damaged.id);
    assert.equal(broken.state, 'failed');
    assert.ok(broken.message?.includes(file), broken.message);
    const [kept] = readdirSync(dirname(file)).filter((name) => name.includes('.damaged-'));
    assert.ok(kept !== undefined && broken.message?.endsWith(`is damaged and is kept as ${kept}`));
    assert.equal(statSync(join(dirname(file), kept)).size, 8_192);
    assert.match((await engine.resume(damaged.id)).message ?? '', /was damaged and is kept as/);
    assert.equal((await engine.describe(sound.id))?.state, 'running');

    await new Promise((resolve) => thief.close(resolve));
    assert.deepEqual(await engine.provision(blocked), made);
  });
});

async function assertClosed({ members }: Deployment): Promise<void> {
  for (const { port } of members) await assert.rejects(WireClient.connect(port), { code: 'ECONNREFUSED' });
}

function listen(port: number): Promise<Server> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
