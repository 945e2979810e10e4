import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, suite, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { silentLog } from '@portolan/foundation/log';
import { systemRandom } from '@portolan/foundation/random';
import { enginePorts } from '@portolan/test-support/ports';
import { LONG_TIMEOUTS } from '@portolan/test-support/timeouts';
import { type Document, MongoClient, MongoError, type ReadPreferenceLike } from 'mongodb';
import { scramCredentials } from '../access/scram.ts';
import type { Deployment, DeploymentSpec, UserSpec } from '../interface/engine.ts';
import { deploymentSpec, memberSpec } from '../testing.ts';
import { WireClient } from '../wire/testing.ts';
import { createEmbeddedEngine, type EmbeddedEngine } from './engine.ts';
import { startHost } from './testing/host.ts';

const random = systemRandom();
const dataDir = mkdtempSync(join(tmpdir(), 'portolan-failover-'));
const ports = await enginePorts();
const members = [
  memberSpec(0, { priority: 8 }),
  memberSpec(1),
  memberSpec(2),
  memberSpec(3, { kind: 'analytics', priority: 0 }),
];
const [zero, one, two] = ['shard-00-00', 'shard-00-01', 'shard-00-02'] as const;

let engine: EmbeddedEngine;
let user: UserSpec;
let spec: DeploymentSpec;
let made: Deployment;
let client: MongoClient;
let deployments = 0;
const open: MongoClient[] = [];

before(async () => {
  const scram = await scramCredentials('ada', 'pencil', random);
  user = {
    username: 'ada',
    database: 'admin',
    roles: [
      { role: 'readWriteAnyDatabase', database: 'admin' },
      { role: 'clusterMonitor', database: 'admin' },
    ],
    scram,
  };
  engine = createEmbeddedEngine({ dataDir, startHost, log: silentLog(), ports });
});
beforeEach(async () => {
  const id = (++deployments).toString(16).padStart(24, '0');
  spec = deploymentSpec({ id, members, access: { revision: 1, addresses: ['127.0.0.1/32'], users: [user] } });
  made = await engine.provision(spec);
  client = connect(made.members.map(({ port }) => port));
  await items().insertOne({ _id: 0 });
});
after(async () => {
  await Promise.all(open.map((each) => each.close()));
  await engine.stop();
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
});

/**
 * Interval at which the driver asks a member for its state. It is longer than a test may take, so the driver learns of
 * changes only if the member notifies it.
 */
const HEARTBEAT_MS = 3_600_000;

function connect(ports: readonly number[], direct = false): MongoClient {
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',');
  const client = new MongoClient(`mongodb://${hosts}/?directConnection=${direct}`, {
    auth: { username: 'ada', password: 'pencil' },
    heartbeatFrequencyMS: HEARTBEAT_MS,
    retryWrites: false,
    ...LONG_TIMEOUTS,
    ...(direct ? {} : { replicaSet: spec.replicaSetName }),
  });
  open.push(client);
  return client;
}

const items = (from = client, readPreference: ReadPreferenceLike = 'primary') =>
  from.db('shop').collection<{ _id: number }>('items', { readPreference });

function portOf(memberId: string): number {
  return made.members.find(({ id }) => id === memberId)?.port ?? 0;
}

/** Runs a command on one member. */
async function ask(memberId: string, command: Document): Promise<Document> {
  return connect([portOf(memberId)], true)
    .db('admin')
    .command(command, { readPreference: 'nearest' });
}

/**
 * Retries like an application. The driver itself retries only once, and may do so before it has discovered
 * the new primary.
 */
async function retried<T>(run: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof MongoError)) throw error;
    }
  }
}

/** Repeats a write until it is acknowledged. */
async function write(_id: number): Promise<void> {
  await retried(() => items().updateOne({ _id }, { $set: { written: true } }, { upsert: true }));
}

