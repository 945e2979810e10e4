import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { systemRandom } from '@portolan/foundation/random';
import { connectedServer, type OtherServer } from '@portolan/test-support/adopted-engine';
import { scopeOf } from '@portolan/test-support/service';
import type { MongoClient } from 'mongodb';
import { dropDatabases, revokeDrops } from './drops.ts';

const scope = scopeOf({ after });
let server: OtherServer;
let client: MongoClient;
before(async () => {
  ({ server, client } = await connectedServer(scope));
});

const random = systemRandom();
const connection = () => ({ connectionString: server.uri });

async function databases(): Promise<string[]> {
  const { databases: all } = await client.db().admin().listDatabases({ nameOnly: true });
  return all.map(({ name }) => name).filter((name) => /^harbour/.test(name));
}

async function droppers(): Promise<string[]> {
  const { users: all } = await client.db('admin').command({ usersInfo: 1 });
  return (all as { user: string }[]).map(({ user }) => user).filter((user) => user.startsWith('portolan-'));
}

async function fill(...names: readonly string[]): Promise<void> {
  for (const name of names) await client.db(name).collection('ships').insertOne({ name });
}

test('all databases are dropped, with a user that exists only meanwhile', async () => {
  await fill('harbour', 'harbour-2');
  const seen: string[][] = [];
  await dropDatabases(
    connection(),
    { owner: 'a1', renew: async () => void seen.push(await droppers()) },
    random,
  );
  await revokeDrops(connection());
  assert.deepEqual(await databases(), []);
  assert.ok(seen.length >= 2 && seen.every((names) => names.includes('portolan-drop-a1')), String(seen));
  assert.deepEqual(await droppers(), []);
});

test('an instance that continues after its drop was ended drops nothing more', async () => {
  await fill('harbour', 'harbour-2', 'harbour-3');
  let renewals = 0;
  /** Another instance ends the drop after the second renewal, before this instance sends its command. */
  const renew = async () => {
    if (++renewals === 2) await revokeDrops(connection());
  };
  await assert.rejects(dropDatabases(connection(), { owner: 'b2', renew }, random), /auth/i);
  assert.deepEqual([renewals, (await databases()).length], [2, 2]);
  assert.deepEqual(await droppers(), []);
  await client.db('harbour-2').dropDatabase();
});

test('a drop ends when its permit cannot be renewed', async () => {
  await fill('harbour');
  const renew = async () => {
    throw new Error('the permit has expired');
  };
  await assert.rejects(dropDatabases(connection(), { owner: 'c3', renew }, random), /permit has expired/);
  assert.ok((await databases()).includes('harbour'));
});
