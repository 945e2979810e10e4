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
export const HELD_BYTES = 128 * 1024 * 1024;

const RETRY_SECONDS = '1';

interface Waiting {
  readonly bytes: number;
  start(): void;
}

/** Limits the total memory of request bodies, or of large replies, regardless of the number of requests in flight. */
export class BodyBudget {
  #held = 0;
  #workedOn = 0;
  readonly #waiting: Waiting[] = [];

  /** Reserves space for received bytes. Throws 503 if not enough space is left. */
  reserve(bytes: number): void {
    if (this.#held + bytes > HELD_BYTES) this.refuse();
    this.#held += bytes;
  }

  refuse(): never {
    throw generalFaults.SERVICE_UNAVAILABLE().with({ headers: { 'Retry-After': RETRY_SECONDS } });
  }

  release(bytes: number): void {
    this.#held -= bytes;
  }

  /** Runs the work on a body of this size. Large bodies wait in their order of arrival. */
  async run<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    if (bytes <= SMALL_BYTES) return work();
    if (this.#waiting.length > 0 || !this.#fits(bytes)) {
      await new Promise<void>((start) => this.#waiting.push({ bytes, start }));
    } else this.#workedOn += bytes;
    try {
      return await work();
    } finally {
      this.#workedOn -= bytes;
      this.#startNext();
    }
  }

  #fits(bytes: number): boolean {
    return this.#workedOn === 0 || this.#workedOn + bytes <= WORKED_ON_BYTES;
  }

  #startNext(): void {
    for (let next = this.#waiting[0]; next !== undefined && this.#fits(next.bytes); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#workedOn += next.bytes;
      next.start();
    }
  }
}

/** Yields to the event loop between two steps of processing a large body. */
export async function takeTurns(bytes: number): Promise<void> {
  if (bytes > SMALL_BYTES) await nextTurn();
}
