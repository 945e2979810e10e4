import type { MachineClock } from '@portolan/foundation/clock';
import type { Random } from '@portolan/foundation/random';
import { SerialQueue } from '@portolan/foundation/serial-queue';
import { wait } from '@portolan/foundation/wait';

export interface RetryOptions {
  readonly machine: MachineClock;
  readonly random: Random;
  readonly isConflict: (error: unknown) => boolean;
  /**
   * Maximum number of retries. The default number of retries takes about one second, including the pauses between them.
   */
  readonly limit?: number;
}

/** Maximum pause between attempts, in milliseconds. */
const LONGEST_PAUSE = 8;
/**
 * If at least this many transactions wait for a retry, conflicts are likely, and new transactions wait until these
 * retries have ended. If fewer transactions wait, a new transaction runs at once, because it probably conflicts with
 * none of them.
 */
const CROWD = 4;

/**
 * Retries transactions after conflicts. The retries of this process run one after another, because they would conflict
 * again if they ran in parallel.
 */
export function retrying(options: RetryOptions) {
  const { isConflict, limit = 200 } = options;
  const queue = new SerialQueue();

  async function again<T>(attempt: () => Promise<T>): Promise<T> {
    for (let tried = 1; ; tried++) {
      try {
        return await attempt();
      } catch (error) {
        if (!isConflict(error) || tried >= limit) throw error;
        await pause(options, tried);
      }
    }
  }

  const inTurn = <T>(attempt: () => Promise<T>) => queue.run(() => again(attempt));

  return async <T>(attempt: () => Promise<T>): Promise<T> => {
    if (queue.size >= CROWD) return inTurn(attempt);
    try {
      return await attempt();
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
    return inTurn(attempt);
  };
}

/**
 * Pauses before a retry. The pause is random, so that two instances do not conflict again and again. Its
 * limit begins at 1 ms and doubles with each attempt up to `LONGEST_PAUSE`.
 */
function pause({ machine, random }: RetryOptions, tried: number): Promise<void> {
  const longest = Math.min(2 ** (tried - 1), LONGEST_PAUSE);
  return wait(machine, 1 + random.integer(longest));
}
