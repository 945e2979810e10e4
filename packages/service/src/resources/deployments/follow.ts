import { repeat } from '@portolan/foundation/repeat';
import { applyAccessAgain, followFound, hasChanged, isBehindAccess, runningOn } from '../clusters/index.ts';
import { ADOPTED_HOST } from '../engine-hosts/index.ts';
import type { Background } from '../family.ts';
import type { Services } from '../services.ts';
import { hasAccountProblems } from './account-rows.ts';

const FOLLOW_MS = 2_000;
/**
 * Number of rounds after which the service tries again to apply accounts that servers have refused. These rounds take
 * five minutes. In the meantime, the operator of the servers may have removed the reason.
 */
const RETRY_EVERY = 150;

/**
 * Updates the rows of adopted clusters from their servers, whose operator may add members or upgrade them. Also applies
 * users and roles that changed while a deployment was unreachable.
 */
export function followDeployments({ store, engines, machine, log }: Services): Background {
  let round = 0;
  return repeat({
    machine,
    async run() {
      if (!engines.keeps(ADOPTED_HOST)) return;
      const engine = engines.at(ADOPTED_HOST);
      const retries = ++round % RETRY_EVERY === 0;
      for (const { id } of await store.read((tx) => runningOn(tx, ADOPTED_HOST))) {
        const deployment = await engine.describe(id);
        const { found, state } = deployment ?? {};
        if (found === undefined || state !== 'running') continue;
        if (await store.read((tx) => hasChanged(tx, id, found)))
          await store.write((tx) => followFound(tx, id, found));
        const mustApply = await store.read(
          async (tx) => (await isBehindAccess(tx, id)) || (retries && (await hasAccountProblems(tx, id))),
        );
        if (mustApply) await store.write((tx) => applyAccessAgain(tx, id));
      }
    },
    interval: FOLLOW_MS,
    onError: (error) => log.debug({ reason: error.message }, 'adopted deployments could not be followed'),
  });
}
