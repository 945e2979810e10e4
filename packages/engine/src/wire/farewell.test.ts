import assert from 'node:assert/strict';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { systemRandom } from '@portolan/foundation/random';
import { ConnectedCluster } from './cluster.ts';
import { Places } from './places.ts';
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

let rests: Array<{ ms: number; run: () => void }>;
let cluster: ConnectedCluster;
let port: number;
let client: WireClient;

beforeEach(async () => {
  let connections = 0;
  rests = [];
  cluster = new ConnectedCluster(view('SECONDARY'), {
    random: systemRandom(),
    now: () => 0,
    after: (ms, run) => {
      const rest = { ms, run };
      rests.push(rest);
      return () => {
        rests = rests.filter((other) => other !== rest);
      };
    },
    nextConnectionId: () => ++connections,
    places: new Places(Number.POSITIVE_INFINITY, () => 1),
    observe: () => {},
    onRefused: () => {},
  });
  port = await cluster.listen({ memberId: 'b', host: '127.0.0.1', port: 0 });
  client = await WireClient.connect(port);
  assert.equal((await client.command(HELLO)).secondary, true);
});
afterEach(async () => {
  client.end();
  await cluster.close();
});

/** Lets the rest that is under way pass. */
async function pass(): Promise<number> {
  while (rests.length === 0) await setImmediate();
  const rest = rests.shift();
  rest?.run();
  return rest?.ms ?? 0;
}

suite('farewell', () => {
  test('a member that leaves is still told of, as neither primary nor secondary', async () => {
    cluster.configure(view('LEAVING'));
    const { hosts, isWritablePrimary, secondary, setName } = await client.command(HELLO);
    assert.deepEqual(hosts, ['127.0.0.1:27100', '127.0.0.1:27101']);
    assert.deepEqual([isWritablePrimary, secondary, setName], [false, false, 'set-1']);
  });

  test('a stopped member closes its port at once and the connections to it later', async () => {
    cluster.configure(view('DOWN'));
    cluster.unlisten('b');
    await assert.rejects(WireClient.connect(port), { code: 'ECONNREFUSED' });
    // The write of a driver that is just making a connection is tried again elsewhere.
    const { code, codeName, errorLabels } = await client.command(HELLO);
    assert.deepEqual([code, codeName, errorLabels], [91, 'ShutdownInProgress', ['RetryableWriteError']]);
    assert.equal(await pass(), 2_000);
    await client.closed;
  });

  test('a member that is back by then keeps the connections to it', async () => {
    cluster.configure(view('DOWN'));
    cluster.unlisten('b');
    assert.equal(await cluster.listen({ memberId: 'b', host: '127.0.0.1', port }), port);
    cluster.configure(view('PRIMARY'));
    assert.deepEqual(rests, []);
    assert.equal((await client.command(HELLO)).isWritablePrimary, true);
  });

  test('a member to which nobody is connected is drained at once', async () => {
    await cluster.drain(['a']);
    assert.deepEqual(rests, []);
  });

  test('a member is drained when nobody has asked it anything for a while', async () => {
    const drained = cluster.drain(['a', 'b']);
    await client.command(HELLO);
    assert.equal(await pass(), 250);
    assert.equal(await pass(), 250);
    await drained;
    assert.deepEqual(rests, []);
  });

  test('who goes on asking is not waited for longer than two seconds', async () => {
    const drained = cluster.drain(['b']);
    let waited = 0;
    for (let asked = 0; asked < 8; asked++) {
      await client.command(HELLO);
      waited += await pass();
    }
    await drained;
    assert.equal(waited, 2_000);
  });

  test('closing the cluster waits for nobody', async () => {
    cluster.unlisten('b');
    await cluster.close();
    await client.closed;
  });
});
