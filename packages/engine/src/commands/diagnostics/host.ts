import {
  availableParallelism,
  cpus,
  hostname,
  machine,
  platform,
  release,
  totalmem,
  type,
  version,
} from 'node:os';
import { ServerError } from '../../errors/server-error.ts';
import type { ProcessArguments } from '../../interface/engine.ts';
import type { Command } from '../context/command.ts';
import { command } from '../shared/define.ts';
import { inspecting, withoutData } from '../shared/presets.ts';

/** This file contains the commands that describe the machine and the process. */

const MIB = 1024 * 1024;
const PAGE_BYTES = 4096;

/** Returns the memory that the process can use, in bytes. Without a limit, Node.js reports 0 or an enormous number. */
function memoryLimit(): number {
  return Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem());
}

const hostInfo = command({
  name: 'hostInfo',
  ...withoutData,
  privileges: () => [{ action: 'hostInfo' }],
  fields: { hostInfo: 'any' },
  run: (_args, _request, { clock }) => ({
    system: {
      currentTime: new Date(clock.now()),
      hostname: hostname(),
      cpuAddrSize: 64,
      memSizeMB: BigInt(Math.floor(totalmem() / MIB)),
      memLimitMB: BigInt(Math.floor(memoryLimit() / MIB)),
      numCores: cpus().length,
      numCoresAvailableToProcess: Math.min(availableParallelism(), cpus().length),
      cpuArch: machine(),
      numaEnabled: false,
    },
    os: { type: type(), name: platform(), version: release() },
    extra: {
      versionString: version(),
      kernelVersion: release(),
      cpuString: cpus()[0]?.model ?? '',
      cpuFrequencyMHz: String(cpus()[0]?.speed ?? 0),
      pageSize: BigInt(PAGE_BYTES),
      numPages: BigInt(Math.floor(totalmem() / PAGE_BYTES)),
    },
  }),
});

const getCmdLineOpts = command({
  name: 'getCmdLineOpts',
  ...withoutData,
  database: 'admin',
  privileges: () => [{ action: 'getCmdLineOpts' }],
  fields: { getCmdLineOpts: 'any' },
  // The real arguments are not returned, because they may contain file names and passwords.
  run: (_args, _request, { topology, parameters }) => ({
    argv: ['portolan', ...(parameters.testCommands ? ['--setParameter', 'enableTestCommands=1'] : [])],
    parsed: parsedArguments(topology.replicaSetName, parameters.arguments, parameters.testCommands),
  }),
});

function parsedArguments(replSet: string, given: ProcessArguments, testCommands: boolean): object {
  const { javascriptEnabled, oplogSizeMB, oplogMinRetentionHours } = given;
  const { noTableScan: notablescan, transactionLifetimeLimitSeconds } = given;
  return {
    replication: { replSet, oplogSizeMB: oplogSizeMB ?? undefined },
    security: { authorization: 'enabled', javascriptEnabled },
    setParameter: {
      enableTestCommands: testCommands ? '1' : undefined,
      notablescan,
      transactionLifetimeLimitSeconds,
    },
    storage: { oplogMinRetentionHours: oplogMinRetentionHours ?? undefined },
  };
}

const components = ['global', 'startupWarnings'];
const warnings: ReadonlySet<string> = new Set(['W', 'E', 'F']);

const getLog = command({
  name: 'getLog',
  ...withoutData,
  database: 'admin',
  privileges: () => [{ action: 'getLog' }],
  fields: { getLog: 'string!' },
  run({ getLog: component }, { caller }, { observer }) {
    if (component === '*') return { names: components };
    if (!components.includes(component)) {
      throw new ServerError('OperationFailed', `No log named '${component}'`);
    }
    const severities = component === 'startupWarnings' ? warnings : undefined;
    const { lines = [], total = 0 } = observer?.newest(caller.member, severities) ?? {};
    return { totalLinesWritten: total, log: lines };
  },
});

const connPoolStats = command({
  name: 'connPoolStats',
  ...inspecting,
  privileges: () => [{ action: 'connPoolStats' }],
  lenient: true,
  fields: { connPoolStats: 'any' },
  // All values are zero, because the members of a cluster share a process and have no connections to each
  // other.
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

const globalLock = {
  resourceId: '{2305843009213693953: Global, 1}',
  granted: [{ mode: 'S', convertMode: 'NONE', enqueueAtFront: true, compatibleFirst: true, debugInfo: '' }],
  pending: [],
};

const lockInfo = command({
  name: 'lockInfo',
  ...inspecting,
  database: 'admin',
  privileges: () => [{ action: 'serverStatus' }],
  fields: { lockInfo: 'any' },
  // Only `fsync` can hold a lock: commands run one at a time, and this command takes no lock.
  run: (_args, _request, { parameters }) => ({ lockInfo: parameters.writeLocks > 0 ? [globalLock] : [] }),
});

export const hostCommands: readonly Command[] = [hostInfo, getCmdLineOpts, getLog, connPoolStats, lockInfo];
