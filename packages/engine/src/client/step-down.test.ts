import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { silentLog } from '@portolan/foundation/log';
import { systemRandom } from '@portolan/foundation/random';
import { enginePorts } from '@portolan/test-support/ports';
import { LONG_TIMEOUTS } from '@portolan/test-support/timeouts';
import { MongoClient } from 'mongodb';
import { scramCredentials } from '../access/scram.ts';
import { deploymentSpec, memberSpec } from '../testing.ts';
import { createEmbeddedEngine, type EmbeddedEngine } from './engine.ts';
import { eventually } from './testing/eventually.ts';
import { startHost } from './testing/host.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'portolan-step-down-'));
const [zero, one] = ['shard-00-00', 'shard-00-01'] as const;
const members = [memberSpec(0, { priority: 8 }), memberSpec(1), memberSpec(2, { priority: 1 })];
const id = '0'.repeat(24);
let engine: EmbeddedEngine;
/** A direct connection to each member. */
const clients = new Map<string, MongoClient>();

before(async () => {
  engine = createEmbeddedEngine({ dataDir, startHost, log: silentLog(), ports: await enginePorts() });
  const scram = await scramCredentials('ada', 'pencil', systemRandom());
  const user = { username: 'ada', database: 'admin', roles: [{ role: 'root', database: 'admin' }], scram };
  const access = { revision: 1, addresses: ['127.0.0.1/32'], users: [user] };
  const made = await engine.provision(deploymentSpec({ id, members, access }));
  for (const { id: member, port } of made.members) {
    clients.set(
      member,
      new MongoClient(`mongodb://ada:pencil@127.0.0.1:${port}/?directConnection=true`, LONG_TIMEOUTS),
    );
  }
});
after(async () => {
  await Promise.all([...clients.values()].map((client) => client.close()));
  await engine.stop();
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
});

const on = (member: string) => (clients.get(member) as MongoClient).db('admin');
const primaries = async () => (await engine.describe(id))?.primaries;

test('when the primary steps down, another is elected before it replies', async () => {
  assert.deepEqual(await primaries(), [zero]);
  assert.equal((await on(zero).command({ replSetStepDown: 600 })).ok, 1);
  assert.equal((await on(zero).command({ hello: 1 })).isWritablePrimary, false);
  assert.deepEqual(await primaries(), [one]);
  assert.equal((await on(one).collection('c').insertOne({ a: 1 })).acknowledged, true);
});

test('a member that has stepped down or is frozen is not elected before its time', async () => {
  const frozen = 'shard-00-02';
  assert.equal((await on(frozen).command({ replSetFreeze: 600 })).ok, 1);
  assert.equal((await on(frozen).command({ replSetFreeze: 0 })).info, 'unfreezing');
  await on(one).command({ replSetStepDown: 600 });
  assert.deepEqual(await primaries(), [frozen]);
  await on(zero).command({ replSetFreeze: 0 });
  assert.deepEqual(await eventually(primaries, (found) => found?.[0] === zero), [zero]);
});

test('both commands are rejected where they are invalid', async () => {
  await assert.rejects(on(one).command({ replSetStepDown: 60 }), { code: 10107 });
  await assert.rejects(on(zero).command({ replSetFreeze: 60 }), { code: 95 });
  await assert.rejects(on(zero).command({ replSetStepDown: -1 }), { code: 2 });
  await assert.rejects(on(zero).command({ replSetStepDown: 5 }), { code: 2 });
});

test('the oplog of a member has the entries of its replica set', async () => {
  const config = await on(zero).admin().command({ replSetGetConfig: 1 });
  const local = (clients.get(zero) as MongoClient).db('local');
  const stored = await local.collection<{ _id: string }>('system.replset').findOne();
  assert.deepEqual(stored, config.config);
});
