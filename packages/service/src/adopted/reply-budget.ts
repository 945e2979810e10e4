import type { MachineClock } from '@portolan/foundation/clock';
import type { ByteCount } from '../replication/bounded-messages.ts';

/** How much the service reads in a period while it watches a deployment. 300 members send about 30 MB. */
const MAX_BYTES = 64 * 1024 ** 2;
const PERIOD_MS = 10_000;
/** How long the service reads nothing from a deployment that has sent too much. */
const PAUSE_MS = 60_000;

const REASON =
  'the servers sent more than 64 MiB within ten seconds, so the service reads nothing for a minute';

/**
 * Counts the bytes that the servers of a deployment send while the service watches them. Their replies cost memory and
 * time of the service, which also serves other clusters.
 */
export class ReplyBudget implements ByteCount {
  readonly #machine: Pick<MachineClock, 'monotonic'>;
  #began: number;
  #bytes = 0;
  #pausedUntil = 0;

  constructor(machine: Pick<MachineClock, 'monotonic'>) {
    this.#machine = machine;
    this.#began = machine.monotonic();
  }

  refusalOf(bytes: number): string | undefined {
    const now = this.#machine.monotonic();
    if (now < this.#pausedUntil) return REASON;
    if (now - this.#began >= PERIOD_MS) {
      this.#began = now;
      this.#bytes = 0;
    }
    this.#bytes += bytes;
    if (this.#bytes <= MAX_BYTES) return undefined;
    this.#pausedUntil = now + PAUSE_MS;
    return REASON;
  }
}
