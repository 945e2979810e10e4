import type { MachineClock } from '@portolan/foundation/clock';
import { wait } from '@portolan/foundation/wait';

/**
 * The pause after an update. Without it, a page sends dozens of requests per second while many events are recorded. The
 * service allows 100 requests per minute for the events of a project, by all callers together.
 */
const PAUSE_MS = 2000;

/**
 * Runs updates one after another, with pauses. If two updates ran at the same time, the later update would cancel the
 * requests of the earlier one.
 */
export class Updates {
  readonly #update: () => Promise<void>;
  readonly #machine: Pick<MachineClock, 'after'>;
  #isRequested = false;
  #isRunning = false;

  constructor(update: () => Promise<void>, machine: Pick<MachineClock, 'after'>) {
    this.#update = update;
    this.#machine = machine;
  }

  request(): void {
    this.#isRequested = true;
    if (!this.#isRunning) void this.#run();
  }

  stop(): void {
    this.#isRequested = false;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#isRequested) {
      this.#isRequested = false;
      await this.#update();
      await wait(this.#machine, PAUSE_MS);
    }
    this.#isRunning = false;
  }
}
