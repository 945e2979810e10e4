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
import { Probes } from './probes.ts';

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
  const can = (asked: MongoClient, reported: string | undefined, own = privileges) =>
    canChangeCompatibility(asked, reported, { privileges: own, probes: new Probes() });
  assert.equal(await can(client, '8.2'), true);
  assert.equal(await compatibilityOf(client), '8.2');
  assert.equal(await can(client, '8.2', []), false);
  assert.equal(await can(client, undefined), false);
  const unknown = new MongoServerError({ message: 'no such command', code: 59 });
  const without = { db: () => ({ command: () => Promise.reject(unknown) }) } as unknown as MongoClient;
  assert.equal(await can(without, '7.0'), false);
});

test('the servers get an invalid version only once for each of their versions, and after each outage', async () => {
  let asked = 0;
  const command = async () => {
    asked++;
    throw new MongoServerError({ message: 'no such version', code: 2 });
  };
  const counting = { db: () => ({ command }) } as unknown as MongoClient;
  const privileges = await privilegesOf(client);
  const probes = new Probes();
  const inspections = async (version: string) => {
    for (const _ of ['the first inspection', 'the second'])
      assert.equal(
        await canChangeCompatibility(counting, '8.0', { privileges, probes: probes.at(version) }),
        true,
      );
    return asked;
  };
  assert.equal(await inspections('8.0.1'), 1);
  assert.equal(await inspections('8.0.2'), 2);
  probes.forget();
  assert.equal(await inspections('8.0.2'), 3);
});
