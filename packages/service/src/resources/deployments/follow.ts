import { repeat } from '@portolan/foundation/repeat';
import { followFound, hasChanged, runningOn } from '../clusters/index.ts';
import { ADOPTED_HOST } from '../engine-hosts/index.ts';
import type { Background } from '../family.ts';
import type { Services } from '../services.ts';

const FOLLOW_MS = 2_000;

/** Updates the rows of adopted clusters from their servers: their operator may add members or upgrade them. */
export function followDeployments({ store, engines, machine, log }: Services): Background {
  return repeat({
    machine,
    async run() {
      if (!engines.keeps(ADOPTED_HOST)) return;
      const engine = engines.at(ADOPTED_HOST);
      for (const { id } of await store.read((tx) => runningOn(tx, ADOPTED_HOST))) {
        const deployment = await engine.describe(id);
        const { found, state } = deployment ?? {};
        if (found === undefined || state !== 'running') continue;
        if (await store.read((tx) => hasChanged(tx, id, found)))
          await store.write((tx) => followFound(tx, id, found));
      }
    },
    interval: FOLLOW_MS,
    onError: (error) => log.debug({ reason: error.message }, 'adopted deployments could not be followed'),
  });
}
