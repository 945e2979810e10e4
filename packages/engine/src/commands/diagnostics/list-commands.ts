import type { Command } from '../context/command.ts';
import { command } from '../shared/define.ts';
import { inspecting } from '../shared/presets.ts';

/** Creates the command that lists all commands, including itself. */
export function listCommands(all: () => readonly Command[]): Command {
  return command({
    name: 'listCommands',
    ...inspecting,
    privileges: 'open',
    lenient: true,
    fields: { listCommands: 'any' },
    run() {
      const sorted = all().toSorted((a, b) => (a.name < b.name ? -1 : 1));
      return { commands: Object.fromEntries(sorted.map((one) => [one.name, describeCommand(one)])) };
    },
  });
}

function describeCommand({ privileges, database, members, data, stableApi }: Command) {
  return {
    help: '',
    requiresAuth: privileges !== 'open',
    secondaryOk: members === 'any' || data !== 'write',
    adminOnly: database === 'admin',
    apiVersions: stableApi ? ['1'] : [],
    deprecatedApiVersions: [],
  };
}
