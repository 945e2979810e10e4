import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { type MongoClient, MongoNetworkError } from 'mongodb';
import { type StartedEngine, startEngine } from './testing/engine.ts';

interface Counter {
  readonly _id: number;
  readonly n?: number;
}

let started: StartedEngine;
/** Number of writes that a driver has retried. */
let retries = 0;

before(async () => {
  started = await startEngine('retries');
});
after(() => started.stop());

/** Connects with the default of drivers, in which retries are enabled. */
function connect(): MongoClient {
  const client = started.connect({ monitorCommands: true });
  const sent = new Set<string>();
  client.on('commandStarted', ({ command: { lsid, txnNumber } }) => {
    if (txnNumber === undefined) return;
    const write = `${lsid.id.toString('hex')} ${txnNumber}`;
    if (sent.has(write)) retries++;
    sent.add(write);
  });
  return client;
}

const counters = (client: MongoClient) => client.db('shop').collection<Counter>('counters');

/**
 * Increments counters by two kinds of writes and counts the acknowledged writes. `unknown` counts the writes
 * whose result is unknown because the driver gave up.
 */
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
      // If another connection has already found that the member is gone, the driver does not retry the write.
      if (!(error instanceof MongoNetworkError) || error.hasErrorLabel('RetryableWriteError')) throw error;
      this.unknown++;
    }
  }
}

suite('drivers that write while the host is killed', () => {
  test('retry by themselves, and every acknowledged write is stored exactly once', async () => {
    const writers = [0, 1, 2, 3].map((id) => new Writer(id));
    const count = () => writers.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
    let writing = true;
    const all = Promise.all(
      writers.map(async (writer) => {
        while (writing) await writer.step();
      }),
    );
    // A kill between two writes causes no retry, so kill the host until a driver has retried a write.
    for (let kills = 0; ; kills++) {
      const target = count() + 100;
      while (count() < target) await Promise.race([all, setTimeout(1)]);
      if (kills >= 4 && retries > 0) break;
      await started.kill();
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
  });
});
