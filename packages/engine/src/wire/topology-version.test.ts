import assert from 'node:assert/strict';
import { after, afterEach, before, suite, test } from 'node:test';
import { systemRandom } from '@portolan/foundation/random';
import { type Document, Long, ObjectId, serialize } from 'bson';
import { memberSpec } from '../testing.ts';
import { ConnectedCluster } from './cluster.ts';
import { ConnectionLimiter } from './connection-limiter.ts';
import { body, opMsg, WireClient } from './testing.ts';
import type { ClusterView } from './view.ts';

const EXHAUST_ALLOWED = 1 << 16;
const timers = new Set<() => void>();
let cluster: ConnectedCluster;
let port: number;
let client: WireClient;
let term = 1;

const view = (): ClusterView => ({
  clusterId: 'c1',
  replicaSetName: 'set-1',
  majorVersion: '8.0',
  members: [{ ...memberSpec(0), host: '127.0.0.1', port: 27100, state: 'PRIMARY' }],
  configVersion: 1,
  term,
  managed: true,
  access: { revision: 1, addresses: ['127.0.0.1/32'], users: [] },
  decoySecret: 'decoy',
});

/** Changes the primary in the view. */
function elect(): void {
  term++;
  cluster.configure(view());
}

before(async () => {
  cluster = new ConnectedCluster(view(), {
    random: systemRandom(),
    now: () => 0,
    nextConnectionId: () => 1,
    limiter: new ConnectionLimiter(Number.POSITIVE_INFINITY, () => 1),
    observe: () => {},
    onRejected: () => {},
    after(_, run) {
      timers.add(run);
      return () => timers.delete(run);
    },
  });
  port = await cluster.listen({ memberId: 'shard-00-00', host: '127.0.0.1', port: 0 });
});
after(() => cluster.close());
afterEach(() => client.end());

async function greeted(more: Document = {}): Promise<Document> {
  client = await WireClient.connect(port);
  return client.command({ hello: 1, $db: 'admin', ...more });
}

const counterOf = ({ topologyVersion }: Document) => Number(topologyVersion.counter);

suite('a hello command that waits', () => {
  test('is answered when the topology changes', async () => {
    const { topologyVersion } = await greeted();
    const answer = client.receive();
    client.send(awaited(topologyVersion));
    await waiting();
    elect();
    const changed = await answer;
    assert.equal(counterOf(changed), Number(topologyVersion.counter) + 1);
    assert.equal(changed.electionId.toHexString().slice(-2), term.toString(16).padStart(2, '0'));
    assert.equal(timers.size, 0);
  });

  test('is answered after its time limit, and the connection continues', async () => {
    const { topologyVersion } = await greeted();
    const answer = client.receive();
    client.send(awaited(topologyVersion));
    await waiting();
    for (const run of timers) run();
    assert.equal(counterOf(await answer), Number(topologyVersion.counter));
    assert.equal((await client.command({ hello: 1, $db: 'admin' })).ok, 1);
  });

  test('is answered at once if the driver knows an older version, or one of another process', async () => {
    const { topologyVersion } = await greeted();
    elect();
    for (const known of [topologyVersion, { ...topologyVersion, processId: new ObjectId() }]) {
      const answer = await client.command({
        hello: 1,
        topologyVersion: known,
        maxAwaitTimeMS: 10_000,
        $db: 'admin',
      });
      assert.equal(counterOf(answer), Number(topologyVersion.counter) + 1);
    }
  });

  test('receives further replies, each in response to the previous one', async () => {
    const { topologyVersion } = await greeted();
    const heads: Buffer[] = [];
    client.onMessage = (bytes) => heads.push(bytes);
    const first = client.receive();
    client.send(awaited(topologyVersion, EXHAUST_ALLOWED));
    await waiting();
    elect();
    await first;
    const second = client.receive();
    await waiting();
    elect();
    assert.equal(counterOf(await second), Number(topologyVersion.counter) + 2);
    assert.deepEqual(
      heads.map((head) => head.readUInt32LE(16)),
      [2, 2],
    );
    assert.equal(heads[1]?.readInt32LE(8), heads[0]?.readInt32LE(4));
  });

  test('is cancelled when its connection ends', async () => {
    const { topologyVersion } = await greeted();
    client.send(awaited(topologyVersion));
    await waiting();
    client.end();
    while (timers.size > 0) await new Promise(setImmediate);
  });

  const processId = new ObjectId();
  const wrong: ReadonlyArray<readonly [Document, code: number]> = [
    [{ maxAwaitTimeMS: 1 }, 31368],
    [{ topologyVersion: { processId, counter: Long.fromNumber(1) } }, 31368],
    [{ topologyVersion: { processId, counter: Long.fromNumber(-1) }, maxAwaitTimeMS: 1 }, 31372],
    [{ topologyVersion: { processId, counter: Long.fromNumber(1) }, maxAwaitTimeMS: -1 }, 31373],
    [{ topologyVersion: 5, maxAwaitTimeMS: 1 }, 14],
  ];
  for (const [asked, code] of wrong) {
    test(`${JSON.stringify(asked)} is rejected with ${code}`, async () => {
      assert.equal((await greeted(asked)).code, code);
    });
  }

  test('rejects a counter greater than the current one', async () => {
    const { topologyVersion } = await greeted();
    const known = { ...topologyVersion, counter: Long.fromNumber(1_000_000) };
    assert.equal((await greeted({ topologyVersion: known, maxAwaitTimeMS: 1 })).code, 31382);
  });
});

function awaited(topologyVersion: unknown, flags = 0): Buffer {
  const command = { hello: 1, topologyVersion, maxAwaitTimeMS: 10_000, $db: 'admin' };
  return opMsg(flags, body(serialize(command)));
}

async function waiting(): Promise<void> {
  while (timers.size === 0) await new Promise(setImmediate);
}
