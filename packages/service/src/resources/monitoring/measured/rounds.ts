import { repeat } from '@portolan/foundation/repeat';
import { asError } from '@portolan/foundation/thrown';
import type { Background } from '../../family.ts';
import type { Services } from '../../services.ts';

/** The sampling interval of members. */
const ROUND_MS = 10_000;

interface Round {
  /** Log message for a poll that fails. */
  readonly failed: string;
  /**
   * Called for each reachable host for which this instance does the periodic work. If it fails for a host, other hosts
   * are not affected.
   */
  at(host: string): Promise<void>;
  /** Called after all hosts. */
  end?(): Promise<void>;
}

/**
 * Polls the reachable hosts at intervals of machine time. Also polls immediately after a change of service time. Such a
 * poll first takes new samples of the members, because the last samples may be from before the change.
 */
export function sampledRounds(services: Services, { failed, at, end }: Round): Background {
  const { engines, machine, clock, log } = services;
  let moved = false;
  const onError = (error: Error) => log.debug({ reason: error.message }, failed);
  const rounds = repeat({
    machine,
    async run() {
      const isAnew = moved;
      moved = false;
      const hosts = engines.reachable().filter(engines.keeps);
      if (isAnew) await Promise.all(hosts.map((host) => measure(services, host)));
      for (const host of hosts) await at(host).catch((error) => onError(asError(error)));
      await end?.();
    },
    interval: ROUND_MS,
    onError,
  });
  clock.onChange(() => {
    moved = true;
    rounds.wake();
  });
  return rounds;
}

/** Samples the members of a host. If this fails, the host's regular samples of every ten seconds are used. */
async function measure({ engines, log }: Services, host: string): Promise<void> {
  try {
    await engines.at(host).measure();
  } catch (error) {
    log.debug({ host, reason: String(error) }, 'sampling members failed');
  }
}
