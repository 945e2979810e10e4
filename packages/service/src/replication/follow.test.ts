import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { machineClock } from '@portolan/foundation/clock';
import { engineAlone } from '@portolan/test-support/engine-alone';
import { type Document, MongoClient, type Timestamp } from 'mongodb';
import { Checkpoint } from './checkpoint.ts';
import { endpointsOf, latestOperationTime } from './endpoints.ts';
import { Follower } from './follow.ts';
import { CHECKPOINTS } from './names.ts';

const clients: MongoClient[] = [];
const leave = () => Promise.all(clients.splice(0).map((client) => client.close()));
const [sourceUri, targetUri] = [engineAlone(leave), engineAlone()];
let [source, target]: MongoClient[] = [];
before(async () => {
  [source, target] = await Promise.all([sourceUri, targetUri].map((uri) => MongoClient.connect(uri())));
  clients.push(...[source, target].filter((client) => client !== undefined));
});

/**
 * Lets change streams begin with empty batches, as those of routers do that wait for one of the shards, and as
 * servers that have many entries to scan. Their token is that of the beginning.
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

test('a follower ends only when the stream has returned all changes, however many batches are empty', async () => {
  assert.ok(source && target);
  const endpoints = await endpointsOf(source, target);
  const start = await latestOperationTime(endpoints);
  const reached = { phase: 'following', start, consistentAt: start, indexed: true } as const;
  const checkpoint = new Checkpoint(target, 'follow', 'a');
  await checkpoint.take(1);
  await checkpoint.list(reached, []);
  const ships: Document[] = Array.from({ length: 3 }, (_, _id) => ({ _id, name: `ship ${_id}` }));
  await source.db('harbour').collection('ships').insertMany(ships);
  beginEmpty(source, start, 3);
  const follower = new Follower({
    ...{ endpoints, checkpoint, reached, copies: [], onPosition: () => {} },
    ...{ machine: machineClock(), signal: new AbortController().signal },
  });
  await follower.follow(() => true);
  assert.deepEqual(await target.db('harbour').collection('ships').find().toArray(), ships);
  await target.db(CHECKPOINTS).dropDatabase();
});

test('a follower fails with a reason if the stream never passes the newest operation', async () => {
  assert.ok(source && target);
  const endpoints = {
    ...(await endpointsOf(source, target)),
    source: await MongoClient.connect(sourceUri()),
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
