import { machine } from 'node:os';
import { loggedIn } from '../../access/caller.ts';
import { storedGrantOf } from '../../access/stored-accounts.ts';
import { MAX_DOCUMENT_SIZE } from '../../bson/validate.ts';
import { describePrivileges } from '../accounts/describe.ts';
import type { Command } from '../context/command.ts';
import { command } from '../shared/define.ts';
import { withoutData } from '../shared/presets.ts';

const ping = command({
  name: 'ping',
  ...withoutData,
  stableApi: true,
  privileges: 'open',
  fields: { ping: 'any' },
  run: () => ({}),
});

const buildInfo = command({
  name: 'buildInfo',
  aliases: ['buildinfo'],
  ...withoutData,
  transaction: 'later statement',
  privileges: 'open',
  fields: { buildInfo: 'any' },
  run: (_args, _request, { topology: { version } }) => ({
    version,
    gitVersion: 'unknown',
    modules: [],
    allocator: 'system',
    javascriptEngine: 'none',
    sysInfo: 'deprecated',
    versionArray: [...version.split('.').slice(0, 3).map(Number), 0],
    openssl: { running: process.versions.openssl, compiled: process.versions.openssl },
    buildEnvironment: { target_arch: machine(), target_os: process.platform },
    bits: 64,
    debug: false,
    maxBsonObjectSize: MAX_DOCUMENT_SIZE,
    storageEngines: ['sqlite'],
  }),
});

const whatsmyuri = command({
  name: 'whatsmyuri',
  ...withoutData,
  privileges: 'open',
  lenient: true,
  fields: { whatsmyuri: 'any' },
  run: (_args, { caller }) => ({ you: caller.remote }),
});

const connectionStatus = command({
  name: 'connectionStatus',
  ...withoutData,
  transaction: 'later statement',
  privileges: 'open',
  fields: { connectionStatus: 'any', showPrivileges: 'truth' },
  run({ showPrivileges = false }, { caller }, { accounts: { roles } }) {
    const user = loggedIn(caller);
    return {
      authInfo: {
        authenticatedUsers: user ? [{ user: user.username, db: user.database }] : [],
        authenticatedUserRoles: roles.withInherited(user?.roles ?? []).map(storedGrantOf),
        ...(showPrivileges
          ? { authenticatedUserPrivileges: user ? describePrivileges(user.roles, roles) : [] }
          : {}),
      },
    };
  },
});

export const diagnosticCommands: readonly Command[] = [ping, buildInfo, whatsmyuri, connectionStatus];
