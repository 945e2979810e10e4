import { isDeepStrictEqual } from 'node:util';
import type { FoundServers } from '@portolan/engine/interface/engine';
import { type BackOff, pauseAfter } from '@portolan/foundation/back-off';
import { repeat } from '@portolan/foundation/repeat';
import {
  applyAccessAgain,
  applySettingsAgain,
  followFound,
  isBehindAccess,
  isBehindSettings,
  runningOn,
  storedFacts,
} from '../clusters/index.ts';
import { ADOPTED_HOST } from '../engine-hosts/index.ts';
import type { Background } from '../family.ts';
import type { Services } from '../services.ts';
import { endExpiredDrops } from './drops.ts';

const FOLLOW_MS = 2_000;
/**
 * Number of polls between two attempts to apply settings that the servers have rejected, and to compare the accounts
 * with those of the project. These polls take five minutes, in which the operator of the servers may remove the reason
 * for a rejection, or other clients may change accounts of the service.
 */
const RETRY_EVERY = 150;

/** The delays between attempts to apply users and roles, or process arguments, while the attempts fail. */
const RETRIES: BackOff = { first: FOLLOW_MS, greatest: 30_000 };

/** Decides when to retry a change that could not be applied to a deployment. */
class Retries {
  /** The failed deployments by id. `due` is monotonic machine time in milliseconds. */
  readonly #waiting = new Map<string, { readonly failures: number; readonly due: number }>();

  forget(id: string): void {
    this.#waiting.delete(id);
  }

  /** Whether to try now. `isBehind` says whether the deployment still lacks the change. */
  isDue(id: string, now: number, isBehind: boolean): boolean {
    const { failures, due } = this.#waiting.get(id) ?? { failures: 0, due: now };
    if (!isBehind) this.forget(id);
    if (!isBehind || now < due) return false;
    this.#waiting.set(id, { failures: failures + 1, due: now + pauseAfter(failures + 1, RETRIES) });
    return true;
  }
}

/**
 * Updates the rows of adopted clusters from their servers, since the operator of the servers may add members or upgrade
 * them. Also applies users and roles that changed while a deployment was unreachable, and process arguments that a
 * restart of a member has reset.
 */
export function followDeployments(services: Services): Background {
  const { store, engines, machine, log } = services;
  let round = 0;
  const [retries, settingRetries] = [new Retries(), new Retries()];
  return repeat({
    machine,
    async run() {
      if (!engines.keeps(ADOPTED_HOST)) return;
      await endExpiredDrops(services);
      const engine = engines.at(ADOPTED_HOST);
      const isRetry = ++round % RETRY_EVERY === 0;
      for (const { id } of await store.read((tx) => runningOn(tx, ADOPTED_HOST))) {
        const deployment = await engine.describe(id);
        const { found, state } = deployment ?? {};
        if (found === undefined || state !== 'running') {
          retries.forget(id);
          settingRetries.forget(id);
          continue;
        }
        await storeChanges(services, id, found);
        const { isBehind, isMisconfigured } = await store.read(async (tx) => ({
          isBehind: await isBehindAccess(tx, id),
          isMisconfigured: await isBehindSettings(tx, id, isRetry),
        }));
        if (retries.isDue(id, machine.monotonic(), isBehind) || isRetry)
          await store.write((tx) => applyAccessAgain(tx, id));
        if (settingRetries.isDue(id, machine.monotonic(), isMisconfigured))
          await store.write((tx) => applySettingsAgain(tx, id));
      }
    },
    interval: FOLLOW_MS,
    onError: (error) => log.debug({ reason: error.message }, 'adopted deployments could not be followed'),
  });
}

/**
 * Stores the facts about the servers of a deployment if they differ from the stored ones. `seen` may be older than the
 * stored facts, if another instance has changed the servers, so the servers are inspected again before the facts are
 * stored.
 */
async function storeChanges(
  { store, engines }: Pick<Services, 'store' | 'engines'>,
  id: string,
  seen: FoundServers,
): Promise<void> {
  const before = await store.read((tx) => storedFacts(tx, id));
  if (before === undefined || isDeepStrictEqual(before, seen)) return;
  // If the servers do not respond, the next round tries again.
  const found = await engines.refresh(id).catch(() => undefined);
  if (found === undefined || isDeepStrictEqual(before, found)) return;
  await store.write((tx) => followFound(tx, id, { before, found }));
}
