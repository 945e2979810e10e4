import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { silentLog } from '@portolan/foundation/log';
import { systemRandom } from '@portolan/foundation/random';
import { enginePorts } from '@portolan/test-support/ports';
import { LONG_TIMEOUTS } from '@portolan/test-support/timeouts';
import { type Document, Long, MaxKey, MinKey, MongoClient } from 'mongodb';
import { scramCredentials } from '../access/scram.ts';
import type { Deployment, DeploymentSpec, MemberSpec } from '../interface/engine.ts';
import type { DocumentBatch } from '../interface/snapshot.ts';
import { deploymentSpec } from '../testing.ts';
import { createEmbeddedEngine, type EmbeddedEngine } from './engine.ts';
import { openSnapshot } from './snapshot-contents.ts';
import { allOf } from './testing/all-of.ts';
import { startHost } from './testing/host.ts';

const random = systemRandom();
const dataDir = mkdtempSync(join(tmpdir(), 'portolan-sharded-'));
const ports = await enginePorts();
const shardNames = ['set-shard-0', 'set-shard-1'];

let engine: EmbeddedEngine;
let spec: DeploymentSpec;
let made: Deployment;
let client: MongoClient;
const open: MongoClient[] = [];

before(async () => {
  engine = createEmbeddedEngine({ dataDir, startHost, log: silentLog(), ports });
  const user = {
    username: 'ada',
    database: 'admin',
    roles: [{ role: 'root', database: 'admin' }],
    scram: await scramCredentials('ada', 'pencil', random),
  };
  spec = deploymentSpec({
    replicaSetName: 'set-shard-0',
    shardNames,
    members: [0, 1].flatMap(nodesOf),
    access: { revision: 1, addresses: ['127.0.0.1/32'], users: [user] },
  });
  made = await engine.provision(spec);
  client = connect(portsOf('router'));
});
after(async () => {
  await Promise.all(open.map((each) => each.close()));
  await engine.stop();
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
});

/** Returns three nodes and a router. */
function nodesOf(shard: number): MemberSpec[] {
  const place = { shard, provider: 'AWS', region: 'EU_WEST_1' };
  const nodes = [0, 1, 2].map((index): MemberSpec => {
    return { ...place, id: `shard-0${shard}-0${index}`, kind: 'electable', priority: 7 };
  });
  return [...nodes, { ...place, id: `router-0${shard}-00`, kind: 'router', priority: 0 }];
}

function portsOf(prefix: string): number[] {
  return made.members.filter(({ id }) => id.startsWith(prefix)).map(({ port }) => port);
}

function connect(ports: readonly number[], replicaSet?: string): MongoClient {
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',');
  const client = new MongoClient(`mongodb://${hosts}/`, {
    auth: { username: 'ada', password: 'pencil' },
    ...(replicaSet === undefined ? {} : { replicaSet }),
    ...LONG_TIMEOUTS,
  });
  open.push(client);
  return client;
}

const command = (body: Document) => client.db('admin').command(body);
interface Kept extends Document {
  _id: string;
}
const config = (name: string) => client.db('config').collection<Kept>(name);
const spread = async (namespace: string) => {
  const kept = await config('collections').findOne({ _id: namespace });
  assert.ok(kept !== null);
  return kept;
};

