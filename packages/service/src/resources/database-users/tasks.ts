import { system } from '../../events/index.ts';
import type { TaskKind } from '../../tasks/index.ts';
import type { Services } from '../services.ts';
import { EXPIRY, removeUser } from './changes.ts';
import { userById } from './rows.ts';

/** Removes a temporary user when its date has come. */
export const expireUser: TaskKind<{ userId: string }, Services> = {
  ...EXPIRY,
  steps: [
    {
      name: 'remove',
      async commit(tx, { payload }) {
        const user = await userById(tx, payload.userId);
        // It may be gone by hand; where its date was moved, another task waits for the new one.
        if (user?.deleteAfter && user.deleteAfter <= tx.now) await removeUser(tx, system, user);
      },
    },
  ],
};
