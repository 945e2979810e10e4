import type { PlainObject } from '@portolan/foundation/plain-object';
import { Double } from 'bson';
import { bsonTypes } from '../../bson/bson-types.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Command } from '../context/command.ts';
import type { CommandRequest } from '../context/request.ts';
import { describeDefaultConcerns } from '../shared/default-concerns.ts';
import { command } from '../shared/define.ts';
import { type FieldType, typeOf } from '../shared/fields.ts';
import { addressOf } from '../shared/members.ts';
import { lastOpTime } from '../shared/optimes.ts';
import { inspecting } from '../shared/presets.ts';
import { catalogStats } from './catalog-stats.ts';

const MIB = 1024 * 1024;

type Section = (cluster: ClusterContext, request: CommandRequest) => PlainObject | undefined;

/**
 * Sections of `serverStatus` for the called member. They contain only measured values. A section that is undefined is
 * omitted.
 */
const sections: Readonly<Record<string, Section>> = {
  asserts: (cluster, { caller }) => {
    const { regular, user } = cluster.counters.of(caller.member).asserts;
    return { regular, warning: 0, msg: 0, user, tripwire: 0, rollovers: 0 };
  },
  catalogStats: ({ store }) => catalogStats(store),
  connections: (_cluster, { traffic }) =>
    traffic && {
      current: traffic.current,
      available: traffic.most - traffic.current,
      totalCreated: BigInt(traffic.totalCreated),
      rejected: traffic.rejected,
      active: traffic.active,
      threaded: traffic.current,
      loadBalanced: 0,
    },
  defaultRWConcern: describeDefaultConcerns,
  electionMetrics,
  extra_info: () => ({
    note: 'fields vary by platform',
    ...processorTimes(),
    page_faults: BigInt(process.resourceUsage().majorPageFault),
  }),
  globalLock,
  locks: () => ({}),
  logicalSessionRecordCache: ({ sessions }) => ({ activeSessionsCount: sessions.find(() => true).length }),
  mem: memory,
  // All zero, because reads are not mirrored.
  mirroredReads: () => longs({ processedAsSecondary: 0, seen: 0, sent: 0 }),
  metrics,
  network: (_cluster, { traffic }) =>
    traffic && longs({ bytesIn: traffic.bytesIn, bytesOut: traffic.bytesOut, numRequests: traffic.requests }),
  opLatencies: latencies,
  opcounters: (cluster, { caller }) => longs(cluster.counters.of(caller.member).operations),
  // All zero, because members share one file and do not replicate operations.
  opcountersRepl: () => longs({ insert: 0, query: 0, update: 0, delete: 0, getmore: 0, command: 0 }),
  oplogTruncation: ({ store: { oplog } }) => ({
    truncateCount: BigInt(oplog.truncations),
    ...(oplog.retainedMs > 0 ? { oplogMinRetentionHours: new Double(oplog.retainedMs / 3_600_000) } : {}),
  }),
  repl: replication,
  transactions,
  storageEngine: () => ({ name: 'sqlite', readOnly: false, persistent: true }),
};

/**
 * Returns the elections since the start. The first election counts under `electionTimeout`. Every later election
 * counts under `stepUpCmd`, as if a step-down had handed over to the new primary. A primary never has to catch up,
 * because members share their data.
 */
function electionMetrics({ topology }: ClusterContext): PlainObject {
  const count = (called: number) => longs({ called, successful: called });
  return {
    stepUpCmd: count(Math.max(topology.term - 1, 0)),
    priorityTakeover: count(0),
    catchUpTakeover: count(0),
    electionTimeout: count(topology.term > 0 ? 1 : 0),
    freezeTimeout: count(0),
    ...longs({
      numStepDownsCausedByHigherTerm: 0,
      numCatchUps: 0,
      numCatchUpsSucceeded: 0,
      numCatchUpsAlreadyCaughtUp: topology.term,
      numCatchUpsSkipped: 0,
      numCatchUpsTimedOut: 0,
      numCatchUpsFailedWithError: 0,
      numCatchUpsFailedWithNewTerm: 0,
      numCatchUpsFailedWithReplSetAbortPrimaryCatchUpCmd: 0,
    }),
    averageCatchUpOps: new Double(0),
  };
}

/** Counts the queued operations, which have not started, and the active ones, which are running. */
function globalLock({ clock, operations }: ClusterContext): PlainObject {
  const all = operations.list().filter(({ state }) => state !== 'waiting');
  const split = (part: typeof all) => {
    const writers = part.filter(({ writes }) => writes).length;
    return { total: part.length, readers: part.length - writers, writers };
  };
  return {
    totalTime: BigInt(clock.uptime()) * 1_000_000n,
    currentQueue: split(all.filter(({ state }) => state === 'queued')),
    activeClients: split(all.filter(({ state }) => state === 'running')),
  };
}

/**
 * Counts the open transactions, all of which belong to the primary. A transaction in which no statement runs
 * is inactive.
 */
