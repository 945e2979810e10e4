import { repeat } from '@portolan/foundation/repeat';
import { lastSecrets } from '../../../access/index.ts';
import { doesSharedWork } from '../../engine-hosts/index.ts';
import type { Background } from '../../family.ts';
import type { Services } from '../../services.ts';
import { reviewSecrets, stageAt, WARNING_MS } from './warnings.ts';

const ROUND_MS = 10_000;

/** Warns about secrets that expire, at regular intervals and whenever service time is set. */
export function watchSecrets({ engines, store, machine, clock, log }: Services): Background {
  const rounds = repeat({
    machine,
    async run() {
      if (!doesSharedWork(engines)) return;
      const now = clock.now();
      const found = await store.read((tx) => lastSecrets(tx, new Date(now.getTime() + WARNING_MS)));
      const changed = found.filter((secret) => stageAt(now, secret) !== secret.stage);
      // Use one transaction per account. If one warning fails, the others are still recorded.
      for (const { clientId } of changed) {
        await store
          .write((tx) => reviewSecrets(tx, clientId))
          .catch((error: Error) =>
            log.warn({ clientId, reason: error.message }, 'warning about a secret failed'),
          );
      }
    },
    interval: ROUND_MS,
    onError: (error) => log.warn({ reason: error.message }, 'secrets that expire could not be looked for'),
  });
  clock.onChange(() => rounds.wake());
  return rounds;
}
