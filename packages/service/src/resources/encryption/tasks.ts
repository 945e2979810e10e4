import { every, recurring, type TaskKind } from '../../tasks/index.ts';
import type { Services } from '../services.ts';
import { noteValidity } from './changes.ts';
import { allEncryption } from './rows.ts';
import { keysIn, validAmong } from './validity.ts';

const CHECK = { kind: 'encryption.check' };
const INTERVAL_MS = 300_000;

/** Tells, of each key that was lost or is back, that it is so. */
export const checkKeys: TaskKind<null, Services> = {
  ...CHECK,
  steps: [
    {
      name: 'check',
      async run({ services, store }) {
        const named = await store.read(async (tx) => {
          const all = [...(await allEncryption(tx)).values()];
          return (await Promise.all(all.map(({ settings }) => keysIn(tx, settings)))).flat();
        });
        return [...(await validAmong(services.keys, named))];
      },
      async commit(tx, _, valid) {
        const known = new Map(valid as ReadonlyArray<readonly [string, boolean]>);
        for (const groupId of (await allEncryption(tx)).keys()) await noteValidity(tx, groupId, known);
      },
    },
  ],
};

export const keyTimetable = recurring({
  name: 'encryption.check',
  kind: CHECK,
  payload: null,
  next: every(INTERVAL_MS),
});
