import { builtInRoles, type ResourcePattern } from '../access/roles.ts';
import type { ClusterContext, Command, WireUser } from '../command.ts';
import { MAX_DOCUMENT_SIZE } from '../language/validate.ts';
import { command } from './define.ts';

const ping = command({
  name: 'ping',
  privileges: 'open',
  anyMember: true,
  fields: { ping: 'any' },
  run: () => ({}),
});

const buildInfo = command({
  name: 'buildInfo',
  aliases: ['buildinfo'],
  privileges: 'open',
  anyMember: true,
  fields: { buildInfo: 'any' },
  run: (_args, _request, { version }) => ({
    version,
    gitVersion: 'unknown',
    modules: [],
    allocator: 'system',
    javascriptEngine: 'none',
    sysInfo: 'deprecated',
    versionArray: [...version.split('.').slice(0, 3).map(Number), 0],
    openssl: { running: process.versions.openssl, compiled: process.versions.openssl },
    buildEnvironment: { target_arch: process.arch, target_os: process.platform },
    bits: 64,
    debug: false,
    maxBsonObjectSize: MAX_DOCUMENT_SIZE,
    storageEngines: ['sqlite'],
  }),
});

const whatsmyuri = command({
  name: 'whatsmyuri',
  privileges: 'open',
  anyMember: true,
  fields: { whatsmyuri: 'any' },
  run: (_args, { caller }) => ({ you: caller.remote }),
});

const connectionStatus = command({
  name: 'connectionStatus',
  privileges: 'open',
  anyMember: true,
  fields: { connectionStatus: 'any', showPrivileges: 'truth' },
  run({ showPrivileges = false }, { caller: { user } }) {
    return {
      authInfo: {
        authenticatedUsers: user ? [{ user: user.username, db: user.database }] : [],
        authenticatedUserRoles: user?.roles.map(({ role, database }) => ({ role, db: database })) ?? [],
        ...(showPrivileges ? { authenticatedUserPrivileges: user ? privilegesOf(user) : [] } : {}),
      },
    };
  },
});

function privilegesOf(user: WireUser): object[] {
  return user.roles.flatMap((grant) => {
    const allowances = Object.hasOwn(builtInRoles, grant.role)
      ? builtInRoles[grant.role]?.(grant)
      : undefined;
    return (allowances ?? []).map(({ resource, actions }) => ({
      resource: describeResource(resource),
      actions: actions === 'all' ? ['anyAction'] : [...actions].sort(),
    }));
  });
}

function describeResource(resource: ResourcePattern): object {
  switch (resource.kind) {
    case 'cluster':
      return { cluster: true };
    case 'anything':
      return { anyResource: true };
    case 'anyNormal':
      return { db: '', collection: '' };
    case 'database':
      return { db: resource.database, collection: '' };
    case 'collection':
      return { db: resource.database, collection: resource.collection };
  }
}

const HEARTBEAT_MS = 2_000n;

const replSetGetStatus = command({
  name: 'replSetGetStatus',
  privileges: () => [{ action: 'replSetGetStatus' }],
  adminOnly: true,
  anyMember: true,
  fields: { replSetGetStatus: 'any', initialSync: 'any' },
  run(_args, { caller }, cluster) {
    const electable = cluster.members.filter(({ priority }) => priority > 0).length;
    const majority = Math.floor(cluster.members.length / 2) + 1;
    const own = cluster.members.find(({ id }) => id === caller.member);
    return {
      set: cluster.replicaSetName,
      date: new Date(cluster.now()),
      myState: stateNumbers[own?.state ?? 'PRIMARY'],
      term: BigInt(cluster.term),
      heartbeatIntervalMillis: HEARTBEAT_MS,
      majorityVoteCount: majority,
      writeMajorityCount: majority,
      votingMembersCount: cluster.members.length,
      writableVotingMembersCount: electable,
      members: membersOf(cluster, caller.member),
    };
  },
});

const stateNumbers = { PRIMARY: 1, SECONDARY: 2 } as const;

function membersOf(cluster: ClusterContext, self: string): object[] {
  return cluster.members.map(({ id, host, port, state }, i) => ({
    _id: i,
    name: `${host}:${port}`,
    health: 1,
    state: stateNumbers[state],
    stateStr: state,
    uptime: cluster.uptime(),
    configVersion: cluster.configVersion,
    configTerm: cluster.term,
    ...(id === self ? { self: true } : {}),
  }));
}

export const diagnosticCommands: readonly Command[] = [
  ping,
  buildInfo,
  whatsmyuri,
  connectionStatus,
  replSetGetStatus,
];
