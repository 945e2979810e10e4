import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { silentLog } from '@portolan/foundation/log';
import { systemRandom } from '@portolan/foundation/random';
import { enginePorts } from '@portolan/test-support/ports';
import { LONG_TIMEOUTS } from '@portolan/test-support/timeouts';
import { MongoClient } from 'mongodb';
import { scramCredentials } from '../access/scram.ts';
import type { Deployment, DeploymentSpec, LogName, UserSpec } from '../interface/engine.ts';
import { deploymentSpec } from '../testing.ts';
import { createEmbeddedEngine, type EmbeddedEngine } from './engine.ts';
import { eventually } from './testing/eventually.ts';
import { startHost } from './testing/host.ts';

const random = systemRandom();
const dataDir = mkdtempSync(join(tmpdir(), 'portolan-observe-'));
const ports = await enginePorts();
const FOREVER = 8e15;

let engine: EmbeddedEngine;
let spec: DeploymentSpec;
let deployment: Deployment;

async function user(username: string, role: string): Promise<UserSpec> {
  const scram = await scramCredentials(username, 'pencil', random);
  return { username, database: 'admin', roles: [{ role, database: 'admin' }], scram };
}

const open: MongoClient[] = [];

function connect(username: string, password = 'pencil'): Promise<MongoClient> {
  const [{ host, port } = { host: '', port: 0 }] = deployment.members;
  const url = `mongodb://${username}:${password}@${host}:${port}/?directConnection=true`;
  const client = new MongoClient(url, LONG_TIMEOUTS);
  open.push(client);
  return client.connect();
}

const memberId = () => deployment.members[0]?.id ?? '';
const textOf = async (log: LogName, from: number, to: number) =>
  Buffer.concat(await engine.logs(spec.id, memberId(), log, from, to).toArray()).toString();
const logOf = async (log: LogName) => {
  const text = await textOf(log, 0, FOREVER);
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
};

before(async () => {
  engine = createEmbeddedEngine({ dataDir, startHost, log: silentLog(), ports });
  await engine.start();
  spec = deploymentSpec({
    access: {
      revision: 1,
      addresses: ['127.0.0.1/32'],
      users: [
        await user('ada', 'readWriteAnyDatabase'),
        await user('carl', 'clerk'),
        await user('root', 'root'),
      ],
      customRoles: [
        {
          role: 'clerk',
          database: 'admin',
          privileges: [{ actions: ['insert'], resource: { db: 'shop', collection: 'orders' } }],
          roles: [],
        },
      ],
    },
    auditing: { enabled: true, filter: '{"atype": {"$ne": "logout"}}', authorizationSuccess: false },
    arguments: { noTableScan: true, defaultWriteConcern: '1' },
  });
  deployment = await engine.provision(spec);
});
after(async () => {
  await Promise.all(open.map((client) => client.close()));
  await engine.stop();
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
});

