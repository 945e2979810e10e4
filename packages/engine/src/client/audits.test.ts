import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { silentLog } from '@portolan/foundation/log';
import { systemRandom } from '@portolan/foundation/random';
import { enginePorts } from '@portolan/test-support/ports';
import { LONG_TIMEOUTS } from '@portolan/test-support/timeouts';
import {
  Binary,
  BSONRegExp,
  Code,
  Decimal128,
  Double,
  EJSON,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
  UUID,
} from 'bson';
import { MongoClient } from 'mongodb';
import { scramCredentials } from '../access/scram.ts';
import type { Deployment, DeploymentSpec, MemberSpec } from '../interface/engine.ts';
import { deploymentSpec, memberSpec } from '../testing.ts';
import { createEmbeddedEngine, type EmbeddedEngine } from './engine.ts';
import { eventually } from './testing/eventually.ts';
import { startHost } from './testing/host.ts';

interface Message {
  readonly atype: string;
  readonly param: Record<string, unknown>;
  readonly result: number;
  readonly users: readonly object[];
  readonly remote: object;
}

const random = systemRandom();
const dataDir = mkdtempSync(join(tmpdir(), 'portolan-audits-'));
const ports = await enginePorts();
const auditing = { enabled: true, authorizationSuccess: false };

let engine: EmbeddedEngine;

before(async () => {
  engine = createEmbeddedEngine({ dataDir, startHost, log: silentLog(), ports });
  await engine.start();
});
after(async () => {
  await engine.stop();
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
});

async function specOf(id: string, more: Partial<DeploymentSpec>): Promise<DeploymentSpec> {
  const scram = await scramCredentials('root', 'pencil', random);
  const users = [
    { username: 'root', database: 'admin', roles: [{ role: 'root', database: 'admin' }], scram },
  ];
  return deploymentSpec({
    id,
    auditing,
    access: { revision: 1, addresses: ['127.0.0.1/32'], users },
    ...more,
  });
}

function connect({ members }: Deployment, id?: string, user = 'root'): Promise<MongoClient> {
  const { host, port } = members.find((member) => id === undefined || member.id === id) ?? assert.fail();
  const url = `mongodb://${user}:pencil@${host}:${port}/?directConnection=true&appName=tests`;
  return MongoClient.connect(url, LONG_TIMEOUTS);
}

/** Returns the audit events of a deployment's members, oldest first. */
async function recordedOf({ id, members }: Deployment): Promise<Message[]> {
  const logs = members.map((member) => engine.logs(id, member.id, 'db-audit-log', 0, 8e15).toArray());
  const text = (await Promise.all(logs)).flat().map(String).join('');
  return text
    .split('\n')
    .filter(Boolean)
    .map((line): Message => JSON.parse(line));
}

/**
 * Waits until the audit events of a deployment's members include all `wanted` types, and returns the events.
 * A type that is listed twice must occur twice.
 */
function auditsOf(deployment: Deployment, ...wanted: readonly string[]): Promise<Message[]> {
  const countIn = (atypes: readonly string[], atype: string) => atypes.filter((one) => one === atype).length;
  return eventually(
    () => recordedOf(deployment),
    (messages) => {
      const found = messages.map(({ atype }) => atype);
      return wanted.every((atype) => countIn(found, atype) >= countIn(wanted, atype));
    },
  );
}

const paramsOf = (messages: readonly Message[], atype: string) =>
  messages.filter((one) => one.atype === atype).map(({ param }) => param);

