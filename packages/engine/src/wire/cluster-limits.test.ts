import assert from 'node:assert/strict';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { deflateSync } from 'node:zlib';
import { systemRandom } from '@portolan/foundation/random';
import { serialize } from 'bson';
import { ConnectedCluster } from './cluster.ts';
import { ConnectionLimiter } from './connection-limiter.ts';
import { body, opMsg, WireClient, wireMessage } from './testing.ts';
import type { ClusterView } from './view.ts';
import type { Answered, UnsentRequest, WorkerLink } from './worker-link.ts';

const MORE_TO_COME = 2;
const view: ClusterView = {
  clusterId: 'c1',
  replicaSetName: 'set-1',
  majorVersion: '8.0',
  members: [
    {
      ...{ id: 'a', kind: 'electable', provider: 'AWS', region: 'EU_WEST_1', shard: 0, host: '127.0.0.1' },
      ...{ priority: 7, port: 27_100, state: 'PRIMARY' },
    },
  ],
  configVersion: 1,
  term: 1,
  managed: true,
  access: { revision: 1, addresses: ['127.0.0.1/32'], users: [], open: true },
  decoySecret: 'decoy',
};

let cluster: ConnectedCluster;
let port: number;
/** The requests that the query thread has not answered. */
let pending: Array<{ request: UnsentRequest; answered: Answered }>;
let gone: number[];
let closed: string[];

beforeEach(async () => {
  let connections = 0;
  pending = [];
  gone = [];
  closed = [];
  cluster = new ConnectedCluster(view, {
    random: systemRandom(),
    now: () => 0,
    after: () => () => {},
    nextConnectionId: () => ++connections,
    limiter: new ConnectionLimiter(Number.POSITIVE_INFINITY, () => 1),
    observe: () => {},
    onRejected: ({ reason }) => void closed.push(reason),
  });
  cluster.route(stub());
  port = await cluster.listen({ memberId: 'a', host: '127.0.0.1', port: 0 });
});
afterEach(() => cluster.close());

/** Returns a link to a query thread that answers no request. */
function stub(): WorkerLink {
  return {
    closed: false,
    gone: (id: number) => gone.push(id),
    send: (request: UnsentRequest, answered: Answered) => pending.push({ request, answered }),
  } as unknown as WorkerLink;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await setImmediate();
}

const silentInsert = opMsg(MORE_TO_COME, body(serialize({ insert: 'c', documents: [{}], $db: 'test' })));
const hello = opMsg(0, body(serialize({ hello: 1, $db: 'admin' })));

suite('the limits of a cluster', () => {
  test('count unacknowledged requests when their client has closed its connection', async () => {
    const first = await WireClient.connect(port);
    for (let i = 0; i < 1_000; i++) first.send(silentInsert);
    await until(() => pending.length === 1_000);
    assert.ok(pending.every(({ request }) => request.moreToCome));
    first.end();
    await until(() => gone.length === 1);
    const second = await WireClient.connect(port);
    second.send(silentInsert);
    await until(() => cluster.trafficOf('a').requests === 1_001);
    assert.equal(pending.length, 1_000);
    pending[0]?.answered.reply(serialize({ ok: 1 }));
    await until(() => pending.length === 1_001);
    second.end();
  });

  test('drop a request whose connection closes before there is a query thread', async () => {
    cluster.route(undefined);
    const client = await WireClient.connect(port);
    client.send(opMsg(0, body(serialize({ find: 'c', $db: 'test' }))));
    await until(() => cluster.trafficOf('a').requests === 1);
    client.end();
    await until(() => cluster.trafficFacts('a', false).current === 0);
    cluster.route(stub());
    assert.equal(pending.length, 0);
    assert.equal(cluster.forwarded.bytes, 0);
  });

  test('keep an unacknowledged request whose connection closes before there is a query thread', async () => {
    cluster.route(undefined);
    const client = await WireClient.connect(port);
    client.send(silentInsert);
    await until(() => cluster.trafficOf('a').requests === 1);
    client.end();
    await until(() => cluster.trafficFacts('a', false).current === 0);
    const before = gone.length;
    cluster.route(stub());
    assert.deepEqual([pending.length, gone.length - before], [1, 1]);
    pending[0]?.answered.reply(serialize({ ok: 1 }));
    assert.equal(cluster.forwarded.bytes, 0);
  });

  test('let other clients run between hello commands that one client sends at once', async () => {
    const client = await WireClient.connect(port);
    let replies = 0;
    client.onMessage = () => void replies++;
    client.send(Buffer.concat(Array.from({ length: 1_000 }, () => hello)));
    const { requests: before } = cluster.trafficOf('a');
    await until(() => cluster.trafficOf('a').requests > before);
    const first = cluster.trafficOf('a').requests;
    assert.ok(first <= 64, `${first} greetings at once`);
    await until(() => replies === 1_000);
    client.end();
  });

  test('let other clients run between the hello commands of many connections', async (t) => {
    const clients = await Promise.all(Array.from({ length: 200 }, () => WireClient.connect(port)));
    let replies = 0;
    for (const client of clients) client.onMessage = () => void replies++;
    const topologyVersion = cluster.topology.toDocument();
    const awaited = { hello: 1, topologyVersion, maxAwaitTimeMS: 10_000, $db: 'admin' };
    for (const client of clients) client.send(opMsg(0, body(serialize(awaited))));
    await until(() => cluster.trafficOf('a').requests === 200);
    const run = t.mock.method(cluster.turns, 'spend');
    // All of the commands wait for this change.
    cluster.topology.increment();
    let most = run.mock.callCount();
    for (let before = most; replies < 200; before = run.mock.callCount()) {
      await setImmediate();
      most = Math.max(most, run.mock.callCount() - before);
    }
    assert.ok(most <= 64, `${most} greetings at once`);
    for (const client of clients) client.end();
  });

  test('include the memory in which messages are decompressed', async () => {
    const size = 47_900_000;
    const head = Buffer.alloc(9);
    head.writeInt32LE(2013, 0);
    head.writeInt32LE(size, 4);
    head[8] = 2;
    const other: string[] = [];
    cluster.held.set({ closeWith: ({ message }) => void other.push(message) }, 1_000_000_000);
    const client = await WireClient.connect(port);
    client.send(wireMessage(2012, head, deflateSync(Buffer.alloc(size))));
    await client.closed;
    assert.equal(other.length, 1, 'the zeros are no message, but the memory was counted before');
  });

  test('reject a large command that the administration API replaces without decoding it', async () => {
    const client = await WireClient.connect(port);
    const privileges = [{ resource: { db: 'x'.repeat(100_000), collection: '' }, actions: ['find'] }];
    const reply = await client.command({ createRole: 'r', privileges, roles: [], $db: 'admin' });
    assert.deepEqual([reply.code, reply.codeName], [8000, 'CommandNotAllowed']);
    assert.equal(reply.errmsg, 'CMD_NOT_ALLOWED: createRole');
    client.end();
  });
});
