import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FoundArguments } from '@portolan/engine/interface/engine';
import { ADMINISTRATOR, connectedServer, type OtherServer } from '@portolan/test-support/adopted-engine';
import { scopeOf } from '@portolan/test-support/service';
import { LONG_TIMEOUTS } from '@portolan/test-support/timeouts';
import { type Document, MongoClient, MongoServerError } from 'mongodb';
import { applyArguments, readArguments } from './arguments.ts';
import { privilegesOf } from './privileges.ts';

const scope = scopeOf({ after });
let server: OtherServer;
let client: MongoClient;
before(async () => {
  ({ server, client } = await connectedServer(scope));
});

const everything = {
  changeStreamOptionsPreAndPostImagesExpireAfterSeconds: -1,
  defaultMaxTimeMS: 0,
  defaultReadConcern: 'local',
  defaultWriteConcern: 'majority',
  noTableScan: false,
  transactionLifetimeLimitSeconds: 60,
};

async function read(
  topology: 'REPLICA_SET' | 'SHARDED' | 'STANDALONE',
  as = client,
  memberPrivileges: Parameters<typeof readArguments>[1]['memberPrivileges'] = [],
) {
  const privileges = await privilegesOf(as);
  return readArguments({ client: as, members: async () => [as], topology }, { privileges, memberPrivileges });
}

test('the arguments that running servers accept are read, by topology', async () => {
  const { noTableScan, transactionLifetimeLimitSeconds, ...shared } = everything;
  assert.deepEqual(await read('REPLICA_SET'), everything);
  assert.deepEqual(await read('SHARDED'), shared);
  const all = await privilegesOf(client);
  assert.deepEqual(await read('SHARDED', client, [all, []]), shared);
  assert.deepEqual(await read('SHARDED', client, [all, all]), everything);
  assert.deepEqual(await read('STANDALONE'), { noTableScan, transactionLifetimeLimitSeconds });
});

test('each argument is changed, and set back', async () => {
  const other = {
    changeStreamOptionsPreAndPostImagesExpireAfterSeconds: 100,
    defaultMaxTimeMS: 5000,
    defaultReadConcern: 'available',
    defaultWriteConcern: '2',
    noTableScan: true,
    transactionLifetimeLimitSeconds: 30,
  } as const;
  const servers = { client, members: async () => [client] };
  assert.deepEqual(await applyArguments(servers, await read('REPLICA_SET'), other), []);
  assert.deepEqual(await read('REPLICA_SET'), other);
  const back = everything as typeof everything & { defaultReadConcern: 'local' };
  assert.deepEqual(await applyArguments(servers, await read('REPLICA_SET'), back), []);
  assert.deepEqual(await read('REPLICA_SET'), everything);
});

test('a refused argument is returned with the reason, and the others are changed', async () => {
  const wanted = { transactionLifetimeLimitSeconds: 0, defaultMaxTimeMS: 7000 };
  const refused = await applyArguments(
    { client, members: async () => [client] },
    await read('REPLICA_SET'),
    wanted,
  );
  assert.deepEqual(
    refused.map(({ name }) => name),
    ['transactionLifetimeLimitSeconds'],
  );
  assert.match(refused[0]?.reason ?? '', /transactionLifetimeLimitSeconds/);
  const { defaultMaxTimeMS, transactionLifetimeLimitSeconds } = await read('REPLICA_SET');
  assert.deepEqual([defaultMaxTimeMS, transactionLifetimeLimitSeconds], [7000, 60]);
});

test('an argument that one member refuses is set on the other members', async () => {
  const refusing = {
    db: () => ({ command: () => Promise.reject(new MongoServerError({ message: 'no such option' })) }),
  } as unknown as MongoClient;
  const set = (seconds: number) =>
    applyArguments({ client, members: async () => [refusing, client] }, everything as FoundArguments, {
      transactionLifetimeLimitSeconds: seconds,
    });
  const refused = { name: 'transactionLifetimeLimitSeconds', reason: 'no such option' };
  assert.deepEqual(await set(45), [refused]);
  assert.equal((await read('REPLICA_SET')).transactionLifetimeLimitSeconds, 45);
  await client.db('admin').command({ setParameter: 1, transactionLifetimeLimitSeconds: 60 });
});

test('a value that differs between members is null, and members that do not respond are omitted', async () => {
  const gone = new MongoClient('mongodb://127.0.0.1:1/', { serverSelectionTimeoutMS: 50 });
  /** A member whose parameter has another value. The members of the tested server share their parameters. */
  const other = {
    db: () => ({ command: async () => ({ notablescan: true, transactionLifetimeLimitSeconds: 60 }) }),
  } as unknown as MongoClient;
  const privileges = await privilegesOf(client);
  const readOn = (members: MongoClient[]) =>
    readArguments(
      { client, members: async () => members, topology: 'REPLICA_SET' },
      { privileges, memberPrivileges: [] },
    );
  try {
    assert.deepEqual((await readOn([gone, client])).noTableScan, false);
    const { noTableScan, transactionLifetimeLimitSeconds } = await readOn([client, gone, other]);
    assert.deepEqual([noTableScan, transactionLifetimeLimitSeconds], [null, 60]);
    await assert.rejects(readOn([gone]), /ECONNREFUSED|Topology is closed/);
  } finally {
    await gone.close();
  }
});

test('without privileges to change them, there are no arguments', async () => {
  const roles: readonly Document[] = [{ role: 'clusterMonitor', db: 'admin' }];
  await client.db('admin').command({ createUser: 'observer', pwd: ADMINISTRATOR.pwd, roles });
  const auth = { username: 'observer', password: ADMINISTRATOR.pwd };
  const observer = new MongoClient(server.uri, { ...LONG_TIMEOUTS, auth });
  try {
    assert.deepEqual(await read('REPLICA_SET', observer), {});
  } finally {
    await observer.close();
  }
});
