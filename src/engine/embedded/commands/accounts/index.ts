import type { Command } from '../context/command.ts';
import { accountInfoCommands } from './info.ts';
import { roleCommands } from './roles.ts';
import { userCommands } from './users.ts';

/** Users and roles. On a cluster that a service manages the connection threads refuse those that change them. */
export const accountCommands: readonly Command[] = [...accountInfoCommands, ...userCommands, ...roleCommands];
