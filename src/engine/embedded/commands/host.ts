import { arch, cpus, hostname, platform, release, totalmem, type } from 'node:os';
import { Double } from 'bson';
import type { Command } from '../command.ts';
import { bsonTypes } from '../language/bson-types.ts';
import { textOf } from '../language/value.ts';
import { ServerError } from '../server-error.ts';
import { command } from './define.ts';
import { onDatabase } from './namespace.ts';

/** What the machine and the process say of themselves. */

const MIB = 1024 * 1024;

const hostInfo = command({
  name: 'hostInfo',
  privileges: () => [{ action: 'hostInfo' }],
  anyMember: true,
  fields: { hostInfo: 'any' },
  run: (_args, _request, { now }) => ({
    system: {
      currentTime: new Date(now()),
      hostname: hostname(),
      cpuAddrSize: 64,
      memSizeMB: BigInt(Math.floor(totalmem() / MIB)),
      memLimitMB: BigInt(Math.floor((process.constrainedMemory() || totalmem()) / MIB)),
      numCores: cpus().length,
      cpuArch: arch(),
      numaEnabled: false,
    },
    os: { type: type(), name: platform(), version: release() },
    extra: { cpuString: cpus()[0]?.model ?? '', pageSize: 4096n },
  }),
});

const getCmdLineOpts = command({
  name: 'getCmdLineOpts',
  privileges: () => [{ action: 'getCmdLineOpts' }],
  adminOnly: true,
  anyMember: true,
  fields: { getCmdLineOpts: 'any' },
  // Arguments of the process are not the caller's business: they may name files and passwords.
  run: (_args, _request, { replicaSetName }) => ({
    argv: ['portolan'],
    parsed: { replication: { replSet: replicaSetName }, security: { authorization: 'enabled' } },
  }),
});

const components = ['global', 'startupWarnings'];

const getLog = command({
  name: 'getLog',
  privileges: () => [{ action: 'getLog' }],
  adminOnly: true,
  anyMember: true,
  fields: { getLog: 'string!' },
  run({ getLog: component }) {
    if (component === '*') return { names: components };
    if (!components.includes(component)) {
      throw new ServerError('OperationFailed', `No log named '${component}'`);
    }
    // Lines of the log tell of every cluster of the process, so that none of them is told here.
    return { totalLinesWritten: 0, log: [] };
  },
});

/** Parameters that hold here, and what each of them is. */
const parameters = (version: string): Readonly<Record<string, unknown>> => ({
  authenticationMechanisms: ['SCRAM-SHA-1', 'SCRAM-SHA-256'],
  enableTestCommands: false,
  featureCompatibilityVersion: { version: version.split('.').slice(0, 2).join('.') },
  logComponentVerbosity: { verbosity: 0 },
  maxBSONDepth: 180,
  internalQueryFindCommandBatchSize: 101,
  notablescan: false,
  quiet: false,
  transactionLifetimeLimitSeconds: 60,
});

const getParameter = command({
  name: 'getParameter',
  privileges: () => [{ action: 'getParameter' }],
  adminOnly: true,
  anyMember: true,
  lenient: true,
  fields: { getParameter: 'any', allParameters: 'truth' },
  run({ getParameter: asked, allParameters = false }, { body }, { version }) {
    const known = parameters(version);
    const options = asked?.type === bsonTypes.object ? body.document('getParameter') : undefined;
    const all = allParameters || options?.bool('allParameters') === true;
    if (all || (asked?.type === bsonTypes.string && textOf(asked) === '*')) return known;
    const found = Object.entries(known).filter(([name]) => body.has(name));
    if (found.length > 0) return Object.fromEntries(found);
    throw new ServerError('InvalidOptions', 'no option found to get');
  },
});

const connPoolStats = command({
  name: 'connPoolStats',
  privileges: () => [{ action: 'connPoolStats' }],
  anyMember: true,
  lenient: true,
  fields: { connPoolStats: 'any' },
  // Members of a cluster here need no connections to each other.
  run: () => ({
    numClientConnections: 0,
    numAScopedConnections: 0,
    totalInUse: 0,
    totalAvailable: 0,
    totalLeased: 0,
    totalCreated: 0,
    totalRefreshing: 0,
    replicaSetMatchingStrategy: 'matchPrimaryNode',
    pools: {},
    hosts: {},
    replicaSets: {},
  }),
});

const lockInfo = command({
  name: 'lockInfo',
  privileges: () => [{ action: 'serverStatus' }],
  adminOnly: true,
  anyMember: true,
  fields: { lockInfo: 'any' },
  // Commands run one after the other; whoever asks holds no lock.
  run: () => ({ lockInfo: [] }),
});

const currentOp = command({
  name: 'currentOp',
  privileges: ({ body }) => (body.bool('$ownOps') === true ? [] : [{ action: 'inprog' }]),
  adminOnly: true,
  anyMember: true,
  lenient: true,
  fields: { currentOp: 'any' },
  run(_args, { caller, body }, { now }) {
    const { user } = caller;
    return {
      inprog: [
        {
          type: 'op',
          desc: `conn${caller.connectionId}`,
          connectionId: caller.connectionId,
          client: caller.remote,
          active: true,
          currentOpTime: new Date(now()).toISOString(),
          ...(user ? { effectiveUsers: [{ user: user.username, db: user.database }] } : {}),
          op: 'command',
          ns: 'admin.$cmd',
          command: body,
        },
      ],
    };
  },
});

const profile = command({
  name: 'profile',
  privileges: onDatabase('enableProfiler'),
  anyMember: true,
  fields: { profile: 'int!', slowms: 'number', sampleRate: 'number', filter: 'any' },
  run({ profile: level }) {
    if (level === 1 || level === 2) {
      throw new ServerError('CommandNotSupported', `the profiling level ${level} is not supported`);
    }
    return { was: 0, slowms: 100, sampleRate: new Double(1) };
  },
});

export const hostCommands: readonly Command[] = [
  hostInfo,
  getCmdLineOpts,
  getLog,
  getParameter,
  connPoolStats,
  lockInfo,
  currentOp,
  profile,
];
