import assert from 'node:assert/strict';
import type { ClientSession, MongoClient } from 'mongodb';
import { type Dice, dice } from '../random.ts';

/**
 * Drivers move amounts between accounts in transactions. Each transaction also records the transfer. Each acknowledged
 * transaction must exist completely and exactly once: balances must equal the sums of transfers, and no reader may see
 * half of a transfer.
 */

interface Account {
  readonly _id: number;
  readonly amount: number;
  readonly moves: number;
}

interface Transfer {
  readonly _id: string;
  readonly from: number;
  readonly to: number;
  readonly amount: number;
}

const ACCOUNTS = 5;
const AMOUNT = 1000;
const TOTAL = ACCOUNTS * AMOUNT;
/** Reads use a snapshot, and writes survive the loss of a member. */
const options = { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority' } } as const;

export class Ledger {
  /** Wrong sums that transactions have read. */
  readonly findings: string[] = [];
  readonly #driver: MongoClient;
  readonly #acknowledged: string[] = [];
  #isRunning = true;
  #written: Promise<unknown> = Promise.resolve();

  constructor(driver: MongoClient) {
    this.#driver = driver;
  }

  get #accounts() {
    return this.#driver.db('bank').collection<Account>('accounts');
  }

  get #transfers() {
    return this.#driver.db('bank').collection<Transfer>('transfers');
  }

  /** Returns the number of acknowledged transactions. */
  get acknowledged(): number {
    return this.#acknowledged.length;
  }

  /** Creates the accounts, and starts the writers. */
  async begin(writers: number, seed: number): Promise<void> {
    const accounts = Array.from({ length: ACCOUNTS }, (_, _id) => ({ _id, amount: AMOUNT, moves: 0 }));
    await this.#accounts.insertMany(accounts);
    await this.#driver.db('bank').createCollection('transfers');
    const writing = Array.from({ length: writers }, (_, writer) => this.#write(writer, dice(seed + writer)));
    this.#written = Promise.all(writing);
  }

  async #write(writer: number, chance: Dice): Promise<void> {
    for (let number = 0; this.#isRunning; number++) {
      const from = chance.below(ACCOUNTS);
      const to = (from + 1 + chance.below(ACCOUNTS - 1)) % ACCOUNTS;
      const transfer = { _id: `${writer}-${number}`, from, to, amount: 1 + chance.below(9) };
      // A transaction that failed may still have been committed. Its transfer document shows whether it was.
      await this.#driver
        .withSession((session) => session.withTransaction(() => this.#move(session, transfer), options))
        .then(
          () => this.#acknowledged.push(transfer._id),
          () => {},
        );
    }
  }

  async #move(session: ClientSession, transfer: Transfer): Promise<void> {
    const { from, to, amount } = transfer;
    const all = await this.#accounts.find({}, { session }).toArray();
    const sum = all.reduce((total, one) => total + one.amount, 0);
    if (sum !== TOTAL) this.findings.push(`a transaction saw ${sum} in all accounts, not ${TOTAL}`);
    for (const [_id, change] of [
      [from, -amount],
      [to, amount],
    ] as const)
      await this.#accounts.updateOne({ _id }, { $inc: { amount: change, moves: 1 } }, { session });
    await this.#transfers.insertOne(transfer, { session });
  }

  /** Keeps writers from beginning further transactions. */
  stop(): void {
    this.#isRunning = false;
  }

  /** Stops writing. Returns the number of transfers. Fails if the balances differ from the sums of the transfers. */
  async close(): Promise<number> {
    this.stop();
    await this.#written;
    const transfers = await this.#transfers.find({}).toArray();
    const there = new Set(transfers.map(({ _id }) => _id));
    const lost = this.#acknowledged.filter((id) => !there.has(id));
    assert.deepEqual(lost, [], 'acknowledged transactions are lost');
    const expected = Array.from({ length: ACCOUNTS }, (_, _id) => {
      const out = transfers.filter(({ from }) => from === _id);
      const into = transfers.filter(({ to }) => to === _id);
      const sum = (all: readonly Transfer[]) => all.reduce((total, { amount }) => total + amount, 0);
      return { _id, amount: AMOUNT - sum(out) + sum(into), moves: out.length + into.length };
    });
    const accounts = await this.#accounts.find({}).sort({ _id: 1 }).toArray();
    assert.deepEqual(accounts, expected, 'transactions were applied partially or twice');
    return transfers.length;
  }
}
