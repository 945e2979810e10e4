import assert from 'node:assert/strict';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { systemRandom } from '@portolan/foundation/random';
import { ConnectedCluster } from './cluster.ts';
import { ConnectionLimiter } from './connection-limiter.ts';
import { WireClient } from './testing.ts';
import type { ClusterView, MemberView } from './view.ts';

const place = {
  kind: 'electable',
  provider: 'AWS',
  region: 'EU_WEST_1',
  shard: 0,
  host: '127.0.0.1',
} as const;
const members: readonly MemberView[] = [
  { ...place, id: 'a', priority: 7, port: 27_100, state: 'PRIMARY' },
  { ...place, id: 'b', priority: 7, port: 27_101, state: 'SECONDARY' },
];
const view = (state: MemberView['state']): ClusterView => ({
  clusterId: 'c1',
  replicaSetName: 'set-1',
  majorVersion: '8.0',
  members: members.map((member) => (member.id === 'b' ? { ...member, state } : member)),
  configVersion: 1,
  term: 1,
  managed: true,
  access: { revision: 1, addresses: ['127.0.0.1/32'], users: [] },
  decoySecret: 'decoy',
});
const HELLO = { hello: 1, $db: 'admin' };

let timers: Array<{ ms: number; run: () => void }>;
let cluster: ConnectedCluster;
let port: number;
let client: WireClient;

beforeEach(async () => {
  let connections = 0;
  timers = [];
  cluster = new ConnectedCluster(view('SECONDARY'), {
    random: systemRandom(),
    now: () => 0,
    after: (ms, run) => {
      const timer = { ms, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    nextConnectionId: () => ++connections,
    limiter: new ConnectionLimiter(Number.POSITIVE_INFINITY, () => 1),
    observe: () => {},
    onRejected: () => {},
  });
  port = await cluster.listen({ memberId: 'b', host: '127.0.0.1', port: 0 });
  client = await WireClient.connect(port);
  assert.equal((await client.command(HELLO)).secondary, true);
});
afterEach(async () => {
  client.end();
  await cluster.close();
});

/** Fires the next timer and returns its delay in milliseconds. */
async function fireTimer(): Promise<number> {
  while (timers.length === 0) await setImmediate();
  const timer = timers.shift();
  timer?.run();
  return timer?.ms ?? 0;
}

suite('removal of a member', () => {
  test('still reports a leaving member, as neither primary nor secondary', async () => {
    cluster.configure(view('LEAVING'));
    const { hosts, isWritablePrimary, secondary, setName } = await client.command(HELLO);
    assert.deepEqual(hosts, ['127.0.0.1:27100', '127.0.0.1:27101']);
    assert.deepEqual([isWritablePrimary, secondary, setName], [false, false, 'set-1']);
  });

  test('closes the port of a stopped member at once and its connections later', async () => {
    cluster.configure(view('DOWN'));
    cluster.unlisten('b');
    await assert.rejects(WireClient.connect(port), { code: 'ECONNREFUSED' });
    // A driver that receives this error while it is connecting retries its write on another member.
    const { code, codeName, errorLabels } = await client.command(HELLO);
    assert.deepEqual([code, codeName, errorLabels], [91, 'ShutdownInProgress', ['RetryableWriteError']]);
    assert.equal(await fireTimer(), 2_000);
    await client.closed;
  });

  test('keeps the connections of a member that returns in time', async () => {
    cluster.configure(view('DOWN'));
    cluster.unlisten('b');
    assert.equal(await cluster.listen({ memberId: 'b', host: '127.0.0.1', port }), port);
    cluster.configure(view('PRIMARY'));
    assert.deepEqual(timers, []);
    assert.equal((await client.command(HELLO)).isWritablePrimary, true);
  });

  test('drains a member without connections at once', async () => {
    await cluster.drain(['a']);
    assert.deepEqual(timers, []);
  });

  test('drains a member when it has received no request for a while', async () => {
    const drained = cluster.drain(['a', 'b']);
    await client.command(HELLO);
    assert.equal(await fireTimer(), 250);
    assert.equal(await fireTimer(), 250);
    await drained;
    assert.deepEqual(timers, []);
  });

  test('waits at most two seconds for a client that continues to send requests', async () => {
    const drained = cluster.drain(['b']);
    let waited = 0;
    for (let requests = 0; requests < 8; requests++) {
      await client.command(HELLO);
      waited += await fireTimer();
    }
    await drained;
    assert.equal(waited, 2_000);
  });

  test('closes the cluster without waiting for clients', async () => {
    cluster.unlisten('b');
    await cluster.close();
    await client.closed;
  });
});
