import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { MongoClient, MongoNetworkError } from 'mongodb';
import { silentLog } from '../../../runtime/log.ts';
import { systemRandom } from '../../../runtime/random.ts';
import { scramCredentials } from '../access/scram.ts';
import { deploymentSpec } from '../testing.ts';
import { createEmbeddedEngine, type EmbeddedEngine } from './engine.ts';

const random = systemRandom();
const dataDir = mkdtempSync(join(tmpdir(), 'portolan-retries-'));
const first = 20_000 + random.integer(6_000);

interface Counter {
  readonly _id: number;
  readonly n?: number;
}

let engine: EmbeddedEngine;
let uri: string;
const open: MongoClient[] = [];
/** Writes that a driver has sent a second time. */
let retries = 0;

before(async () => {
  const scram = await scramCredentials('ada', 'pencil', random);
  const roles = [{ role: 'platformAdmin', database: 'admin' }];
  const users = [{ username: 'ada', database: 'admin', roles, scram }];
  const spec = deploymentSpec({
    id: '1'.padStart(24, '0'),
    access: { revision: 1, addresses: ['127.0.0.1/32'], users },
  });
  engine = createEmbeddedEngine({ dataDir, log: silentLog(), ports: { from: 20_000, to: 27_099, first } });
  const { members } = await engine.provision(spec);
  const hosts = members.map(({ host, port }) => `${host}:${port}`).join(',');
  uri = `mongodb://ada:pencil@${hosts}/?replicaSet=${spec.replicaSetName}`;
});
after(async () => {
  await Promise.all(open.map((client) => client.close()));
  await engine.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** What drivers do when nobody says otherwise: retry what may be retried. */
function connect(): MongoClient {
  const client = new MongoClient(uri, { monitorCommands: true });
  const sent = new Set<string>();
  client.on('commandStarted', ({ command: { lsid, txnNumber } }) => {
    if (txnNumber === undefined) return;
    const write = `${lsid.id.toString('hex')} ${txnNumber}`;
    if (sent.has(write)) retries++;
    sent.add(write);
  });
  open.push(client);
  return client;
}

const counters = (client: MongoClient) => client.db('shop').collection<Counter>('counters');

async function kill(): Promise<void> {
  const { pid } = await engine.status();
  process.kill(pid, 'SIGKILL');
}

/** Counts up by two kinds of write, and what came of it: `unknown` are writes whose driver gave up. */
class Writer {
  readonly #id: number;
  readonly #counters = counters(connect());
  acknowledged = 0;
  unknown = 0;

  constructor(id: number) {
    this.#id = id;
  }

  async step(): Promise<void> {
    const [filter, change] = [{ _id: this.#id }, { $inc: { n: 1 } }];
    try {
      if (this.acknowledged % 2 === 0) await this.#counters.updateOne(filter, change, { upsert: true });
      else await this.#counters.findOneAndUpdate(filter, change);
      this.acknowledged++;
    } catch (error) {
      // A driver that was told by another connection first does not try a second time.
      if (!(error instanceof MongoNetworkError) || error.hasErrorLabel('RetryableWriteError')) throw error;
      this.unknown++;
    }
  }
}

suite('drivers that write while the host is killed', () => {
  test('try again by themselves, and every acknowledged write is there exactly once', async () => {
    const writers = [0, 1, 2, 3].map((id) => new Writer(id));
    const count = () => writers.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
    let writing = true;
    const all = Promise.all(
      writers.map(async (writer) => {
        while (writing) await writer.step();
      }),
    );
    for (let kills = 0; kills <= 4; kills++) {
      const target = count() + 100;
      while (count() < target) await Promise.race([all, new Promise(setImmediate)]);
      if (kills < 4) await kill();
    }
    writing = false;
    await all;

    const client = connect();
    for (const [_id, { acknowledged, unknown }] of writers.entries()) {
      const { n = 0 } = (await counters(client).findOne({ _id })) ?? {};
      assert.ok(n >= acknowledged && n <= acknowledged + unknown, `${n} of ${acknowledged} + ${unknown}`);
      const entries = await client.db('local').collection('oplog.rs').find({ 'o2._id': _id }).toArray();
      assert.equal(entries.length, n);
    }
    assert.ok(retries > 0);
  });
});