suite('records of a deployment', () => {
  test('the access history has every login, with the reason of each failure', async () => {
    const client = await connect('ada');
    await client.close();
    await assert.rejects(connect('ada', 'wrong'), { code: 18 });
    await assert.rejects(connect('eve'), { code: 18 });
    const history = await eventually(
      () => engine.accessHistory(spec.id, {}),
      (all) => all.length >= 3,
    );
    const records = history.map(({ username, success, failureReason }) => [username, success, failureReason]);
    assert.deepEqual(records.slice(0, 3), [
      ['eve', false, 'UserNotFound: Could not find user "eve" for db "admin"'],
      ['ada', false, 'AuthenticationFailed: proof does not match'],
      ['ada', true, null],
    ]);
    const [newest] = history;
    assert.equal(newest?.address, '127.0.0.1');
    assert.equal(newest?.host, `127.0.0.1:${deployment.members[0]?.port}`);
    assert.equal(JSON.parse(newest?.logLine ?? '').id, 20249);
    const good = await engine.accessHistory(spec.id, { success: true, limit: 1 });
    assert.deepEqual(
      good.map(({ success }) => success),
      [true],
    );
    assert.deepEqual(await engine.accessHistory(spec.id, { address: '192.0.2.1' }), []);
  });

  test('the server log has connections, logins and elections, and getLog returns the same', async () => {
    const client = await connect('root');
    const entries = await eventually(
      () => logOf('db'),
      (all) => all.some(({ attr }) => attr?.principalName === 'root'),
    );
    const ids = new Set(entries.map(({ id }) => id));
    for (const id of [4615611, 21450, 22943, 20250]) assert.ok(ids.has(id), `${id}`);
    const { log } = await client.db('admin').command({ getLog: 'global' });
    assert.ok(log.length > 0 && log.every((line: string) => JSON.parse(line).t.$date));
    assert.equal(await textOf('db', 0, 1), '');
    await client.close();
  });

  test('a slow query is logged with its execution', async () => {
    const client = await connect('root');
    const shop = client.db('shop');
    await shop.collection<{ _id: number }>('orders').insertOne({ _id: 1 });
    await shop.command({ profile: 0, slowms: -1 });
    await shop.collection<{ _id: number }>('orders').findOne({ _id: 1 });
    await shop.command({ profile: 0, slowms: 100 });
    const entries = await eventually(
      () => logOf('db'),
      (all) => all.some(({ id, attr }) => id === 51803 && attr.command.find === 'orders'),
    );
    const slow = entries.find(({ id, attr }) => id === 51803 && attr.command.find === 'orders');
    assert.equal(slow?.attr.ns, 'shop.orders');
    assert.equal(slow?.attr.planSummary, 'IXSCAN { _id: 1 }');
    assert.equal(typeof slow?.attr.durationMillis, 'number');
    await client.close();
  });

  test('a long slow query is logged truncated, with what was cut', async () => {
    const client = await connect('root');
    const shop = client.db('shop');
    await shop.command({ profile: 0, slowms: -1 });
    const $in = Array.from({ length: 5000 }, (_, number) => number);
    await shop.collection<{ _id: number }>('orders').find({ _id: { $in } }).toArray();
    await shop.command({ profile: 0, slowms: 100 });
    const entries = await eventually(
      () => logOf('db'),
      (all) => all.some(({ truncated }) => truncated),
    );
    const { attr, truncated, size } = entries.find((entry) => entry.truncated);
    const kept: readonly number[] = attr.command.filter._id.$in;
    assert.deepEqual(kept, $in.slice(0, kept.length));
    assert.ok(kept.length > 1000 && JSON.stringify(attr.command).length <= 10 * 1024, `${kept.length}`);
    assert.deepEqual(truncated, {
      command: { filter: { _id: { $in: { [kept.length]: { type: 'int', size: 4 } } } } },
    });
    assert.ok(size.command > 40_000, `${size.command}`);
    await client.close();
  });

  test('members are sampled on request with their current figures', async () => {
    const client = await connect('root');
    const bills = client.db('shop').collection('bills');
    const opcounters = async () => (await client.db('admin').command({ serverStatus: 1 })).opcounters;
    // `measure` waits only briefly for a busy thread. If the thread is late, `measure` uses the figures of
    // its previous report.
    const sampled = async (inserts: number) =>
      eventually(
        async () => {
          await engine.measure();
          const [member] = await engine.newestSamples([spec.id]);
          return member?.samples.at(-1)?.operations.insert ?? 0;
        },
        (found) => found === inserts,
      );
    const before = Number((await opcounters()).insert);
    assert.equal(await sampled(before), before);
    await bills.insertMany([{}, {}, {}]);
    assert.equal(await sampled(before + 3), before + 3);
    await client.close();
  });

  test('the profiler keeps operations in the database', async () => {
    const client = await connect('root');
    const shop = client.db('shop');
    await shop.command({ profile: 2 });
    await shop.collection<{ _id: number }>('orders').findOne({ _id: 1 });
    const kept = await eventually(
      () =>
        shop
          .collection('system.profile')
          .find({ op: 'query', ns: 'shop.orders' }, { hint: { $natural: 1 } })
          .toArray(),
      (all) => all.length > 0,
    );
    await shop.command({ profile: 0 });
    assert.equal(kept[0]?.user, 'root@admin');
    await client.close();
  });

  test('the audit stream has logins, rejections and creations, as its filter selects', async () => {
    const client = await connect('carl');
    const shop = client.db('shop');
    await shop.collection('orders').insertOne({ n: 1 });
    await assert.rejects(shop.collection('orders').findOne(), { code: 13 });
    await client.close();
    const root = await connect('root');
    await root.db('shop').createCollection('bills');
    await root.close();
    const messages = await eventually(
      () => logOf('db-audit-log'),
      (all) =>
        all.some(({ param }) => param.ns === 'shop.bills') &&
        all.filter(({ result }) => result === 18).length >= 2,
    );
    const refused = messages.find(({ atype }) => atype === 'authCheck');
    assert.deepEqual(
      [refused?.param.command, refused?.param.ns, refused?.result],
      ['find', 'shop.orders', 13],
    );
    assert.deepEqual(refused?.users, [{ user: 'carl', db: 'admin' }]);
    assert.deepEqual(refused?.roles, [{ role: 'clerk', db: 'admin' }]);
    const made = messages.find(({ param }) => param.ns === 'shop.bills');
    assert.deepEqual([made?.atype, made?.result], ['createCollection', 0]);
    const failed = messages.filter(({ atype, result }) => atype === 'authenticate' && result === 18);
    assert.deepEqual(
      failed.map(({ param }) => param.user),
      ['ada', 'eve'],
    );
  });

  test('process arguments take effect', async () => {
    const client = await connect('root');
    const { defaultWriteConcern } = await client.db('admin').command({ getDefaultRWConcern: 1 });
    assert.deepEqual(defaultWriteConcern, { w: 1, wtimeout: 0 });
    const { notablescan } = await client.db('admin').command({ getParameter: 1, notablescan: 1 });
    assert.equal(notablescan, true);
    await client.close();
  });

  test('changes of custom roles take effect at once', async () => {
    const client = await connect('carl');
    await assert.rejects(
      client
        .db('shop')
        .collection('orders')
        .findOne({ _id: 1 as never }),
      { code: 13 },
    );
    const [clerk] = spec.access.customRoles ?? [];
    assert.ok(clerk);
    const privileges = [{ actions: ['find'], resource: { db: 'shop', collection: '' } }];
    await engine.setAccess(spec.id, { ...spec.access, revision: 2, customRoles: [{ ...clerk, privileges }] });
    await client
      .db('shop')
      .collection('orders')
      .findOne({ _id: 1 as never });
    await client.close();
  });

  test('commands cannot create users on a managed cluster', async () => {
    const client = await connect('root');
    const creating = client.db('shop').command({ createUser: 'x', pwd: 'y', roles: [] });
    await assert.rejects(creating, { code: 8000, message: /CMD_NOT_ALLOWED: createUser/ });
    await client.close();
  });

  test('records remain after the deployment is reopened', async () => {
    const client = await connect('ada');
    await client.close();
    const before = await eventually(
      () => engine.accessHistory(spec.id, {}),
      ([newest]) => newest?.username === 'ada',
    );
    await engine.pause(spec.id);
    await engine.resume(spec.id);
    // A thread that reports late may add records. The list begins with the newest records, so compare only its end.
    const after = await engine.accessHistory(spec.id, {});
    assert.deepEqual(after.slice(-before.length), before);
    assert.deepEqual(await engine.metrics(spec.id, memberId(), 0, 1), []);
  });
});