suite('a sharded deployment', () => {
  test('routers identify themselves, and shards are replica sets of their own', async () => {
    const hello = await command({ hello: 1 });
    assert.equal(hello.msg, 'isdbgrid');
    assert.equal(hello.setName, undefined);
    assert.deepEqual(made.primaries, ['shard-00-00', 'shard-01-00']);
    const second = connect(portsOf('shard-01'), 'set-shard-1');
    const shard = await second.db('admin').command({ hello: 1 });
    assert.equal(shard.setName, 'set-shard-1');
    assert.equal(shard.hosts.length, 3);
    const status = await second.db('admin').command({ replSetGetStatus: 1 });
    assert.deepEqual([status.set, status.members.length], ['set-shard-1', 3]);
    const { config: own } = await second.db('admin').command({ replSetGetConfig: 1 });
    assert.deepEqual([own._id, own.members.length], ['set-shard-1', 3]);
    const kept = second.db('local').collection<Kept>('system.replset');
    assert.deepEqual(await kept.findOne({ _id: 'set-shard-1' }), own);
    assert.deepEqual((await kept.distinct('_id')).sort(), shardNames);
    await assert.rejects(second.db('admin').command({ listShards: 1 }), { code: 59 });
  });

  test('the shards are listed, by command and in config.shards', async () => {
    const { shards } = await command({ listShards: 1 });
    assert.deepEqual(
      shards.map(({ _id }: Document) => _id),
      shardNames,
    );
    const ports = portsOf('shard-00').map((port) => `127.0.0.1:${port}`);
    assert.equal(shards[0].host, `set-shard-0/${ports.join(',')}`);
    assert.deepEqual(await config('shards').distinct('host'), [shards[0].host, shards[1].host].sort());
  });

  test('documents are written and read through any router', async () => {
    const items = client.db('shop').collection<{ _id: number }>('items');
    await items.insertMany(Array.from({ length: 100 }, (_, _id) => ({ _id })));
    const other = connect(portsOf('router-01'));
    assert.equal(
      await other
        .db('shop')
        .collection<{ _id: number }>('items')
        .countDocuments({ _id: { $gte: 50 } }),
      50,
    );
    const session = client.startSession();
    await session.withTransaction(() => items.updateOne({ _id: 1 }, { $set: { seen: true } }, { session }));
    await session.endSession();
    assert.equal(await items.countDocuments({ seen: true }), 1);
  });

  test('a hashed collection has one chunk on each shard', async () => {
    await command({ shardCollection: 'shop.hashed', key: { user: 'hashed' } });
    const { uuid, key } = await spread('shop.hashed');
    assert.deepEqual(key, { user: 'hashed' });
    const chunks = await config('chunks').find({ uuid }).sort({ min: 1 }).toArray();
    assert.deepEqual(
      chunks.map(({ shard, min }) => [shard, min.user]),
      [
        ['set-shard-0', new MinKey()],
        ['set-shard-1', 0],
      ],
    );
    assert.deepEqual(chunks[1]?.max, { user: new MaxKey() });
    const again = { shardCollection: 'shop.hashed', key: { user: 'hashed' } };
    assert.equal((await command(again)).collectionsharded, 'shop.hashed');
    await assert.rejects(command({ ...again, key: { other: 1 } }), { code: 23 });
  });

  test('ranges are split, moved and merged; versions grow', async () => {
    await command({ enableSharding: 'shop', primaryShard: 'set-shard-0' });
    await command({ shardCollection: 'shop.ranged', key: { a: 1 } });
    await command({ split: 'shop.ranged', middle: { a: 10 } });
    await command({ moveChunk: 'shop.ranged', find: { a: 11 }, to: 'set-shard-1' });
    const { uuid } = await spread('shop.ranged');
    const ranges = async () =>
      (await config('chunks').find({ uuid }).sort({ min: 1 }).toArray()).map(({ min, shard }) => [
        min.a,
        shard,
      ]);
    assert.deepEqual((await ranges()).slice(1), [[10, 'set-shard-1']]);
    await assert.rejects(
      command({ mergeChunks: 'shop.ranged', bounds: [{ a: new MinKey() }, { a: new MaxKey() }] }),
      {
        code: 20,
      },
    );
    await command({ moveChunk: 'shop.ranged', find: { a: 11 }, to: 'set-shard-0' });
    await command({ mergeChunks: 'shop.ranged', bounds: [{ a: new MinKey() }, { a: new MaxKey() }] });
    assert.deepEqual((await ranges()).length, 1);
    const [chunk] = await config('chunks').find({ uuid }).toArray();
    assert.ok(Long.fromBigInt(chunk?.lastmod.toBigInt()).greaterThan(Long.fromBits(1, 2)));
  });

  test('the ranges of a zone move to the shards of the zone', async () => {
    await command({ shardCollection: 'shop.zoned', key: { country: 1 } });
    await command({ addShardToZone: 'set-shard-1', zone: 'EU' });
    const range = { updateZoneKeyRange: 'shop.zoned', min: { country: 'DE' }, max: { country: 'FR' } };
    await assert.rejects(command({ ...range, zone: 'US' }), { code: 177 });
    await command({ ...range, zone: 'EU' });
    const { uuid } = await spread('shop.zoned');
    const owner = await config('chunks').findOne({ uuid, 'min.country': 'DE' });
    assert.equal(owner?.shard, 'set-shard-1');
    await assert.rejects(command({ removeShardFromZone: 'set-shard-1', zone: 'EU' }), { code: 163 });
  });

  test('a unique index begins with the shard key', async () => {
    await command({ shardCollection: 'shop.keyed', key: { user: 1 } });
    const keyed = client.db('shop').collection('keyed');
    await assert.rejects(keyed.createIndex({ email: 1 }, { unique: true }), { code: 67 });
    await keyed.createIndex({ user: 1, email: 1 }, { unique: true });
    await keyed.createIndex({ email: 1 });
  });

  test('the contents of a snapshot tell which shard owns which documents', async () => {
    const owned = client.db('shop').collection<{ _id: number; user: number }>('owned');
    await command({ shardCollection: 'shop.owned', key: { user: 1 } });
    await command({ split: 'shop.owned', middle: { user: 30 } });
    await command({ moveChunk: 'shop.owned', find: { user: 40 }, to: 'set-shard-1' });
    await owned.insertMany(Array.from({ length: 100 }, (_, n) => ({ _id: n, user: n })));
    const timeseries = { timeField: 'at', metaField: 'pier' };
    await client.db('shop').createCollection('series', { timeseries });
    await command({ shardCollection: 'shop.series', key: { pier: 1 } });
    await command({ split: 'shop.series', middle: { pier: 1 } });
    await command({ moveChunk: 'shop.series', find: { pier: 1 }, to: 'set-shard-1' });
    const at = new Date('2026-01-01');
    await client
      .db('shop')
      .collection('series')
      .insertMany([0, 1, 2].map((pier) => ({ at, pier })));

    await client.db('shop').collection('whole').insertOne({});

    await using contents = await openSnapshot(engine.snapshot(spec.id, []), { folder: dataDir });
    const sharesOf = async (wanted: string) => {
      const found = contents.collections.find(({ database, name }) => `${database}.${name}` === wanted);
      assert.ok(found);
      const shares = await contents.shares(found);
      for (const { shard, documents, bytes } of shares) {
        const batches: DocumentBatch[] = await allOf(contents.documents(found, shard));
        assert.equal(
          batches.reduce((sum, batch) => sum + batch.documents, 0),
          documents,
        );
        assert.equal(
          batches.reduce((sum, batch) => sum + batch.bytes.length, 0),
          bytes,
        );
      }
      return shares.map(({ shard, documents }) => [shard, documents]);
    };
    assert.deepEqual(await sharesOf('shop.owned'), [
      ['set-shard-0', 30],
      ['set-shard-1', 70],
    ]);
    assert.deepEqual(await sharesOf('shop.series'), [
      ['set-shard-0', 1],
      ['set-shard-1', 2],
    ]);
    assert.deepEqual(await sharesOf('shop.system.buckets.series'), [
      ['set-shard-0', 1],
      ['set-shard-1', 2],
    ]);
    const whole = (await sharesOf('shop.whole')).map(([, documents]) => documents);
    assert.deepEqual(whole.sort(), [0, 1]);
  });

  test('its data, restored to another cluster, belong to the shards of that cluster', async () => {
    const others = ['mirror-shard-0', 'mirror-shard-1'];
    const other = { ...spec, id: 'b'.repeat(24), replicaSetName: 'mirror-shard-0', shardNames: others };
    await engine.provision(other);
    await engine.restore(other.id, undefined, [], engine.snapshot(spec.id, []));
    await engine.describe(other.id);
    const found = async (collection: string) => {
      const answer = await engine.run(other.id, { find: collection, $db: 'config', batchSize: 1_000 });
      return (answer.cursor as { firstBatch: Document[] }).firstBatch;
    };
    const shards = await found('shards');
    assert.deepEqual(
      shards.map(({ _id, tags }) => [_id, tags]),
      [
        ['mirror-shard-0', undefined],
        ['mirror-shard-1', ['EU']],
      ],
    );
    assert.ok((await found('databases')).every(({ primary }) => others.includes(primary)));
    const chunks = await found('chunks');
    assert.ok(
      chunks.length > 0 &&
        chunks.every(({ shard, history }) => others.includes(shard) && history[0].shard === shard),
    );

    await using contents = await openSnapshot(engine.snapshot(other.id, []), { folder: dataDir });
    const owned = contents.collections.find(({ name }) => name === 'owned');
    assert.ok(owned);
    const shares = await contents.shares(owned);
    assert.deepEqual(
      shares.map(({ shard, documents }) => [shard, documents]),
      [
        ['mirror-shard-0', 30],
        ['mirror-shard-1', 70],
      ],
    );
    await engine.remove(other.id);
  });

  test('measurements are distributed in a collection made for them', async () => {
    const timeseries = { timeField: 'at', metaField: 'pier' };
    const shard = (more: Document = {}) =>
      command({ shardCollection: 'shop.tides', key: { pier: 1 }, timeseries, ...more });
    await assert.rejects(shard({ key: { at: 1, pier: 1 } }), { code: 5914000 });
    await assert.rejects(shard({ key: { height: 1 } }), { code: 5914001 });
    const made = () => client.db('shop').listCollections({ name: 'tides' }).toArray();
    assert.deepEqual(await made(), []);
    assert.equal((await shard({ key: { 'pier.name': 1, at: 1 } })).collectionsharded, 'shop.tides');
    await client.db('shop').createCollection('streams', { timeseries });
    const other = { shardCollection: 'shop.streams', timeseries: { timeField: 'time' } };
    await assert.rejects(shard(other), { code: 5731500 });
    assert.equal((await made())[0]?.type, 'timeseries');
    assert.equal(await config('collections').countDocuments({ _id: 'shop.tides' }), 1);
    await client.db('shop').collection('calm').insertOne({});
    await assert.rejects(shard({ shardCollection: 'shop.calm' }), { code: 48 });
  });

  test('the balancer is stopped and started', async () => {
    await command({ balancerStop: 1 });
    assert.equal((await command({ balancerStatus: 1 })).mode, 'off');
    assert.equal((await config('settings').findOne({ _id: 'balancer' }))?.stopped, true);
    await command({ balancerStart: 1 });
    assert.equal((await command({ balancerStatus: 1 })).mode, 'full');
  });

  test('a dropped collection is no longer distributed', async () => {
    await command({ shardCollection: 'shop.passing', key: { a: 1 } });
    await client.db('shop').dropCollection('passing');
    assert.equal(await config('collections').countDocuments({ _id: 'shop.passing' }), 0);
  });

  test('a primary of one shard steps down; a driver continues through its router', async () => {
    await engine.failover(spec.id, 'shard-01-00');
    const { primaries } = (await engine.describe(spec.id)) ?? {};
    assert.deepEqual(primaries, ['shard-00-00', 'shard-01-01']);
    await client.db('shop').collection('after').insertOne({});
    assert.deepEqual((await engine.failover(spec.id)).primaries, ['shard-00-01', 'shard-01-00']);
  });

  test('without a majority of one shard routers reject writes, until it returns', async () => {
    for (const id of ['shard-01-01', 'shard-01-02']) await engine.stopMember(spec.id, id);
    const items = client.db('shop').collection<Document>('after', { writeConcern: { w: 1 } });
    await assert.rejects(items.insertOne({}), { code: 133 });
    assert.ok((await items.find({}, { readPreference: 'secondary' }).toArray()).length > 0);
    await engine.startMember(spec.id, 'shard-01-01');
    await items.insertOne({});
  });
});
