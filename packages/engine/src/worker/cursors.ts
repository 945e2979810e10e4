import type { MachineClock } from '@portolan/foundation/clock';
import type { Random } from '@portolan/foundation/random';
import { type Repetition, repeat, rethrow } from '@portolan/foundation/repeat';
import type { RawDocument } from '../bson/raw.ts';
import type { Cursors, ListedCursor, OpenCursor } from '../commands/context/cursors.ts';
import type { RunningOperation } from '../commands/context/operations.ts';
import { interruptions } from '../errors/interruption.ts';
import { ServerError } from '../errors/server-error.ts';
import type { MemoryUse } from '../language/workspace.ts';
import { CursorBudget } from './cursor-budget.ts';

/** The idle time after which a cursor is closed, as on the server (`cursorTimeoutMillis`). */
const IDLE_MS = 10 * 60 * 1000;
const SWEEP_MS = 60 * 1000;

/** Maximum size of the opening command that a cursor keeps, in bytes. */
const LONG_COMMAND_BYTES = 4_096;

/** Estimated memory of a cursor that keeps no documents. */
const CURSOR_BYTES = 16_384;
/**
 * Estimated memory for each byte of the opening command. For example, an integer in `$nin` has 11 bytes in the command,
 * and takes about 400 bytes of memory.
 */
const BYTES_PER_COMMAND_BYTE = 32;
/**
 * Maximum number of bytes that count for the opening command. A single command of the maximum size, such as a long
 * `$in`, can thus open a cursor, but a second one exceeds the limit of the cluster.
 */
const MAX_COMMAND_BYTES = 134_217_728;
/** Cursors that hold less than this are closed only if there are no larger ones. */
const LARGE_BYTES = 1_048_576;
/** Number of closed cursors for which the reason is known. */
const MAX_REASONS = 1_000;

interface Entry {
  readonly cursor: OpenCursor;
  /** The memory of the stages that produce the results. */
  readonly memory: MemoryUse;
  /** Estimated memory of the opening command and its compiled form. */
  readonly commandBytes: number;
  /** Number of bytes that the budget counts for this cursor. */
  counted: number;
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
  /** The open cursors by id. The most recently used cursor comes last. */
  readonly #entries = new Map<bigint, Entry>();
  /** The ids of the open cursors, by session. */
  readonly #ofSessions = new Map<string, Set<bigint>>();
  /** The ids of the latest cursors that were closed because cursors held too much memory. */
  readonly #tooLarge = new Set<bigint>();
  readonly #budget: CursorBudget;
  /** The cursor whose memory is being counted. It is not closed to make room for itself. */
  #current: Entry | undefined;
  readonly #sweeping: Repetition;
  /** Number of idle cursors that were closed. */
  timedOut = 0;
  /** Called when idle cursors were closed, because their memory can now be returned to the system. */
  onTimedOut = (): void => {};

  /** `running` returns the operation that is currently running. */
  constructor(
    clock: MachineClock,
    random: Random,
    running: () => RunningOperation | undefined = () => undefined,
    budget = new CursorBudget(),
  ) {
    this.#budget = budget;
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
    const operation = this.#running();
    const left = (operation?.deadline ?? Number.POSITIVE_INFINITY) - used;
    const opened = this.#clock.now();
    const body = operation?.request?.body;
    const command = body !== undefined && body.length <= LONG_COMMAND_BYTES ? body.compact() : undefined;
    const memory = operation?.memory ?? { bytes: 0 };
    const commandBytes = Math.min((body?.length ?? 0) * BYTES_PER_COMMAND_BYTE, MAX_COMMAND_BYTES);
    const { returned } = cursor;
    const counts = { batches: 1, returned, counted: 0 };
    const facts = { cursor, command, memory, commandBytes, opened };
    const entry: Entry = { ...facts, ...counts, used, reader: undefined, left };
    this.#entries.set(id, entry);
    this.#addToSession(id, cursor);
    this.#sweeping.wake(SWEEP_MS);
    this.#limit(id, entry);
    return id;
  }

