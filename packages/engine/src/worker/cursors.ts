import type { MachineClock } from '@portolan/foundation/clock';
import type { Random } from '@portolan/foundation/random';
import { type Repetition, repeat, rethrow } from '@portolan/foundation/repeat';
import type { RawDocument } from '../bson/raw.ts';
import type { Cursors, ListedCursor, OpenCursor } from '../commands/context/cursors.ts';
import type { RunningOperation } from '../commands/context/operations.ts';
import { interruptions } from '../errors/interruption.ts';
import { ServerError } from '../errors/server-error.ts';

/** The idle time after which a cursor is closed, as on the server (`cursorTimeoutMillis`). */
const IDLE_MS = 10 * 60 * 1000;
const SWEEP_MS = 60 * 1000;

/** Maximum size of the opening command that a cursor keeps, in bytes. */
const LONG_COMMAND_BYTES = 4_096;

interface Entry {
  readonly cursor: OpenCursor;
  readonly command: RawDocument | undefined;
  /** The time at which the cursor was opened, in milliseconds since the epoch. */
  readonly opened: number;
  /** The time at which the cursor was last used, in monotonic machine time. */
  used: number;
  batches: number;
  returned: number;
  /** The operation that is reading the cursor. */
  reader: RunningOperation | undefined;
  /** The remaining time for reading, in milliseconds. All batches share the time limit of the opening command. */
  left: number;
}

/** The open cursors of one cluster. */
export class CursorTable implements Cursors {
  readonly #clock: MachineClock;
  readonly #random: Random;
  readonly #running: () => RunningOperation | undefined;
  readonly #entries = new Map<bigint, Entry>();
  readonly #sweeping: Repetition;
  /** Number of idle cursors that were closed. */
  timedOut = 0;

  /** `running` returns the operation that is currently running. */
  constructor(
    clock: MachineClock,
    random: Random,
    running: () => RunningOperation | undefined = () => undefined,
  ) {
    this.#clock = clock;
    this.#random = random;
    this.#running = running;
    this.#sweeping = repeat({
      machine: clock,
      run: () => this.#sweep(),
      interval: () => (this.size > 0 ? SWEEP_MS : Number.POSITIVE_INFINITY),
      onError: rethrow,
    });
  }

  get size(): number {
    return this.#entries.size;
  }

  open(cursor: OpenCursor): bigint {
    let id = this.#newId();
    while (id === 0n || this.#entries.has(id)) id = this.#newId();
    const used = this.#clock.monotonic();
    const left = (this.#running()?.deadline ?? Number.POSITIVE_INFINITY) - used;
    const opened = this.#clock.now();
    const body = this.#running()?.request?.body;
    const command = body !== undefined && body.length <= LONG_COMMAND_BYTES ? body.compact() : undefined;
    const { returned } = cursor;
    const counts = { batches: 1, returned };
    this.#entries.set(id, { cursor, command, opened, used, ...counts, reader: undefined, left });
    this.#sweeping.wake(SWEEP_MS);
    return id;
  }

  /** Creates a positive id, because some tools treat negative ids as errors. */
  #newId(): bigint {
    return this.#random.bytes(8).readBigUInt64LE() >> 1n;
  }

  find(id: bigint): OpenCursor | undefined {
    const entry = this.#entries.get(id);
    if (entry !== undefined) entry.used = this.#clock.monotonic();
    return entry?.cursor;
  }

  reading(id: bigint, read: () => RawDocument[]): RawDocument[] {
    const entry = this.#entries.get(id);
    if (entry === undefined) throw new ServerError('CursorNotFound', `cursor id ${id} not found`);
    if (entry.reader !== undefined) {
      throw new ServerError('CursorInUse', `cursor id ${id} is already in use`);
    }
    const reader = this.#running();
    const began = this.#clock.monotonic();
    const deadline = reader?.deadline ?? Number.POSITIVE_INFINITY;
    if (reader?.untimed === false) reader.deadline = Math.min(deadline, began + entry.left);
    entry.reader = reader;
    if (reader !== undefined) reader.originating = entry.command;
    try {
      const batch = read();
      entry.returned += batch.length;
      return batch;
    } finally {
      if (reader !== undefined) reader.deadline = deadline;
      entry.reader = undefined;
      entry.used = this.#clock.monotonic();
      entry.left -= entry.used - began;
      entry.batches++;
    }
  }

  list(): ListedCursor[] {
    const now = this.#clock.now();
    const since = this.#clock.monotonic();
    return [...this.#entries].map(([id, { cursor, command, opened, used, batches, returned }]) => ({
      id,
      cursor,
      command,
      opened,
      used: now - (since - used),
      batches,
      returned,
    }));
  }

  close(id: bigint): boolean {
    const entry = this.#entries.get(id);
    if (entry?.reader !== this.#running()) entry?.reader?.kill(interruptions.cursorKilled());
    return this.#entries.delete(id);
  }

  closeSession(session: string): void {
    for (const [id, { cursor }] of this.#entries) if (cursor.session === session) this.close(id);
  }

  closeAll(): void {
    this.#entries.clear();
    void this.#sweeping.stop();
  }

  #sweep(): void {
    const oldest = this.#clock.monotonic() - IDLE_MS;
    for (const [id, { cursor, used, reader }] of this.#entries) {
      if (cursor.noTimeout || reader !== undefined || used > oldest) continue;
      this.#entries.delete(id);
      this.timedOut++;
    }
  }
}