suite('failover', () => {
  test('after the primary stops another member takes over, and a connected driver continues', async () => {
    const before = await ask(zero, { hello: 1 });
    const stopped = await engine.stopMember(spec.id, zero);
    assert.deepEqual(stopped.primaries, [one]);
    assert.deepEqual(stopped.stopped, [zero]);
    await write(1);
    assert.equal(await retried(() => items().countDocuments()), 2);
    await assert.rejects(WireClient.connect(portOf(zero)), { code: 'ECONNREFUSED' });

    const hello = await ask(one, { hello: 1 });
    assert.equal(hello.isWritablePrimary, true);
    assert.ok(hello.electionId.toHexString() > before.electionId.toHexString());
    const path = join(dataDir, 'engine', 'clusters', spec.id, 'deployment.json');
    const { primaries, term } = JSON.parse(readFileSync(path, 'utf8'));
    assert.deepEqual([primaries, term], [[one], 2]);
    assert.deepEqual(await engine.stopMember(spec.id, zero), stopped);
  });

  test('reads continue through failovers', async () => {
    let reads = 0;
    let reading = true;
    const read = async () => {
      for (; reading; reads++) assert.deepEqual(await retried(() => items().find().toArray()), [{ _id: 0 }]);
    };
    const readers = [read(), read()];
    for (const memberId of [zero, one]) {
      const target = reads + 50;
      while (reads < target) await setTimeout(1);
      await engine.stopMember(spec.id, memberId);
      await engine.startMember(spec.id, memberId);
    }
    reading = false;
    await Promise.all(readers);
  });

  test('the member with the higher priority takes over again when it returns', async () => {
    await engine.stopMember(spec.id, zero);
    const { elections, ...back } = await engine.startMember(spec.id, zero);
    const { elections: _, ...before } = made;
    assert.deepEqual(back, before);
    assert.deepEqual(
      elections?.slice(-2).map(({ memberId }) => memberId),
      [one, zero],
    );
    assert.equal((await ask(zero, { hello: 1 })).isWritablePrimary, true);
    await write(1);
  });

  test('among equals the primary stays', async () => {
    await engine.stopMember(spec.id, zero);
    await engine.failover(spec.id, one);
    await engine.stopMember(spec.id, one);
    assert.deepEqual((await engine.describe(spec.id))?.primaries, []);
    assert.deepEqual((await engine.startMember(spec.id, one)).primaries, [one]);
  });

  test('without a majority of voters there are no writes, and secondaries still serve reads', async () => {
    await engine.stopMember(spec.id, zero);
    const alone = await engine.stopMember(spec.id, two);
    assert.deepEqual(alone.primaries, []);
    const direct = connect([portOf(one)], true);
    await assert.rejects(items(direct).insertOne({ _id: 1 }), {
      code: 10_107,
      codeName: 'NotWritablePrimary',
    });
    assert.equal(await retried(() => items(client, 'secondary').countDocuments()), 1);

    const hello = await ask(one, { hello: 1 });
    assert.deepEqual([hello.isWritablePrimary, hello.primary, hello.secondary], [false, undefined, true]);
    const status = await ask(one, { replSetGetStatus: 1 });
    assert.deepEqual(
      status.members.map(({ state, health }: Document) => [state, health]),
      [
        [8, 0],
        [2, 1],
        [8, 0],
        [2, 1],
      ],
    );
    assert.deepEqual((await engine.startMember(spec.id, two)).primaries, [one]);
    await write(1);
  });

  test('a primary steps down once, however often it is requested', async () => {
    const next = await engine.failover(spec.id, zero);
    assert.deepEqual(next.primaries, [one]);
    assert.deepEqual(await engine.failover(spec.id, zero), next);
    await write(1);
    assert.equal((await ask(zero, { hello: 1 })).secondary, true);
    assert.deepEqual((await engine.failover(spec.id)).primaries, [zero]);
  });

  test('a primary without an eligible successor stays', async () => {
    const single = { ...spec, members: [memberSpec(0)] };
    await engine.reconfigure(single);
    await assert.rejects(engine.failover(spec.id), { message: 'no other member can become primary' });
    assert.deepEqual((await engine.describe(spec.id))?.primaries, [zero]);
    await assert.rejects(engine.stopMember(spec.id, 'x'), {
      message: `deployment ${spec.id} has no member x`,
    });
  });

  test('a stopped member stays stopped over a pause, a change of members and the end of the host', async () => {
    const stopped = await engine.stopMember(spec.id, zero);
    await engine.pause(spec.id);
    assert.deepEqual(await engine.resume(spec.id), stopped);
    process.kill((await engine.status()).pid, 'SIGKILL');
    assert.deepEqual(await engine.describe(spec.id), stopped);
    await assert.rejects(WireClient.connect(portOf(zero)), { code: 'ECONNREFUSED' });
    const fewer = await engine.reconfigure({
      ...spec,
      members: [memberSpec(1), memberSpec(2), memberSpec(4)],
    });
    assert.equal(fewer.stopped, undefined);
  });
});
