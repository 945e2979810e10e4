import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { scopeOf } from '@portolan/test-support/service';
import { type Answer, replicaSet, router, standInServer } from '@portolan/test-support/stand-in-server';
import { clientOf } from './connection.ts';
import { contentsOf, inspect } from './inspect.ts';

/** Inspects a server with these replies, and returns what was found or the reason why the server is not usable. */
async function inspected(t: TestContext, answer: Answer, options = '') {
  const { host, connections } = await standInServer(scopeOf(t), answer);
  const client = await clientOf({ connectionString: `mongodb://${host}/?${options}` });
  try {
    const found = await inspect(client);
    return { host, found, contents: await contentsOf(client), connections: connections() };
  } catch (error) {
    return { host, reason: (error as Error).message, connections: connections() };
  } finally {
    await client.close();
  }
}

const numbered = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));

/** Addresses at which no server listens. */
const addresses = (count: number) => numbered(count, (index) => `127.0.1.${index % 250}:${1 + (index >> 8)}`);

const rights = { user: 'harbourmaster', db: 'admin' };

test('a server with usual replies is usable', async (t) => {
  const { host, found, contents } = await inspected(t, replicaSet({ usersInfo: { users: [rights] } }));
  assert.deepEqual(
    found?.members.map((member) => `${member.host}:${member.port}`),
    [host],
  );
  assert.deepEqual(contents, { databases: [{ name: 'harbour', sizeOnDisk: 4096 }], users: [rights] });
});

test('the reason says which limit a deployment exceeds', async (t) => {
  const members = (count: number) => addresses(count).map((host, _id) => ({ _id, host, priority: 1 }));
  const shards = (count: number, size: number) =>
    numbered(count, (index) => ({ host: `shard${index}/${addresses(size).join(',')}` }));
  const cases: readonly (readonly [Answer, RegExp])[] = [
    [
      replicaSet({ replSetGetConfig: { config: { members: members(5000) } } }),
      /^The deployment has 5000 members of a replica set, and the service supports up to 50\.$/,
    ],
    [
      router({ listShards: { shards: shards(20_000, 1) } }),
      /^The deployment has 20000 shards, and the service supports up to 100\.$/,
    ],
    [
      router({ listShards: { shards: shards(10, 40) } }),
      /^The deployment has 401 members and routers, and the service supports up to 300\.$/,
    ],
    [
      replicaSet({ listDatabases: { databases: numbered(50_000, (index) => ({ name: `db${index}` })) } }),
      /^The deployment has 50000 databases, and the service supports up to 10000\.$/,
    ],
  ];
  for (const [answer, reason] of cases) assert.match((await inspected(t, answer)).reason ?? '', reason);
});

test('the driver connects to few members, however many a server names', async (t) => {
  const answer: Answer = (command, host) => {
    const reply = replicaSet()(command, host);
    return reply?.hosts === undefined ? reply : { ...reply, hosts: [host, ...addresses(1_000)] };
  };
  const { reason } = await inspected(t, answer);
  assert.match(reason ?? '', /^The deployment has 1001 members of a replica set, .* up to 50\.$/);
});

test('malformed replies have clear reasons, and no error escapes', async (t) => {
  const cases: readonly (readonly [Record<string, object>, RegExp, string?])[] = [
    [{ listDatabases: { databases: 5 } }, /reply to listDatabases is malformed at \/databases: it must be/],
    [{ listDatabases: { databases: [{ name: 7 }] } }, /listDatabases is malformed at \/databases\/0\/name/],
    [
      { listDatabases: { databases: [{ name: 'har\u0000bour' }] } },
      /listDatabases is malformed at \/databases\/0\/name/,
    ],
    [
      { replSetGetConfig: { config: { members: [{ _id: 0, host: 'a b', priority: 1 }] } } },
      /members\/0\/host/,
    ],
    [{ replSetGetConfig: {} }, /reply to replSetGetConfig is malformed/],
    [{ connectionStatus: { authInfo: 1 } }, /connectionStatus is malformed at \/authInfo/],
    [{ hello: { hosts: 5 } }, /^The servers' reply to hello is malformed at \/hosts/, 'replicaSet=rs0'],
    [{ hello: { hosts: [5] } }, /^The servers' reply to hello is malformed at \/hosts/],
    [{ hello: { setName: { a: 1 } } }, /^The servers' reply to hello is malformed at \/setName/],
    [{ hello: { setName: 'x'.repeat(10_000) } }, /^The servers' reply to hello is malformed at \/setName/],
  ];
  for (const [changed, expected, options] of cases) {
    const { reason = '' } = await inspected(t, replicaSet(changed), options);
    assert.match(reason, expected);
    assert.ok(reason.length < 300, reason);
  }
  const twice = [0, 0].map((_id) => ({ _id, host: 'a', priority: 1 }));
  const { reason } = await inspected(t, replicaSet({ replSetGetConfig: { config: { members: twice } } }));
  assert.match(reason ?? '', /contains an id of a member twice/);
});

test('fields that the driver cannot process do not end the process', async (t) => {
  const hello = { me: 5, electionId: 5, topologyVersion: 'x', tags: 5, setVersion: 'x' };
  const { found, reason } = await inspected(t, replicaSet({ hello }));
  assert.ok(found, reason);
});

test('users are not listed if there are very many', async (t) => {
  const users = numbered(10_001, (index) => ({ user: `sailor${index}`, db: 'admin' }));
  const { contents } = await inspected(t, replicaSet({ usersInfo: { users } }));
  assert.deepEqual(Object.keys(contents ?? {}), ['databases']);
});

test('a router is asked for its shards only once', async (t) => {
  const asked: string[] = [];
  const answer = router({ listShards: { shards: [{ host: 'rs0/127.0.1.1:27018' }] } });
  const { found, reason } = await inspected(t, (command, host) => {
    asked.push(...Object.keys(command).slice(0, 1));
    return answer(command, host);
  });
  assert.equal(found?.topology, 'SHARDED', reason);
  assert.equal(asked.filter((name) => name === 'listShards').length, 1);
});

test('a long reply to hello does not cost memory', async (t) => {
  const { reason } = await inspected(t, replicaSet({ hello: { pad: Buffer.alloc(100_000) } }));
  assert.match(reason ?? '', /a reply has 100\d{3} bytes, and the service reads at most 65536/);
});
