import type { MachineClock } from '@portolan/foundation/clock';
import { wait } from '@portolan/foundation/wait';

/** The pause after an update. Without it, a page sends dozens of requests per second while many events are recorded. */
const PAUSE_MS = 2000;

/**
 * Runs updates one after another, with pauses. If two updates ran at the same time, the later update would cancel the
 * requests of the earlier one. An update gets all events since the previous one.
 */
export class Updates<E> {
  readonly #update: (events: readonly E[]) => Promise<void>;
  readonly #machine: Pick<MachineClock, 'after'>;
  #waiting: E[] = [];
  #isRunning = false;

  constructor(update: (events: readonly E[]) => Promise<void>, machine: Pick<MachineClock, 'after'>) {
    this.#update = update;
    this.#machine = machine;
  }

  request(event: E): void {
    this.#waiting.push(event);
    if (!this.#isRunning) void this.#run();
  }

  stop(): void {
    this.#waiting = [];
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      const events = this.#waiting;
      this.#waiting = [];
      await this.#update(events);
      await wait(this.#machine, PAUSE_MS);
    }
    this.#isRunning = false;
  }
}
