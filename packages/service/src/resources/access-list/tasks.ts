import { system } from '../../events/index.ts';
import type { TaskKind } from '../../tasks/index.ts';
import type { Services } from '../services.ts';
import { EXPIRY, removeEntry } from './changes.ts';
import { entryById } from './rows.ts';

/** Removes a temporary entry at its expiry. */
export const expireEntry: TaskKind<{ entryId: string }, Services> = {
  ...EXPIRY,
  steps: [
    {
      name: 'remove',
      async commit(tx, { payload }) {
        const entry = await entryById(tx, payload.entryId);
        // Do nothing if the entry was removed, or if its expiry has changed. The new expiry has a task of its own.
        if (entry?.deleteAfter && entry.deleteAfter <= tx.now) await removeEntry(tx, entry, system);
      },
    },
  ],
};
