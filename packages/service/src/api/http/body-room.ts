import { generalFaults } from '../faults.ts';

/** Up to this a body is worked on at once, as nearly all are: they are small beside what a request costs anyway. */
const SMALL_BYTES = 64 * 1024;

/** Of the larger ones, so much at a time, or one: text, document and copies take up to eight times as much heap. */
const WORKED_ON_BYTES = 2 * 1024 * 1024;

/** What all requests together may hold of bodies that are not done with. */
const HELD_BYTES = 128 * 1024 * 1024;

const RETRY_SECONDS = '1';

interface Waiting {
  readonly bytes: number;
  start(): void;
}

/** Bounds what bodies take of memory, however many requests bring them at the same time. */
export class BodyRoom {
  #held = 0;
  #workedOn = 0;
  readonly #waiting: Waiting[] = [];

  /** Throws 503 where there is no more room for bytes that have come; all that is held is let go one day. */
  hold(bytes: number): void {
    if (this.#held + bytes > HELD_BYTES)
      throw generalFaults.SERVICE_UNAVAILABLE().with({ headers: { 'Retry-After': RETRY_SECONDS } });
    this.#held += bytes;
  }

  letGo(bytes: number): void {
    this.#held -= bytes;
  }

  /** Does what a body of this size asks for, in the order in which large ones came. */
  async workOn<T>(bytes: number, work: () => Promise<T>): Promise<T> {
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

/** Lets others have their turn between two steps of work on a large body. */
export async function takeTurns(bytes: number): Promise<void> {
  if (bytes > SMALL_BYTES) await new Promise((resolve) => setImmediate(resolve));
}
