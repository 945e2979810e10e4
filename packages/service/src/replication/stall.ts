import type { MachineClock } from '@portolan/foundation/clock';
import { type MongoClient, MongoServerError, type Timestamp } from 'mongodb';

/** How long a stream may stay at its position. Servers write a no-op entry every ten seconds by default. */
const STALL_MS = 15_000;
/** How many oplog notes a source gets before the copy fails. */
const MAX_NOTES = 3;

/** Thrown if a change stream does not reach the newest operation of its source. */
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
 * Makes the change stream of an idle source reach the newest operation. The resume token of an empty batch is
 * a high-water mark. The mark passes an operation only when the oplog gets another entry.
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
   * Must be called after each batch. While the stream stays at its position, writes a note to the oplog of the source
   * at intervals, if the user is allowed to. Throws `Stalled` after `MAX_NOTES` notes without effect.
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
    // Limit the number of notes instead of the time, because time also passes while a server does not respond.
    this.#since = now;
    this.#notes++;
    await this.#note();
  }

  async #note(): Promise<void> {
    const note = { appendOplogNote: 1, data: { msg: 'Portolan waits for the next entry' } };
    try {
      await this.#source.db('admin').command(note);
    } catch (error) {
      // Ignore an error of the server: the user lacks the role, or the server lacks the command.
      if (!(error instanceof MongoServerError)) throw error;
    }
  }
}
