import type { Command } from '../context/command.ts';
import type { AccountChange } from './changes.ts';
import { accountInfoCommands } from './info.ts';
import { accountMerges } from './merge.ts';
import { roleChanges } from './roles.ts';
import { invalidateUserCache, userChanges } from './users.ts';

const changes: Readonly<Record<AccountChange, Command>> = {
  ...userChanges,
  ...roleChanges,
  ...accountMerges,
};

/** Commands on users and roles. */
export const accountCommands: readonly Command[] = [
  ...accountInfoCommands,
  ...Object.values(changes),
  invalidateUserCache,
];
