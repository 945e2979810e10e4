import { system } from '../../events/index.ts';
import type { TaskKind } from '../../tasks/index.ts';
import type { Services } from '../services.ts';
import { EXPIRY, removeUser } from './changes.ts';
import { userById } from './rows.ts';

/** Removes a temporary user when it expires. */
export const expireUser: TaskKind<{ userId: string }, Services> = {
  ...EXPIRY,
  steps: [
    {
      name: 'remove',
      async commit(tx, { payload }) {
        const user = await userById(tx, payload.userId);
        // If the user was removed, or has another expiry now, there is nothing to do, because a new expiry has its own
        // task.
        if (user?.deleteAfter && user.deleteAfter <= tx.now) await removeUser(tx, system, user);
      },
    },
  ],
};
