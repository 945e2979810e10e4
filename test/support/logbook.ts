import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import type { MongoClient } from 'mongodb';
import type { Scope } from './service.ts';

/** A driver that writes continuously, and a record of what the database has acknowledged. */
export interface Logbook {
  readonly errors: readonly unknown[];
  /** The numbers of all documents acknowledged so far. */
  readonly acknowledged: readonly number[];
  /** Stops writing. Returns the number of acknowledged documents. Fails unless all of them exist. */
  close(): Promise<number>;
}

/** The pause between two writes. Without it, the writes would use all processors. */
const PAUSE_MS = 2;

/**
 * Writes numbered documents one after another. Records an error, and continues with the next number. Ends with the
 * scope, unless it is closed before.
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

/** How many members may be removed at the same time. */
const MAX_POOLS = 3;

/**
 * Runs an operation again if the driver has closed its connection pool. When a member is removed, the driver closes the
 * pool of the member, and the operations that wait for a connection fail. These operations were never sent.
 * Nevertheless, the driver (7.9) does not retry them, as it does after clearing a pool.
 */
export async function withoutPool<T>(run: () => Promise<T>): Promise<T> {
  for (let closed = 0; ; closed++) {
    try {
      return await run();
    } catch (error) {
      if (Object(error).name !== 'MongoPoolClosedError' || closed === MAX_POOLS) throw error;
    }
  }
}