suite('the audit stream reports every type of message with its details', () => {
  test('events of members: startup, changes of set and configuration, shutdown', async () => {
    const spec = await specOf('6500000000000000000000c1', {});
    const deployment = await engine.provision(spec);
    const { members } = deployment;
    const hosts = members.map(({ host, port }) => `${host}:${port}`);
    const recorded = await auditsOf(deployment, ...members.map(() => 'startup'));
    // Clients of an earlier test that used the same ports may still connect. The log contains their connections too, so
    // omit events with an IP address.
    const begun = recorded.filter(({ remote }) => !('ip' in remote));
    assert.deepEqual(
      begun.map(({ atype, param, result, users, remote }) => ({ atype, param, result, users, remote })),
      members.map(() => ({
        ...{ atype: 'startup', param: {}, result: 0, users: [], remote: { isSystemUser: true } },
      })),
    );
    const grown = await engine.reconfigure({
      ...spec,
      members: [...spec.members, memberSpec(3, { kind: 'readOnly', priority: 0 })],
    });
    const [change] = paramsOf(await auditsOf(grown, 'replSetReconfig'), 'replSetReconfig');
    const set = (version: number, of: readonly string[]) => ({
      ...{ _id: spec.replicaSetName, version },
      members: of.map((host, _id) => ({ _id, host, priority: _id === 3 ? 0 : 7 })),
    });
    const added = grown.members.at(-1);
    assert.deepEqual(change, {
      old: set(1, hosts),
      new: set(2, [...hosts, `${added?.host}:${added?.port}`]),
    });

    await engine.stopMember(spec.id, 'shard-00-02');
    await engine.startMember(spec.id, 'shard-00-02');
    const both = await auditsOf(grown, 'shutdown', ...Array(4).fill('startup'));
    assert.equal(paramsOf(both, 'shutdown').length, 1);
    assert.equal(paramsOf(both, 'startup').length, 4);

    const other = { ...auditing, filter: '{"atype": {"$in": ["auditConfigure", "shutdown"]}}' };
    const members4 = [...spec.members, memberSpec(3, { kind: 'readOnly', priority: 0 })];
    await engine.reconfigure({ ...spec, members: members4, auditing: other });
    await engine.reconfigure({ ...spec, members: members4, auditing: { ...auditing, enabled: false } });
    const set1 = { enabled: true, filter: '', auditAuthorizationSuccess: false };
    const set2 = { ...set1, filter: other.filter };
    const configured = paramsOf(await auditsOf(grown, 'auditConfigure', 'auditConfigure'), 'auditConfigure');
    assert.deepEqual(configured.slice(0, 2), [
      { previous: set1, config: set2 },
      { previous: set2, config: { ...set1, enabled: false } },
    ]);
    await engine.remove(spec.id);
  });

  test('added and removed shards', async () => {
    const router = (shard: number): MemberSpec => ({
      ...memberSpec(0, { id: `router-0${shard}-00`, shard, priority: 0 }),
      kind: 'router',
    });
    const nodes = (shard: number) =>
      [0, 1, 2].map((index) => memberSpec(index, { id: `shard-0${shard}-0${index}`, shard }));
    const sharded = (count: number) => ({
      shardNames: Array.from({ length: count }, (_, shard) => `set-1-shard-${shard}`),
      members: Array.from({ length: count }, (_, shard) => [...nodes(shard), router(shard)]).flat(),
    });
    const spec = await specOf('6500000000000000000000c2', sharded(1));
    await engine.provision(spec);
    const wide = await engine.reconfigure({ ...spec, ...sharded(2) });
    const hosts = wide.members.filter(({ id }) => id.startsWith('shard-01'));
    const connectionString = `set-1-shard-1/${hosts.map(({ host, port }) => `${host}:${port}`).join(',')}`;
    assert.deepEqual(paramsOf(await auditsOf(wide, 'addShard'), 'addShard'), [
      { shard: 'set-1-shard-1', connectionString, maxSize: 0 },
    ]);
    const client = await connect(wide, 'router-00-00');
    const admin = client.db('admin');
    await admin.command({ enableSharding: 'fleet' });
    await admin.command({ shardCollection: 'fleet.ships', key: { port: 1 } });
    await client.db('fleet').collection('ships').createIndex({ port: 1, name: 1 });
    await admin.command({ refineCollectionShardKey: 'fleet.ships', key: { port: 1, name: 1 } });
    await client.close();
    const narrow = await engine.reconfigure({ ...spec, ...sharded(1) });
    const made = ['enableSharding', 'shardCollection', 'refineCollectionShardKey'];
    const messages = await auditsOf(narrow, 'removeShard', ...made);
    assert.deepEqual(paramsOf(messages, 'removeShard'), [{ shard: 'set-1-shard-1' }]);
    assert.deepEqual(paramsOf(messages, 'enableSharding'), [{ ns: 'fleet' }]);
    assert.equal(paramsOf(messages, 'shardCollection').length, 1);
    assert.deepEqual(paramsOf(messages, 'refineCollectionShardKey'), [
      { ns: 'fleet.ships', key: { port: 1, name: 1 } },
    ]);
    await engine.remove(spec.id);
  });

  test('operations of drivers', async () => {
    const spec = await specOf('6500000000000000000000c3', { ownUsers: true });
    const deployment = await engine.provision(spec);
    const client = await connect(deployment, deployment.primaries[0]);
    const [admin, shop] = [client.db('admin'), client.db('shop')];
    // A write to a missing collection creates the collection and its database.
    await shop.collection('orders').insertOne({ n: 1 });
    await shop.createCollection('bills');
    await shop.collection('orders').createIndex({ n: 1 });
    await shop.collection('orders').dropIndex('n_1');
    await shop.collection('bills').rename('paid');
    await shop.collection('paid').drop();
    const privilege = { resource: { db: 'shop', collection: '' }, actions: ['find'] };
    for (const command of [
      { createRole: 'clerk', roles: [], privileges: [] },
      { createRole: 'chief', roles: [], privileges: [] },
      { updateRole: 'clerk', privileges: [] },
      { grantPrivilegesToRole: 'clerk', privileges: [privilege] },
      { revokePrivilegesFromRole: 'clerk', privileges: [privilege] },
      { grantRolesToRole: 'chief', roles: ['clerk'] },
      { revokeRolesFromRole: 'chief', roles: ['clerk'] },
      { createUser: 'ada', pwd: 'pencil', roles: [] },
      { updateUser: 'ada', pwd: 'crayon' },
      { grantRolesToUser: 'ada', roles: ['clerk'] },
      { revokeRolesFromUser: 'ada', roles: ['clerk'] },
      { dropUser: 'ada' },
      { dropAllUsersFromDatabase: 1 },
      { dropRole: 'chief' },
      { dropAllRolesFromDatabase: 1 },
    ]) {
      await shop.command(command);
    }
    await admin.command({ getClusterParameter: 'changeStreamOptions' });
    await admin.command({
      setClusterParameter: { changeStreamOptions: { preAndPostImages: { expireAfterSeconds: 100 } } },
    });
    await admin.command({ logApplicationMessage: 'a note' });
    await admin.command({ logRotate: 1 });
    await shop.dropDatabase();
    await assert.rejects(admin.command({ shardCollection: 'shop.orders', key: { n: 1 } }));
    await admin.command({ createUser: 'bob', pwd: 'pencil', roles: [] });
    const bob = await connect(deployment, deployment.primaries[0], 'bob');
    await assert.rejects(bob.db('shop').collection('orders').findOne(), { code: 13 });
    await bob.close();
    const accounts = admin.collection<{ _id: string; credentials?: object }>('system.users');
    await accounts.insertOne({ _id: 'shop.eve', credentials: { secret: 'pencil' } });
    await accounts.updateOne({ _id: 'shop.eve' }, { $set: { credentials: { secret: 'crayon' } } });
    await accounts.deleteOne({ _id: 'shop.eve' });
    await admin.command({ logout: 1 });
    await client.close();
    const wanted = `applicationMessage authCheck authenticate clientMetadata createCollection createDatabase
      createIndex createRole createUser directAuthMutation dropAllRolesFromDatabase dropAllUsersFromDatabase dropCollection
      dropDatabase dropIndex dropRole dropUser getClusterParameter grantPrivilegesToRole grantRolesToRole
      grantRolesToUser logout renameCollection revokePrivilegesFromRole revokeRolesFromRole
      revokeRolesFromUser rotateLog setClusterParameter updateCachedClusterServerParameter updateRole updateUser`.split(
      /\s+/,
    );
    const repeated = ['createCollection', 'directAuthMutation', 'updateCachedClusterServerParameter'];
    const messages = await auditsOf(deployment, ...wanted, ...repeated, 'directAuthMutation');
    const atypes = new Set(messages.map(({ atype }) => atype));
    assert.deepEqual(
      wanted.filter((atype) => !atypes.has(atype)),
      [],
    );
    assert.deepEqual(paramsOf(messages, 'createDatabase'), [{ ns: 'shop' }]);
    const ns = 'admin.system.users';
    assert.deepEqual(paramsOf(messages, 'directAuthMutation'), [
      { document: { _id: 'shop.eve', credentials: 'xxx' }, ns, operation: 'insert' },
      { document: { q: { _id: 'shop.eve' } }, ns, operation: 'update' },
      { document: { q: { _id: 'shop.eve' } }, ns, operation: 'remove' },
    ]);
    assert.deepEqual(paramsOf(messages, 'createCollection'), [{ ns: 'shop.orders' }, { ns: 'shop.bills' }]);
    const [metadata] = paramsOf(messages, 'clientMetadata') as [
      { clientMetadata: { application: object }; localEndpoint: object },
    ];
    assert.deepEqual(metadata?.clientMetadata.application, { name: 'tests' });
    const cached = paramsOf(messages, 'updateCachedClusterServerParameter');
    assert.equal(cached.length, 2);
    const created = paramsOf(messages, 'createIndex').map(({ ns, indexName }) => [ns, indexName]);
    assert.ok(
      created.length > 0 && created.every(([ns, name]) => ns === 'shop.orders' && name),
      `${created}`,
    );
    // Messages contain no passwords.
    assert.ok(!JSON.stringify(messages).includes('pencil') && !JSON.stringify(messages).includes('crayon'));
    await engine.remove(spec.id);
  });

  test('values of every type, as they were sent; filters compare them', async () => {
    const values: readonly unknown[] = [
      new ObjectId('507f1f77bcf86cd799439011'),
      Long.fromString('9007199254740993'),
      Long.fromNumber(5),
      new Double(2.5),
      new Int32(7),
      Decimal128.fromString('1.50'),
      new Binary(Buffer.from('sealed')),
      new UUID('3b241101-e2bb-4255-8caf-4136c566a962'),
      new Timestamp({ t: 4, i: 2 }),
      new BSONRegExp('^a', 'i'),
      new Date(1_700_000_000_000),
      new Code('() => 1'),
      new MinKey(),
      new MaxKey(),
      true,
      'text',
      { nested: [Long.fromString('9007199254740995')] },
    ];
    const $or = values.map((value) => ({ 'param.args.filter.v': { $eq: value } }));
    const filter = EJSON.stringify({ $or }, { relaxed: false });
    const spec = await specOf('6500000000000000000000c5', {
      auditing: { enabled: true, filter, authorizationSuccess: true },
    });
    const deployment = await engine.provision(spec);
    const client = await connect(deployment, deployment.primaries[0]);
    const orders = client.db('shop').collection('orders');
    for (const value of [...values, Long.fromString('9007199254740992'), new ObjectId()]) {
      await orders.findOne({ v: value });
    }
    await orders.findOne({ v: 'text', last: true });
    await client.close();
    const filtersOf = (messages: readonly Message[]) =>
      messages.map(({ param }) => (param.args as { filter: { v: unknown; last?: true } }).filter);
    const filters = await eventually(
      async () => filtersOf(await recordedOf(deployment)),
      (all) => all.at(-1)?.last === true,
    );
    assert.deepEqual(filters.slice(0, -1), [
      { v: { $oid: '507f1f77bcf86cd799439011' } },
      { v: { $numberLong: '9007199254740993' } },
      { v: 5 },
      { v: 2.5 },
      { v: 7 },
      { v: { $numberDecimal: '1.50' } },
      { v: { $binary: { base64: 'c2VhbGVk', subType: '00' } } },
      { v: { $binary: { base64: 'OyQRAeK7QlWMr0E2xWapYg==', subType: '04' } } },
      { v: { $timestamp: { t: 4, i: 2 } } },
      { v: { $regularExpression: { pattern: '^a', options: 'i' } } },
      { v: { $date: '2023-11-14T22:13:20.000+00:00' } },
      { v: { $code: '() => 1' } },
      { v: { $minKey: 1 } },
      { v: { $maxKey: 1 } },
      { v: true },
      { v: 'text' },
      { v: { nested: [{ $numberLong: '9007199254740995' }] } },
    ]);
    await engine.remove(spec.id);
  });
});
