import type { MachineClock } from '../../../runtime/clock.ts';
import type { Random } from '../../../runtime/random.ts';
import type { Cursors, OpenCursor } from '../command.ts';

/** A cursor that nobody has asked for anything for this long is closed. */
const IDLE_MS = 10 * 60 * 1000;
const SWEEP_MS = 60 * 1000;

interface Entry {
  readonly cursor: OpenCursor;
  /** Monotonic machine time. */
  used: number;
}

/** The open cursors of one cluster. */
export class CursorTable implements Cursors {
  readonly #clock: MachineClock;
  readonly #random: Random;
  readonly #entries = new Map<bigint, Entry>();
  #cancelSweep: (() => void) | undefined;

  constructor(clock: MachineClock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  get size(): number {
    return this.#entries.size;
  }

  open(cursor: OpenCursor): bigint {
    let id = this.#newId();
    while (id === 0n || this.#entries.has(id)) id = this.#newId();
    this.#entries.set(id, { cursor, used: this.#clock.monotonic() });
    this.#scheduleSweep();
    return id;
  }

  /** Positive: some tools take a negative id for an error. */
  #newId(): bigint {
    return this.#random.bytes(8).readBigUInt64LE() >> 1n;
  }

  find(id: bigint): OpenCursor | undefined {
    const entry = this.#entries.get(id);
    if (entry !== undefined) entry.used = this.#clock.monotonic();
    return entry?.cursor;
  }

  close(id: bigint): boolean {
    return this.#entries.delete(id);
  }

  closeSession(session: string): void {
    for (const [id, { cursor }] of this.#entries) if (cursor.session === session) this.#entries.delete(id);
  }

  closeAll(): void {
    this.#entries.clear();
    this.#cancelSweep?.();
    this.#cancelSweep = undefined;
  }

  #scheduleSweep(): void {
    this.#cancelSweep ??= this.#clock.after(SWEEP_MS, () => {
      this.#cancelSweep = undefined;
      this.#sweep();
    });
  }

  #sweep(): void {
    const oldest = this.#clock.monotonic() - IDLE_MS;
    for (const [id, { cursor, used }] of this.#entries) {
      if (!cursor.lasting && used <= oldest) this.#entries.delete(id);
    }
    if (this.#entries.size > 0) this.#scheduleSweep();
  }
}
