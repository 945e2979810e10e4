import type { MachineClock } from '@portolan/foundation/clock';
import { type MongoClient, MongoServerError, type Timestamp } from 'mongodb';

/** How long a stream may stay at its position. Servers write a no-op entry every ten seconds by default. */
const STALL_MS = 15_000;
/** How many oplog notes a source gets before the copy fails. */
const MAX_NOTES = 3;

/** The error if a change stream does not reach the newest operation of its source. */
export class Stalled extends Error {
  constructor() {
    super(
      'The change stream of the source does not reach its newest operation, because the servers write no periodic ' +
        'no-op entries. Set the server parameter writePeriodicNoops to true, or give the user the role clusterManager.',
    );
    this.name = 'Stalled';
  }
}

/**
 * Ends the wait for the newest operation of an idle source. The resume token of an empty batch is a high-water mark,
 * which passes an operation only with the next entry in the oplog.
 */
export class StallWatch {
  readonly #machine: MachineClock;
  readonly #source: MongoClient;
  #position: Timestamp | undefined;
  #since = 0;
  #notes = 0;

  constructor(machine: MachineClock, source: MongoClient) {
    this.#machine = machine;
    this.#source = source;
  }

  /**
   * Call after each batch. While the stream stays at its position, writes a note to the oplog of the source now and
   * then, if the user may do that. If that does not help, throws `Stalled`.
   */
  async check(position: Timestamp, isEmpty: boolean): Promise<void> {
    const now = this.#machine.monotonic();
    // All changes of a transaction have the same position.
    if (!isEmpty || this.#position === undefined || position.greaterThan(this.#position)) {
      this.#position = position;
      this.#since = now;
      this.#notes = 0;
    }
    if (now - this.#since < STALL_MS) return;
    if (this.#notes === MAX_NOTES) throw new Stalled();
    // Count notes and not the time, which also passes while a server does not respond.
    this.#since = now;
    this.#notes++;
    await this.#note();
  }

  async #note(): Promise<void> {
    const note = { appendOplogNote: 1, data: { msg: 'Portolan waits for the next entry' } };
    try {
      await this.#source.db('admin').command(note);
    } catch (error) {
      // The user lacks the role, or the server lacks the command.
      if (!(error instanceof MongoServerError)) throw error;
    }
  }
}