suite('a deployment that keeps its own users', () => {
  test('has the users that commands create, at once and after a restart', async () => {
    const own = deploymentSpec({
      id: '6500000000000000000000b2',
      ownUsers: true,
      access: { revision: 1, addresses: ['127.0.0.1/32'], users: [await user('root', 'root')] },
    });
    deployment = await engine.provision(own);
    const root = await connect('root');
    const admin = root.db('admin');
    await admin.command({
      createRole: 'w',
      roles: [],
      privileges: [{ resource: { db: 'shop', collection: '' }, actions: ['insert'] }],
    });
    await admin.command({ createUser: 'bob', pwd: 'pencil', roles: ['w'], mechanisms: ['SCRAM-SHA-256'] });
    const bob = await connect('bob');
    const orders = bob.db('shop').collection<{ _id: number }>('orders');
    await orders.insertOne({ _id: 1 });
    await assert.rejects(orders.findOne({ _id: 1 }), { code: 13 });
    await admin.command({ grantRolesToUser: 'bob', roles: [{ role: 'read', db: 'shop' }] });
    assert.deepEqual(await orders.findOne({ _id: 1 }), { _id: 1 });
    await bob.close();
    await root.close();
    await engine.pause(own.id);
    deployment = await engine.resume(own.id);
    const again = await connect('bob');
    assert.deepEqual(await again.db('shop').collection<{ _id: number }>('orders').findOne(), { _id: 1 });
    const other = await connect('root');
    await other.db('admin').command({ dropUser: 'bob' });
    await assert.rejects(again.db('shop').collection('orders').findOne(), { code: 13 });
    await assert.rejects(connect('bob'), { code: 18 });
    await other.close();
    await again.close();
  });

  test('admits users from where their restrictions allow', async () => {
    const root = await connect('root');
    const create = (name: string, address: string) =>
      root.db('admin').command({
        createUser: name,
        pwd: 'pencil',
        roles: [],
        authenticationRestrictions: [{ clientSource: [address] }],
      });
    await create('near', '127.0.0.1');
    await create('far', '192.0.2.0/24');
    await root.close();
    await (await connect('near')).close();
    await assert.rejects(connect('far'), { code: 18 });
  });
});
