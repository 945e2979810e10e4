import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { silentLog } from '@portolan/foundation/log';
import { systemRandom } from '@portolan/foundation/random';
import { enginePorts } from '@portolan/test-support/ports';
import { LONG_TIMEOUTS } from '@portolan/test-support/timeouts';
import { type Document, Long, serialize } from 'bson';
import { MongoClient } from 'mongodb';
import { scramCredentials } from '../access/scram.ts';
import { deploymentSpec } from '../testing.ts';
import { body, opMsg, WireClient } from '../wire/testing.ts';
import { logIn } from '../wire/testing-login.ts';
import { createEmbeddedEngine, type EmbeddedEngine } from './engine.ts';
import { startHost } from './testing/host.ts';

const random = systemRandom();
const dataDir = mkdtempSync(join(tmpdir(), 'portolan-interruption-'));
const ports = await enginePorts();
const EXHAUST_ALLOWED = 1 << 16;

let engine: EmbeddedEngine;
let client: MongoClient;
let port: number;

before(async () => {
  const scram = await scramCredentials('ada', 'pencil', random);
  const roles = [{ role: 'platformAdmin', database: 'admin' }];
  const users = [{ username: 'ada', database: 'admin', roles, scram }];
  const access = { revision: 1, addresses: ['127.0.0.1/32'], users };
  engine = createEmbeddedEngine({ dataDir, startHost, log: silentLog(), ports });
  const { members } = await engine.provision(deploymentSpec({ id: '1'.padStart(24, '0'), access }));
  port = members[0]?.port ?? 0;
  const uri = `mongodb://ada:pencil@127.0.0.1:${port}/?directConnection=true&appName=tests`;
  client = await MongoClient.connect(uri, LONG_TIMEOUTS);
});
after(async () => {
  await client.close();
  await engine.stop();
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
});

/**
 * Returns a pipeline that takes days unless it is interrupted. This is much longer than a test may take. The command
 * `npm run soak -- turns` measures how soon statements are interrupted.
 */
function endless(comment: string): Document {
  const range = { $range: [0, 20_000] };
  const inner = { $map: { input: range, as: 'x', in: { $add: ['$$x', 1] } } };
  const over = (size: object) => ({
    $reduce: { input: range, initialValue: 0, in: { $add: ['$$value', size] } },
  });
  const sum = over(over({ $size: inner }));
  return {
    aggregate: 1,
    pipeline: [{ $documents: [{ a: 1 }] }, { $project: { sum } }],
    cursor: {},
    comment,
  };
}

async function running(comment: string): Promise<Document | undefined> {
  const { inprog } = await client.db('admin').command({ currentOp: 1, 'command.comment': comment });
  return inprog.find(({ command }: Document) => command.aggregate === 1);
}

async function started(comment: string): Promise<Document> {
  for (;;) {
    const operation = await running(comment);
    if (operation !== undefined) return operation;
    await setTimeout(5);
  }
}

suite('a long statement', () => {
  test('is listed by currentOp, and killOp ends it', async () => {
    const ended = assert.rejects(client.db('test').command(endless('kill')), { code: 11601 });
    const { opid, appName, ns, secs_running, client: address } = await started('kill');
    assert.deepEqual([appName, ns], ['tests', 'test.$cmd.aggregate']);
    assert.ok(Number.isInteger(secs_running) && secs_running >= 0, `${secs_running} s`);
    assert.match(address, /^127\.0\.0\.1:\d+$/);
    await client.db('admin').command({ killOp: 1, op: opid });
    await ended;
  });

  test('ends after its time limit', async () => {
    await assert.rejects(client.db('test').command({ ...endless('time'), maxTimeMS: 50 }), { code: 50 });
  });

  test('ends after its connection ends', async () => {
    const stranger = await WireClient.connect(port);
    await logIn(stranger, 'ada', 'pencil');
    stranger.send(opMsg(0, body(serialize({ ...endless('gone'), $db: 'test' }))));
    await started('gone');
    stranger.end();
    while ((await running('gone')) !== undefined) await setTimeout(5);
  });

  test('is listed with idle connections, cursors and traffic', async () => {
    const documents = client.db('test').collection<{ _id: number }>('listed');
    await documents.insertMany(Array.from({ length: 10 }, (_, _id) => ({ _id })));
    const cursor = documents.find({}, { batchSize: 2 });
    await cursor.next();
    const { inprog } = await client.db('admin').command({ currentOp: 1, $all: true });
    const idle = inprog.find(({ type }: Document) => type === 'idleCursor');
    assert.deepEqual([idle.ns, idle.cursor.originatingCommand.find], ['test.listed', 'listed']);
    assert.ok(inprog.some(({ active, desc }: Document) => !active && desc?.startsWith('conn')));
    await cursor.close();
    const { connections, network } = await client.db('admin').command({ serverStatus: 1 });
    assert.ok(connections.current >= 2 && connections.active >= 1 && network.bytesIn > 0);
  });
});

test('a statement that needs too much memory is rejected, and its connection stays open', async () => {
  const stranger = await WireClient.connect(port);
  await logIn(stranger, 'ada', 'pencil');
  const doubled = { $concatArrays: ['$$value', '$$value'] };
  for (const big of [
    { $range: [0, 2_147_483_647] },
    { $reduce: { input: { $range: [0, 64] }, initialValue: [1], in: doubled } },
  ]) {
    const pipeline = [{ $documents: [{ a: 1 }] }, { $project: { n: { $size: [big] } } }];
    const reply = await stranger.command({ aggregate: 1, pipeline, cursor: {}, $db: 'test' });
    assert.deepEqual([reply.code, reply.codeName], [146, 'ExceededMemoryLimit']);
  }
  assert.equal((await stranger.command({ ping: 1, $db: 'admin' })).ok, 1);
  stranger.end();
});

test('a cursor is streamed to its end with exhaust', async () => {
  await client
    .db('test')
    .collection<{ _id: number }>('many')
    .insertMany(Array.from({ length: 250 }, (_, _id) => ({ _id })));
  const reader = await WireClient.connect(port);
  await logIn(reader, 'ada', 'pencil');
  const { cursor } = await reader.command({ find: 'many', batchSize: 0, $db: 'test' });
  const getMore = {
    getMore: Long.fromBigInt(BigInt(cursor.id)),
    collection: 'many',
    batchSize: 100,
    $db: 'test',
  };
  const answers = [reader.receive(), reader.receive(), reader.receive()];
  reader.send(opMsg(EXHAUST_ALLOWED, body(serialize(getMore))));
  const batches = await Promise.all(answers);
  assert.deepEqual(
    batches.map((answer) => [answer.cursor.nextBatch.length, Number(answer.cursor.id) === 0]),
    [
      [100, false],
      [100, false],
      [50, true],
    ],
  );
  assert.equal((await reader.command({ ping: 1, $db: 'admin' })).ok, 1);
  reader.end();
});
