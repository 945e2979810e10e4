import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { machineClock } from '@portolan/foundation/clock';
import { engineAlone } from '@portolan/test-support/engine-alone';
import { LONG_TIMEOUTS } from '@portolan/test-support/timeouts';
import { type Document, MongoClient, type Timestamp } from 'mongodb';
import { Checkpoint } from './checkpoint.ts';
import { type Endpoints, endpointsOf, latestOperationTime } from './endpoints.ts';
import { Follower } from './follow.ts';
import { CHECKPOINTS } from './names.ts';

const clients: MongoClient[] = [];
const leave = () => Promise.all(clients.splice(0).map((client) => client.close()));
const [sourceUri, targetUri] = [engineAlone(leave), engineAlone()];
let [source, target]: MongoClient[] = [];
before(async () => {
  [source, target] = await Promise.all(
    [sourceUri, targetUri].map((uri) => MongoClient.connect(uri(), LONG_TIMEOUTS)),
  );
  clients.push(...[source, target].filter((client) => client !== undefined));
});

/**
 * Makes change streams begin with empty batches whose resume token contains the start time. Real streams begin in
 * this way if a router waits for one of the shards, or if a server has many entries to scan.
 */
function beginEmpty(client: MongoClient, start: Timestamp, empty: number): void {
  const watch = client.watch.bind(client);
  const time = [start.t, start.i].map((part) => part.toString(16).padStart(8, '0')).join('');
  client.watch = ((...given: Parameters<typeof watch>) => {
    const stream = watch(...given);
    const tryNext = stream.tryNext.bind(stream);
    const own = () => Reflect.get(Object.getPrototypeOf(stream), 'resumeToken', stream);
    let left = empty;
    stream.tryNext = async () => (left-- > 0 ? null : tryNext());
    const resumeToken = () => (left >= 0 ? { _data: `82${time}2B0429296E04` } : own());
    return Object.defineProperty(stream, 'resumeToken', { get: resumeToken });
  }) as typeof watch;
}

/** Starts a follower and waits until it has applied everything. The destination equals the source at `start`. */
async function followAll(endpoints: Endpoints, start: Timestamp): Promise<void> {
  assert.ok(target);
  const reached = { phase: 'following', start, consistentAt: start, indexed: true } as const;
  const checkpoint = new Checkpoint(target, 'follow', 'a');
  await checkpoint.take(1);
  await checkpoint.list(reached, []);
  const follower = new Follower({
    ...{ endpoints, checkpoint, reached, copies: [], onPosition: () => {} },
    ...{ machine: machineClock(), signal: new AbortController().signal },
  });
  await follower.follow(() => true);
  await target.db(CHECKPOINTS).dropDatabase();
}

test('a follower ends only when the stream has returned all changes, however many batches are empty', async () => {
  assert.ok(source && target);
  const endpoints = await endpointsOf(source, target);
  const start = await latestOperationTime(endpoints);
  const ships: Document[] = Array.from({ length: 3 }, (_, _id) => ({ _id, name: `ship ${_id}` }));
  await source.db('harbour').collection('ships').insertMany(ships);
  const client = await MongoClient.connect(sourceUri(), LONG_TIMEOUTS);
  clients.push(client);
  beginEmpty(client, start, 3);
  await followAll({ ...endpoints, source: client }, start);
  assert.deepEqual(await target.db('harbour').collection('ships').find().toArray(), ships);
});

test('documents that a transaction inserts into a collection that it creates are applied', async () => {
  assert.ok(source && target);
  const client = source;
  const endpoints = await endpointsOf(client, target);
  const start = await latestOperationTime(endpoints);
  await client.withSession((session) =>
    session.withTransaction(async () => {
      const pilots = await client.db('harbour').createCollection<{ _id: number }>('pilots', { session });
      await pilots.insertOne({ _id: 1 }, { session });
    }),
  );
  await followAll(endpoints, start);
  assert.deepEqual(await target.db('harbour').collection('pilots').find().toArray(), [{ _id: 1 }]);
});

