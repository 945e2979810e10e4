import type { Command } from '../context/command.ts';
import { command } from '../shared/define.ts';
import { isKnownOn } from '../shared/known.ts';
import { inspecting } from '../shared/presets.ts';

/** The commands that connection threads run without this query thread, and whether the stable API contains them. */
const ofConnections: ReadonlyArray<readonly [name: string, stableApi: boolean]> = [
  ['authenticate', true],
  ['hello', true],
  ['isMaster', false],
  ['logout', false],
  ['saslContinue', true],
  ['saslStart', true],
];

/** Creates the command that lists all commands of a member, including itself. `all` returns those of query threads. */
export function listCommands(all: () => readonly Command[]): Command {
  return command({
    name: 'listCommands',
    ...inspecting,
    privileges: 'open',
    lenient: true,
    fields: { listCommands: 'any' },
    run(_args, { caller }, cluster) {
      const known = all().filter((one) => isKnownOn(caller.member, one, cluster));
      const described = [...known.map(describeCommand), ...ofConnections.map(describeConnectionCommand)];
      return { commands: Object.fromEntries(described.toSorted(([a], [b]) => (a < b ? -1 : 1))) };
    },
  });
}

function describeCommand({ name, privileges, database, members, data, stableApi }: Command) {
  return entry(name, {
    requiresAuth: privileges !== 'open',
    secondaryOk: members === 'any' || data !== 'write',
    adminOnly: database === 'admin',
    stableApi,
  });
}

function describeConnectionCommand([name, stableApi]: (typeof ofConnections)[number]) {
  return entry(name, { requiresAuth: false, secondaryOk: true, adminOnly: false, stableApi });
}

interface Described {
  readonly requiresAuth: boolean;
  readonly secondaryOk: boolean;
  readonly adminOnly: boolean;
  readonly stableApi: boolean;
}

function entry(name: string, { stableApi, ...facts }: Described): [string, object] {
  return [name, { help: '', ...facts, apiVersions: stableApi ? ['1'] : [], deprecatedApiVersions: [] }];
}
