import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { MongoClient, MongoNetworkError, MongoServerError } from 'mongodb';
import { silentLog } from '../../../runtime/log.ts';
import { systemRandom } from '../../../runtime/random.ts';
import { scramCredentials } from '../access/scram.ts';
import { deploymentSpec } from '../testing.ts';
import { createEmbeddedEngine, type EmbeddedEngine } from './engine.ts';

const random = systemRandom();
const dataDir = mkdtempSync(join(tmpdir(), 'portolan-transactions-'));
const first = 20_000 + random.integer(6_000);
const ACCOUNTS = 8;
const EACH = 100;

interface Account {
  readonly _id: number;
  readonly balance: number;
}

interface Transfer {
  readonly _id: string;
}

let engine: EmbeddedEngine;
let uri: string;
let clusterId: string;
const open: MongoClient[] = [];

before(async () => {
  const scram = await scramCredentials('ada', 'pencil', random);
  const roles = [{ role: 'platformAdmin', database: 'admin' }];
  const users = [{ username: 'ada', database: 'admin', roles, scram }];
  clusterId = '1'.padStart(24, '0');
  const access = { revision: 1, addresses: ['127.0.0.1/32'], users };
  const spec = deploymentSpec({ id: clusterId, access });
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

function connect(): MongoClient {
  const client = new MongoClient(uri, { minHeartbeatFrequencyMS: 10 });
  open.push(client);
  return client;
}

const accounts = (client: MongoClient) => client.db('bank').collection<Account>('accounts');
const transfers = (client: MongoClient) => client.db('bank').collection<Transfer>('transfers');

/** Moves money between accounts, and remembers what was acknowledged: `unknown` is what nobody could tell. */
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

/** Lets tellers work while `disturb` is done some times, each after some more transfers. */
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
    while (count() < target) await Promise.race([all, new Promise(setImmediate)]);
    if (time < times) await disturb();
  }
  working = false;
  await all;
  return tellers;
}

/** What was acknowledged is there, what is there was asked for, and no money has come or gone. */
async function check(tellers: readonly Teller[]): Promise<void> {
  const client = connect();
  const there = new Set((await transfers(client).find().toArray()).map(({ _id }) => _id));
  const acknowledged = tellers.flatMap((teller) => teller.acknowledged);
  const possible = new Set([...acknowledged, ...tellers.flatMap(({ unknown }) => unknown)]);
  for (const id of acknowledged) assert.ok(there.has(id), `${id} was acknowledged and is lost`);
  for (const id of there) assert.ok(possible.has(id), `${id} was never asked for`);
  const balances = await accounts(client).find().toArray();
  assert.equal(
    balances.reduce((sum, { balance }) => sum + balance, 0),
    ACCOUNTS * EACH,
  );
}

suite('transactions while', () => {
  test('the host is killed are there as a whole, and each acknowledged one is', async () => {
    const client = connect();
    await transfers(client).deleteMany({});
    await accounts(client).deleteMany({});
    await accounts(client).insertMany(Array.from({ length: ACCOUNTS }, (_, _id) => ({ _id, balance: EACH })));
    const kill = async () => {
      const { pid } = await engine.status();
      process.kill(pid, 'SIGKILL');
    };
    await check(await workWhile(['a', 'b', 'c'], 3, kill));
  });

  test('another member becomes primary are there as a whole', async () => {
    const client = connect();
    await transfers(client).deleteMany({});
    await check(await workWhile(['d', 'e', 'f'], 3, () => engine.failover(clusterId)));
  });
});
