import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { systemRandom } from '@portolan/foundation/random';
import { type MongoClient, MongoNetworkError, MongoServerError } from 'mongodb';
import { type StartedEngine, startEngine } from './testing/engine.ts';

const random = systemRandom();
const ACCOUNTS = 8;
const EACH = 100;

interface Account {
  readonly _id: number;
  readonly balance: number;
}

interface Transfer {
  readonly _id: string;
}

let started: StartedEngine;

before(async () => {
  started = await startEngine('transactions');
});
after(() => started.stop());

const connect = () => started.connect({ minHeartbeatFrequencyMS: 10 });

const accounts = (client: MongoClient) => client.db('bank').collection<Account>('accounts');
const transfers = (client: MongoClient) => client.db('bank').collection<Transfer>('transfers');

/**
 * Moves money between accounts and counts acknowledged transfers. `unknown` contains the transfers whose outcome is
 * unknown.
 */
class Teller {
  readonly #name: string;
  readonly #client = connect();
  #count = 0;
  readonly acknowledged: string[] = [];
  readonly unknown: string[] = [];

  constructor(name: string) {
    this.#name = name;
  }

  async step(): Promise<void> {
    const _id = `${this.#name}-${++this.#count}`;
    const [from, to] = [random.integer(ACCOUNTS), random.integer(ACCOUNTS)];
    const session = this.#client.startSession();
    try {
      await session.withTransaction(async () => {
        await accounts(this.#client).updateOne({ _id: from }, { $inc: { balance: -1 } }, { session });
        await accounts(this.#client).updateOne({ _id: to }, { $inc: { balance: 1 } }, { session });
        await transfers(this.#client).insertOne({ _id }, { session });
      });
      this.acknowledged.push(_id);
    } catch (error) {
      if (!(error instanceof MongoNetworkError) && !(error instanceof MongoServerError)) throw error;
      this.unknown.push(_id);
    } finally {
      await session.endSession();
    }
  }
}

/** Runs tellers and calls `disturb` repeatedly, each time after some more transfers. */
async function workWhile(names: readonly string[], times: number, disturb: () => Promise<unknown>) {
  const tellers = names.map((name) => new Teller(name));
  const count = () => tellers.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
  let working = true;
  const all = Promise.all(
    tellers.map(async (teller) => {
      while (working) await teller.step();
    }),
  );
  for (let time = 0; time <= times; time++) {
    const target = count() + 30;
    while (count() < target) await Promise.race([all, setTimeout(1)]);
    if (time < times) await disturb();
  }
  working = false;
  await all;
  return tellers;
}

/**
 * Checks that acknowledged transfers are stored, that stored transfers were requested, and that the total is unchanged.
 */
async function check(tellers: readonly Teller[]): Promise<void> {
  const client = connect();
  const there = new Set((await transfers(client).find().toArray()).map(({ _id }) => _id));
  const acknowledged = tellers.flatMap((teller) => teller.acknowledged);
  const possible = new Set([...acknowledged, ...tellers.flatMap(({ unknown }) => unknown)]);
  for (const id of acknowledged) assert.ok(there.has(id), `${id} was acknowledged and is lost`);
  for (const id of there) assert.ok(possible.has(id), `${id} was never requested`);
  const balances = await accounts(client).find().toArray();
  assert.equal(
    balances.reduce((sum, { balance }) => sum + balance, 0),
    ACCOUNTS * EACH,
  );
}

suite('transactions during', () => {
  test('kills of the host are atomic, and acknowledged ones are durable', async () => {
    const client = connect();
    await transfers(client).deleteMany({});
    await accounts(client).deleteMany({});
    await accounts(client).insertMany(Array.from({ length: ACCOUNTS }, (_, _id) => ({ _id, balance: EACH })));
    await check(await workWhile(['a', 'b', 'c'], 3, () => started.kill()));
  });

  test('elections of another primary are atomic', async () => {
    const client = connect();
    await transfers(client).deleteMany({});
    await check(await workWhile(['d', 'e', 'f'], 3, () => started.engine.failover(started.clusterId)));
  });
});
