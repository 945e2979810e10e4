import { every, recurring, step, type TaskKind } from '../../tasks/index.ts';
import type { Services } from '../services.ts';
import { recordValidity } from './changes.ts';
import { allSettings } from './rows.ts';
import { keysIn, keyValidity } from './validity.ts';

const CHECK = { kind: 'encryption.check' };
const INTERVAL_MS = 300_000;

/** Records an event for each key that has become unusable or usable again. */
export const checkKeys: TaskKind<null, Services> = {
  ...CHECK,
  steps: [
    step({
      name: 'check',
      async run({ services, store }) {
        const named = await store.read(async (tx) => {
          const all = [...(await allSettings(tx)).values()];
          return (await Promise.all(all.map(({ settings }) => keysIn(tx, settings)))).flat();
        });
        return [...(await keyValidity(services.keys, named))];
      },
      async commit(tx, _, valid) {
        const known = new Map(valid);
        for (const groupId of (await allSettings(tx)).keys()) await recordValidity(tx, groupId, known);
      },
    }),
  ],
};

export const keyTimetable = recurring({
  name: 'encryption.check',
  kind: CHECK,
  payload: null,
  next: every(INTERVAL_MS),
});
