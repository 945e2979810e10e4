import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import type { MongoClient } from 'mongodb';
import type { Scope } from './service.ts';

/** A driver that writes all the time, and what the database has acknowledged. */
export interface Logbook {
  readonly errors: readonly unknown[];
  /** Numbers of the documents that are acknowledged so far. */
  readonly acknowledged: readonly number[];
  /** Ends the writing. Fails unless every acknowledged document is there, once. Answers how many that are. */
  close(): Promise<number>;
}

/** Between two writes, which take about as long: without a pause they would take all processors. */
const PAUSE_MS = 2;

/**
 * Begins to write numbered documents, one after another; an error is kept, and the next number is tried. Ends with the
 * scope, if nobody closes it before.
 */
export function keepLogbook(scope: Scope, driver: MongoClient): Logbook {
  const pages = driver.db('ship').collection<{ _id: number }>('pages');
  const acknowledged: number[] = [];
  const errors: unknown[] = [];
  let writing = true;
  async function write(): Promise<void> {
    for (let page = 0; writing; page++) {
      await withoutPool(() => pages.insertOne({ _id: page })).then(
        () => acknowledged.push(page),
        (error) => errors.push(error),
      );
      await setTimeout(PAUSE_MS);
    }
  }
  const written = write();
  scope.after(() => {
    writing = false;
  });
  return {
    errors,
    acknowledged,
    async close() {
      writing = false;
      await written;
      const there = new Set((await pages.find({}).toArray()).map(({ _id }) => _id));
      const lost = acknowledged.filter((page) => !there.has(page));
      assert.deepEqual(lost, [], 'acknowledged documents are lost');
      return acknowledged.length;
    },
  };
}

/** Of members that leave at once. */
const MOST_POOLS = 3;

/**
 * The driver closes the pool of a member that leaves, and with it what waits for a new connection there: that was sent to
 * nobody, and the driver (7.9) does not try it again by itself, as it does where the pool was cleared.
 */
export async function withoutPool<T>(run: () => Promise<T>): Promise<T> {
  for (let closed = 0; ; closed++) {
    try {
      return await run();
    } catch (error) {
      if (Object(error).name !== 'MongoPoolClosedError' || closed === MOST_POOLS) throw error;
    }
  }
}
