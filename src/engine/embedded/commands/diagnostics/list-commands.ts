import type { Command } from '../context/command.ts';
import { command } from '../shared/define.ts';
import { isStable } from '../shared/generic.ts';

/** The command that lists all of them, itself included. */
export function listCommands(all: () => readonly Command[]): Command {
  return command({
    name: 'listCommands',
    privileges: 'open',
    anyMember: true,
    lenient: true,
    fields: { listCommands: 'any' },
    run() {
      const sorted = all().toSorted((a, b) => (a.name < b.name ? -1 : 1));
      return { commands: Object.fromEntries(sorted.map((one) => [one.name, describeCommand(one)])) };
    },
  });
}

function describeCommand({
  name,
  privileges,
  adminOnly = false,
  anyMember = false,
  writes = false,
}: Command) {
  return {
    help: '',
    requiresAuth: privileges !== 'open',
    secondaryOk: anyMember || !writes,
    adminOnly,
    apiVersions: isStable(name) ? ['1'] : [],
    deprecatedApiVersions: [],
  };
}
