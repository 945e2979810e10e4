import type { MachineClock } from '@portolan/foundation/clock';
import type { Random } from '@portolan/foundation/random';
import { wait } from '@portolan/foundation/wait';

export interface RetryOptions {
  readonly machine: MachineClock;
  readonly random: Random;
  readonly isConflict: (error: unknown) => boolean;
  /** How often a transaction is tried after its first conflict; with the pauses that is about a second. */
  readonly limit?: number;
}

/** Milliseconds that pauses between attempts grow to. */
const LONGEST_PAUSE = 8;
/**
 * Newcomers join the queue from this length on: they would make those in it, who have waited longer, collide again.
 * Below it they are let past, as they mostly have nothing to do with what the queue is about.
 */
const CROWD = 4;

/**
 * Runs transactions again that collided with others. Those of this process that have collided stand in one queue:
 * side by side they would go on colliding with each other.
 */
export function retrying(options: RetryOptions) {
  const { isConflict, limit = 200 } = options;
  let last: Promise<unknown> = Promise.resolve();
  let queued = 0;

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

  async function inTurn<T>(attempt: () => Promise<T>): Promise<T> {
    queued++;
    const mine = last.then(() => again(attempt)).finally(() => void queued--);
    last = mine.catch(() => {});
    return mine;
  }

  return async <T>(attempt: () => Promise<T>): Promise<T> => {
    if (queued >= CROWD) return inTurn(attempt);
    try {
      return await attempt();
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
    return inTurn(attempt);
  };
}

/** Doubles from 1 ms, and is cut at random, so that two instances do not meet again and again. */
function pause({ machine, random }: RetryOptions, tried: number): Promise<void> {
  const longest = Math.min(2 ** (tried - 1), LONGEST_PAUSE);
  return wait(machine, 1 + random.integer(longest));
}
