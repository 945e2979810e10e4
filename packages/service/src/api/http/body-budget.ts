import { nextTurn } from '@portolan/foundation/next-turn';
import { generalFaults } from '../faults.ts';

/**
 * Bodies up to this size are processed without waiting for other bodies. Nearly all bodies are this small, and
 * processing them adds little to the cost of a request.
 */
export const SMALL_BYTES = 64 * 1024;

/**
 * Total size of the larger bodies that are processed at the same time. A body that is larger than this is processed
 * alone. A body takes up to eight times its size on the heap, because its text, its document and copies exist at the
 * same time.
 */
export const WORKED_ON_BYTES = 2 * 1024 * 1024;

/** Maximum bytes of unfinished bodies of all requests together. */
const HELD_BYTES = 128 * 1024 * 1024;

/**
 * Maximum part of the budget that one owner may hold: an organization, or the address of a caller without credentials.
 * Otherwise, a client that does not end its bodies or does not read its replies would block those of all others.
 */
export const SHARE_BYTES = HELD_BYTES / 2;

const RETRY_SECONDS = '1';

interface Waiting {
  readonly bytes: number;
  start(): void;
}

/** Limits the total memory of request bodies, or of large replies, regardless of the number of requests in flight. */
export class BodyBudget {
  #held = 0;
  #workedOn = 0;
  readonly #ofOwners = new Map<string, number>();
  /** The work that waits, by owner. The owner whose turn is next comes first. */
  readonly #waiting = new Map<string, Waiting[]>();

  /**
   * Reserves space for bytes of an owner. Throws 503 if not enough space is left. One body or reply may be larger than
   * the share. `isSmall`: never throws, because small bodies are limited by the number of connections.
   */
  reserve(bytes: number, owner: string, isSmall = false): void {
    const own = this.heldBy(owner);
    const isOver = this.#held + bytes > HELD_BYTES || (own > 0 && own + bytes > SHARE_BYTES);
    if (isOver && !isSmall) this.refuse();
    this.#change(bytes, owner);
  }

  refuse(): never {
    throw generalFaults.SERVICE_UNAVAILABLE().with({ headers: { 'Retry-After': RETRY_SECONDS } });
  }

  release(bytes: number, owner: string): void {
    this.#change(-bytes, owner);
  }

  heldBy(owner: string): number {
    return this.#ofOwners.get(owner) ?? 0;
  }

  /** How much work of an owner waits. */
  waitingOf(owner: string): number {
    return this.#waiting.get(owner)?.length ?? 0;
  }

  #change(bytes: number, owner: string): void {
    this.#held += bytes;
    const own = this.heldBy(owner) + bytes;
    if (own === 0) this.#ofOwners.delete(owner);
    else this.#ofOwners.set(owner, own);
  }

  /** Runs the work on a body of this size. Owners with large bodies take turns. */
  async run<T>(bytes: number, owner: string, work: () => Promise<T>): Promise<T> {
    if (bytes <= SMALL_BYTES) return work();
    if (this.#waiting.size > 0 || !this.#fits(bytes)) {
      await new Promise<void>((start) => this.#wait(owner, { bytes, start }));
    } else this.#workedOn += bytes;
    try {
      return await work();
    } finally {
      this.#workedOn -= bytes;
      this.#startNext();
    }
  }

  #wait(owner: string, waiting: Waiting): void {
    const own = this.#waiting.get(owner);
    if (own === undefined) this.#waiting.set(owner, [waiting]);
    else own.push(waiting);
  }

  #fits(bytes: number): boolean {
    return this.#workedOn === 0 || this.#workedOn + bytes <= WORKED_ON_BYTES;
  }

  /** Starts the first work of each owner in turn, and moves the owner to the end, until the next work does not fit. */
  #startNext(): void {
    for (;;) {
      const [[owner, [next, ...others]] = ['', []]] = this.#waiting;
      if (next === undefined || !this.#fits(next.bytes)) return;
      this.#waiting.delete(owner);
      if (others.length > 0) this.#waiting.set(owner, others);
      this.#workedOn += next.bytes;
      next.start();
    }
  }
}

/** Yields to the event loop between two steps of processing a large body. */
export async function takeTurns(bytes: number): Promise<void> {
  if (bytes > SMALL_BYTES) await nextTurn();
}