function transactions(cluster: ClusterContext, { caller }: CommandRequest): PlainObject {
  const own = cluster.topology.members.find(({ id }) => id === caller.member);
  const open = own?.state === 'PRIMARY' ? cluster.transactions.list() : [];
  const busy = new Set(cluster.operations.list().map(({ request }) => request?.session));
  const active = open.filter(({ session }) => busy.has(session)).length;
  const current = { currentOpen: open.length, currentActive: active, currentInactive: open.length - active };
  return longs({ ...cluster.counters.of(caller.member).transactions, ...current });
}

function metrics(cluster: ClusterContext, { caller }: CommandRequest): PlainObject {
  const { commands, documents, examined, sorts } = cluster.counters.of(caller.member);
  const cursors = cluster.cursors.list();
  return {
    commands: Object.fromEntries([...commands].map(([name, counts]) => [name, longs(counts)])),
    cursor: {
      timedOut: BigInt(cluster.cursors.timedOut),
      open: {
        noTimeout: BigInt(cursors.filter(({ cursor }) => cursor.noTimeout).length),
        total: BigInt(cursors.length),
      },
    },
    document: longs(documents),
    operation: longs({ scanAndOrder: sorts.statements }),
    query: { sort: longs({ spillToDisk: sorts.spilled }) },
    queryExecutor: longs({ scanned: examined.keys, scannedObjects: examined.documents }),
    ttl: longs(cluster.counters.expiry),
  };
}

/** Returns the CPU time of the process that runs the members, in microseconds. */
function processorTimes(): Readonly<Record<string, bigint>> {
  const { user, system } = process.cpuUsage();
  return longs({ user_time_us: user, system_time_us: system });
}

function latencies(cluster: ClusterContext, { caller }: CommandRequest): PlainObject {
  const { latency } = cluster.counters.of(caller.member);
  return Object.fromEntries(
    Object.entries(latency).map(([kind, { ops, micros }]) => [
      kind,
      longs({ latency: Math.round(micros), ops }),
    ]),
  );
}

function memory(): PlainObject {
  const { rss, heapTotal, external } = process.memoryUsage();
  const virtual = Math.max(rss, heapTotal + external);
  return { bits: 64, resident: Math.round(rss / MIB), virtual: Math.round(virtual / MIB), supported: true };
}

function longs(counts: Readonly<Record<string, number>>): Readonly<Record<string, bigint>> {
  return Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, BigInt(count)]));
}

function replication(cluster: ClusterContext, { caller }: CommandRequest): PlainObject {
  const primary = cluster.topology.members.find(({ state }) => state === 'PRIMARY');
  const own = cluster.topology.members.find(({ id }) => id === caller.member);
  const [written, wall] = [lastOpTime(cluster), new Date(cluster.store.oplog.lastWall)];
  return {
    hosts: cluster.topology.members.map(addressOf),
    setName: cluster.topology.replicaSetName,
    setVersion: cluster.topology.configVersion,
    isWritablePrimary: own?.state === 'PRIMARY',
    // mongostat recognizes a primary by this field.
    ismaster: own?.state === 'PRIMARY',
    secondary: own?.state === 'SECONDARY',
    primary: primary && addressOf(primary),
    me: own && addressOf(own),
    lastWrite: { opTime: written, lastWriteDate: wall, majorityOpTime: written, majorityWriteDate: wall },
  };
}

/** Whether the reply includes a section. Null means false. */
const included: FieldType<boolean> = {
  readsNull: true,
  read: (value, ...at) => value.type !== bsonTypes.null && loose.read(value, ...at),
};

const loose = typeOf('loose');

const sectionFields: Readonly<Record<string, FieldType<boolean>>> = {
  serverStatus: included,
  none: included,
  ...Object.fromEntries(Object.keys(sections).map((name) => [name, included])),
};

const serverStatus = command({
  name: 'serverStatus',
  ...inspecting,
  privileges: () => [{ action: 'serverStatus' }],
  lenient: true,
  fields: sectionFields,
  run(args, request, cluster) {
    const uptime = cluster.clock.uptime();
    const own = cluster.topology.members.find(({ id }) => id === request.caller.member);
    const byDefault = (name: string) => args.none !== true && !onRequest.has(name);
    const wanted = Object.entries(sections).filter(([name]) => args[name] ?? byDefault(name));
    return {
      host: own && addressOf(own),
      version: cluster.topology.version,
      process: 'mongod',
      pid: BigInt(process.pid),
      uptime: new Double(uptime),
      uptimeMillis: BigInt(uptime) * 1000n,
      uptimeEstimate: BigInt(uptime),
      localTime: new Date(cluster.clock.now()),
      ...Object.fromEntries(wanted.map(([name, section]) => [name, section(cluster, request)])),
    };
  },
});

/** Sections that are included only if the request names them. */
const onRequest: ReadonlySet<string> = new Set(['mirroredReads']);

export const serverStatusCommands: readonly Command[] = [serverStatus];
