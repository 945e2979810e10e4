import { repeat } from '@portolan/foundation/repeat';
import type { Background } from '../../family.ts';
import type { Services } from '../../services.ts';

/** As often as members are sampled. */
const ROUND_MS = 10_000;

interface Round {
  /** What it is for, in the log. */
  readonly failed: string;
  /** Of one host that can be reached. */
  at(host: string): Promise<void>;
  /** When all hosts have been looked at. */
  end?(): Promise<void>;
}

/**
 * Rounds over the hosts that can be reached, by the machine's clock, and at once when service time is moved: members are
 * sampled then, too, so that what has been done so far stands at the moment that everybody sees.
 */
export function sampledRounds(services: Services, { failed, at, end }: Round): Background {
  const { engines, machine, clock, log } = services;
  let moved = false;
  const rounds = repeat({
    machine,
    async run() {
      const isAnew = moved;
      moved = false;
      const hosts = engines.reachable();
      if (isAnew) await Promise.all(hosts.map((host) => measure(services, host)));
      for (const host of hosts) await at(host);
      await end?.();
    },
    interval: ROUND_MS,
    onError: (error) => log.debug({ reason: error.message }, failed),
  });
  clock.onChange(() => {
    moved = true;
    rounds.wake();
  });
  return rounds;
}

/** A host that cannot do it has its samples of every ten seconds. */
async function measure({ engines, log }: Services, host: string): Promise<void> {
  try {
    await engines.at(host).measure();
  } catch (error) {
    log.debug({ host, reason: String(error) }, 'members were not sampled');
  }
}
