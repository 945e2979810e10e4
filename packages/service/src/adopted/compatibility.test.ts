import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FoundServers } from '@portolan/engine/interface/engine';
import { type OtherServer, otherServer } from '@portolan/test-support/adopted-engine';
import { scopeOf } from '@portolan/test-support/service';
import { LONG_TIMEOUTS } from '@portolan/test-support/timeouts';
import { MongoClient, MongoServerError } from 'mongodb';
import { canChangeCompatibility, compatibilityOf, setCompatibility } from './compatibility.ts';
import { inspect } from './inspect.ts';
import { privilegesOf } from './privileges.ts';

const scope = scopeOf({ after });
let server: OtherServer;
let client: MongoClient;
before(async () => {
  server = await otherServer(scope);
  client = new MongoClient(server.uri, LONG_TIMEOUTS);
});
after(() => client.close());

const set = async (wanted: string | undefined) => setCompatibility(client, await inspect(client), wanted);

test('the feature compatibility version is lowered and raised', async () => {
  const own = await compatibilityOf(client);
  assert.equal(own, '8.2');
  for (const version of ['8.0', '8.0', own, undefined]) {
    assert.deepEqual(await set(version), []);
    assert.equal(await compatibilityOf(client), version ?? own);
  }
});

test('a version that the servers do not have is refused with their reason', async () => {
  const [refused, ...others] = await set('4.2');
  assert.deepEqual([refused?.name, others], ['featureCompatibilityVersion', []]);
  assert.match(String(refused?.reason), /4\.2/);
});

test('older servers get no confirmation, which they do not know', async () => {
  const sent: object[] = [];
  const db = () => ({ command: async (command: object) => sent.push(command) });
  const old = { version: '6.0.3', featureCompatibilityVersion: '5.0' } as FoundServers;
  await setCompatibility({ db } as unknown as MongoClient, old, '6.0');
  const command = { setFeatureCompatibilityVersion: '6.0', writeConcern: { w: 'majority' } };
  assert.deepEqual(sent, [command]);
});

test('servers that do not have the command, and users without the privilege, cannot change the version', async () => {
  const privileges = await privilegesOf(client);
  assert.equal(await canChangeCompatibility(client, '8.2', privileges), true);
  assert.equal(await compatibilityOf(client), '8.2');
  assert.equal(await canChangeCompatibility(client, '8.2', []), false);
  assert.equal(await canChangeCompatibility(client, undefined, privileges), false);
  const unknown = new MongoServerError({ message: 'no such command', code: 59 });
  const without = { db: () => ({ command: () => Promise.reject(unknown) }) } as unknown as MongoClient;
  assert.equal(await canChangeCompatibility(without, '7.0', privileges), false);
});
