import assert from 'node:assert/strict';
import type { ClientSession, MongoClient } from 'mongodb';
import { type Dice, dice } from '../random.ts';

/**
 * Drivers that move amounts between accounts in transactions, each of which writes down what it moves. Whatever was
 * acknowledged is there, once and whole, so that the accounts hold what the transfers say; and nobody who reads both
 * accounts at one moment sees half of one.
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
/** Transactions are read as they were at one moment, and acknowledged when they outlive a member. */
const options = { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority' } } as const;

export class Ledger {
  /** Sums that were not what they should be. */
  readonly findings: string[] = [];
  readonly #driver: MongoClient;
  readonly #acknowledged: string[] = [];
  #goesOn = true;
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

  /** How many transactions so far. */
  get acknowledged(): number {
    return this.#acknowledged.length;
  }

  /** So many writers begin. */
  async begin(writers: number, seed: number): Promise<void> {
    const accounts = Array.from({ length: ACCOUNTS }, (_, _id) => ({ _id, amount: AMOUNT, moves: 0 }));
    await this.#accounts.insertMany(accounts);
    await this.#driver.db('bank').createCollection('transfers');
    const writing = Array.from({ length: writers }, (_, writer) => this.#write(writer, dice(seed + writer)));
    this.#written = Promise.all(writing);
  }

  async #write(writer: number, chance: Dice): Promise<void> {
    for (let number = 0; this.#goesOn; number++) {
      const from = chance.below(ACCOUNTS);
      const to = (from + 1 + chance.below(ACCOUNTS - 1)) % ACCOUNTS;
      const transfer = { _id: `${writer}-${number}`, from, to, amount: 1 + chance.below(9) };
      // One that fails may be done all the same: its own document tells.
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

  /** Nobody begins another transaction. */
  stop(): void {
    this.#goesOn = false;
  }

  /** Ends the writing, and answers how many transfers there are. Fails unless the accounts hold what these say. */
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
    assert.deepEqual(accounts, expected, 'transactions are done in part, or twice');
    return transfers.length;
  }
}