test('changes of the same time on several shards are all applied', async () => {
  assert.ok(source && target);
  const client = await MongoClient.connect(sourceUri(), LONG_TIMEOUTS);
  clients.push(client);
  const endpoints = { ...(await endpointsOf(client, target)), sourceSharded: true };
  const start = await latestOperationTime(endpoints);
  await client.db('harbour').collection('tides').insertOne({});
  const time = await latestOperationTime(endpoints);
  const data = (increment: number) =>
    `82${[time.t, increment].map((part) => part.toString(16).padStart(8, '0')).join('')}`.toUpperCase();
  const change = (shard: number) => ({
    _id: { _data: `${data(time.i)}2B042C0100296E5A100${shard}` },
    ...{ operationType: 'insert', clusterTime: time, ns: { db: 'harbour', coll: 'tides' } },
    ...{ documentKey: { _id: shard }, fullDocument: { _id: shard } },
  });
  const mark = { _id: { _data: `${data(time.i + 1)}2B0429296E04` } };
  // The router returns an empty batch between the changes of two shards.
  const results = [change(1), undefined, change(2), undefined, undefined];
  const tokens = [change(1), change(1), change(2), change(2), mark];
  let next = -1;
  const stream = {
    tryNext: async () => results[++next] ?? null,
    get resumeToken() {
      return tokens[Math.min(next, tokens.length - 1)]?._id;
    },
    close: async () => {},
  };
  client.watch = (() => stream) as unknown as typeof client.watch;
  await followAll(endpoints, start);
  const found = await target.db('harbour').collection('tides').find().sort({ _id: 1 }).toArray();
  assert.deepEqual(found, [{ _id: 1 }, { _id: 2 }]);
});

test('a follower applies no change that is later than the last operation', async () => {
  assert.ok(source && target);
  const client = await MongoClient.connect(sourceUri(), LONG_TIMEOUTS);
  clients.push(client);
  const endpoints = await endpointsOf(client, target);
  const start = await latestOperationTime(endpoints);
  const buoys = client.db('harbour').collection<{ _id: number }>('buoys');
  await buoys.insertOne({ _id: 1 });
  const watch = client.watch.bind(client);
  client.watch = ((...given: Parameters<typeof watch>) => {
    const stream = watch(...given);
    const tryNext = stream.tryNext.bind(stream);
    // Writes after the follower has read the last operation, and before it reads the stream.
    let written: Promise<unknown> | undefined;
    stream.tryNext = async () => {
      written ??= buoys.insertMany([{ _id: 2 }, { _id: 3 }]);
      await written;
      return tryNext();
    };
    return stream;
  }) as typeof watch;
  await followAll(endpoints, start);
  const found = await target.db('harbour').collection('buoys').find().toArray();
  assert.deepEqual(found, [{ _id: 1 }]);
});

test('a follower fails with a reason if the stream never passes the newest operation', async () => {
  assert.ok(source && target);
  const endpoints = {
    ...(await endpointsOf(source, target)),
    source: await MongoClient.connect(sourceUri(), LONG_TIMEOUTS),
  };
  clients.push(endpoints.source);
  const start = await latestOperationTime(endpoints);
  const reached = { phase: 'following', start, consistentAt: start, indexed: true } as const;
  const checkpoint = new Checkpoint(target, 'stay', 'a');
  await checkpoint.take(1);
  await checkpoint.list(reached, []);
  beginEmpty(endpoints.source, start, Number.POSITIVE_INFINITY);
  const own = machineClock();
  let passed = 0;
  const machine = { ...own, monotonic: () => (passed += 4_000) };
  const follower = new Follower({
    ...{ endpoints, checkpoint, reached, copies: [], onPosition: () => {} },
    ...{ machine, signal: new AbortController().signal },
  });
  await assert.rejects(
    follower.follow(() => true),
    { name: 'Stalled' },
  );
  await target.db(CHECKPOINTS).dropDatabase();
});