  #addToSession(id: bigint, { session }: OpenCursor): void {
    if (session === undefined) return;
    const ids = this.#ofSessions.get(session);
    if (ids === undefined) this.#ofSessions.set(session, new Set([id]));
    else ids.add(id);
  }

  #removeFromSession(id: bigint, { session }: OpenCursor): void {
    if (session === undefined) return;
    const ids = this.#ofSessions.get(session);
    ids?.delete(id);
    if (ids?.size === 0) this.#ofSessions.delete(session);
  }

  /** Counts the memory of a cursor, and closes cursors if there is too much. Throws if this cursor has to be closed. */
  #limit(id: bigint, entry: Entry): void {
    const { cursor, memory, commandBytes } = entry;
    const bytes = CURSOR_BYTES + commandBytes + memory.bytes + (cursor.results.keptBytes ?? 0);
    this.#budget.add(this, bytes - entry.counted);
    entry.counted = bytes;
    this.#current = entry;
    const met = this.#budget.enforce(this);
    this.#current = undefined;
    if (met) return;
    this.#remove(id, entry);
    throw new ServerError(
      'ExceededMemoryLimit',
      `the results of a cursor need too much memory: ${bytes} bytes`,
    );
  }

  closeOne(): boolean {
    let longestIdle: [bigint, Entry] | undefined;
    for (const [id, entry] of this.#entries) {
      if (entry.reader !== undefined || entry === this.#current) continue;
      longestIdle ??= [id, entry];
      if (entry.counted < LARGE_BYTES) continue;
      longestIdle = [id, entry];
      break;
    }
    if (longestIdle === undefined) return false;
    const [id, entry] = longestIdle;
    this.#remove(id, entry);
    // Record no reason for the cursor of a change stream. Drivers resume a change stream if its cursor is not found.
    // They would not resume it after the error that contains the reason.
    if (entry.cursor.awaitsData) return true;
    this.#tooLarge.add(id);
    if (this.#tooLarge.size > MAX_REASONS)
      this.#tooLarge.delete(this.#tooLarge.values().next().value as bigint);
    return true;
  }

  missing(id: bigint): ServerError {
    if (!this.#tooLarge.has(id)) return new ServerError('CursorNotFound', `cursor id ${id} not found`);
    return new ServerError(
      'ExceededMemoryLimit',
      `cursor id ${id} was closed, because the open cursors of the cluster held too much memory`,
    );
  }

  #remove(id: bigint, entry: Entry): void {
    this.#entries.delete(id);
    this.#removeFromSession(id, entry.cursor);
    this.#budget.add(this, -entry.counted);
    entry.counted = 0;
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
    if (entry === undefined) throw this.missing(id);
    if (entry.reader !== undefined) {
      throw new ServerError('CursorInUse', `cursor id ${id} is already in use`);
    }
    const reader = this.#running();
    const began = this.#clock.monotonic();
    const deadline = reader?.deadline ?? Number.POSITIVE_INFINITY;
    if (reader?.untimed === false) reader.deadline = Math.min(deadline, began + entry.left);
    entry.reader = reader;
    if (reader !== undefined) {
      reader.originating = entry.command;
      reader.memory = entry.memory;
    }
    this.#entries.delete(id);
    this.#entries.set(id, entry);
    try {
      const batch = read();
      entry.returned += batch.length;
      if (this.#entries.has(id)) this.#limit(id, entry);
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
    if (entry === undefined) return false;
    if (entry.reader !== this.#running()) entry.reader?.kill(interruptions.cursorKilled());
    this.#remove(id, entry);
    return true;
  }

  closeSession(session: string): void {
    for (const id of [...(this.#ofSessions.get(session) ?? [])]) this.close(id);
  }

  closeAll(): void {
    for (const [id, entry] of this.#entries) this.#remove(id, entry);
    void this.#sweeping.stop();
  }

  #sweep(): void {
    const oldest = this.#clock.monotonic() - IDLE_MS;
    const before = this.timedOut;
    for (const [id, entry] of this.#entries) {
      const { cursor, used, reader } = entry;
      if (cursor.noTimeout || reader !== undefined || used > oldest) continue;
      this.#remove(id, entry);
      this.timedOut++;
    }
    if (this.timedOut > before) this.onTimedOut();
  }
}
