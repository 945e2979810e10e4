import type { MachineFigures, MemberSample, ProcessorUse } from '@portolan/engine/interface/engine';

/**
 * This file computes changes between samples of a member. The changes in an interval are the sums of the
 * changes in its parts.
 */

type Read = (sample: MemberSample) => number | undefined;

const processorUses: readonly ProcessorUse[] = [
  ...(['user', 'nice', 'kernel', 'idle', 'iowait', 'irq', 'softirq', 'steal', 'guest'] as const),
];
const diskCounts = [
  ...(['reads', 'writes', 'bytesRead', 'bytesWritten', 'readMillis', 'writeMillis', 'queueMillis'] as const),
];

type Operation = keyof MemberSample['operations'];
type DocumentChange = keyof MemberSample['documents'];
type Latency = keyof MemberSample['latency'];
type DiskCount = keyof NonNullable<MachineFigures['disk']>;

export type Count =
  | `op.${Operation}`
  | `doc.${DocumentChange}`
  | `ops.${Latency}`
  | `micros.${Latency}`
  | `cpu.${ProcessorUse}`
  | `disk.${DiskCount}`
  | 'scanned'
  | 'scannedObjects'
  | 'user'
  | 'kernel'
  | 'assert.regular'
  | 'assert.user'
  | 'interrupted'
  | 'cursorsTimedOut'
  | 'expired'
  | 'bytesIn'
  | 'bytesOut'
  | 'requests'
  | 'pageFaults'
  | 'swapIn'
  | 'swapOut'
  | 'networkIn'
  | 'networkOut'
  | 'search.user'
  | 'search.kernel'
  | 'sorts'
  | 'spilledSorts';

const table = <Name extends string, Key extends string>(
  keys: readonly Key[],
  entry: (key: Key) => readonly [Name, Read],
) => keys.map(entry);

/** Monotonic counters, in the order of stored rows. New counters must be appended. */
export const counts: ReadonlyArray<readonly [Count, Read]> = [
  ...table<Count, Operation>(['insert', 'query', 'update', 'delete', 'getmore', 'command'], (kind) => [
    `op.${kind}`,
    ({ operations }) => operations[kind],
  ]),
  ...table<Count, DocumentChange>(['returned', 'inserted', 'updated', 'deleted'], (kind) => [
    `doc.${kind}`,
    ({ documents }) => documents[kind],
  ]),
  ...table<Count, Latency>(['reads', 'writes', 'commands'], (kind) => [
    `ops.${kind}`,
    ({ latency }) => latency[kind].ops,
  ]),
  ...table<Count, Latency>(['reads', 'writes', 'commands'], (kind) => [
    `micros.${kind}`,
    ({ latency }) => latency[kind].micros,
  ]),
  ['scanned', ({ examined }) => examined.keys],
  ['scannedObjects', ({ examined }) => examined.documents],
  ['user', ({ processor }) => processor.user],
  ['kernel', ({ processor }) => processor.kernel],
  ['assert.regular', ({ asserts }) => asserts.regular],
  ['assert.user', ({ asserts }) => asserts.user],
  ['interrupted', ({ interrupted }) => interrupted],
  ['cursorsTimedOut', ({ cursors }) => cursors.timedOut],
  ['expired', ({ expired }) => expired],
  ['bytesIn', ({ network }) => network.bytesIn],
  ['bytesOut', ({ network }) => network.bytesOut],
  ['requests', ({ network }) => network.requests],
  ['pageFaults', ({ machine }) => machine.pageFaults],
  ['swapIn', ({ machine }) => machine.swap?.in],
  ['swapOut', ({ machine }) => machine.swap?.out],
  ['networkIn', ({ machine }) => machine.network?.in],
  ['networkOut', ({ machine }) => machine.network?.out],
  ...table<Count, ProcessorUse>(processorUses, (use) => [
    `cpu.${use}`,
    ({ machine }) => machine.processor?.[use],
  ]),
  ...table<Count, DiskCount>(diskCounts, (kind) => [`disk.${kind}`, ({ machine }) => machine.disk?.[kind]]),
  ['search.user', ({ search }) => search?.processor.user],
  ['search.kernel', ({ search }) => search?.processor.kernel],
  ['sorts', ({ sorts }) => sorts?.statements],
  ['spilledSorts', ({ sorts }) => sorts?.spilled],
];

export type Level =
  | 'connections'
  | 'cursors'
  | 'queuedReaders'
  | 'queuedWriters'
  | 'data'
  | 'storage'
  | 'index'
  | 'resident'
  | 'virtual'
  | 'oplogBytes'
  | 'oplogWindow'
  | 'used'
  | 'free'
  | 'processors'
  | 'memoryTotal'
  | 'memoryFree'
  | 'memoryAvailable'
  | 'swapTotal'
  | 'swapFree'
  | 'search.threads'
  | 'search.disk'
  | 'search.resident'
  | 'search.virtual'
  | 'search.heap'
  | 'search.most'
  | 'lag'
  | 'ownProcessors';

/** Gauges, in the order of stored rows. New gauges must be appended. */
export const levels: ReadonlyArray<readonly [Level, Read]> = [
  ['connections', ({ connections }) => connections.current],
  ['cursors', ({ cursors }) => cursors.open],
  ['queuedReaders', ({ queued }) => queued.readers],
  ['queuedWriters', ({ queued }) => queued.writers],
  ['data', ({ sizes }) => sizes.data],
  ['storage', ({ sizes }) => sizes.storage],
  ['index', ({ sizes }) => sizes.index],
  ['resident', ({ memory }) => memory.resident],
  ['virtual', ({ memory }) => memory.virtual],
  ['oplogBytes', ({ oplog }) => oplog?.bytes],
  ['oplogWindow', ({ oplog }) => oplog?.window],
  ['used', ({ disk }) => disk.used],
  ['free', ({ disk }) => disk.free],
  ['processors', ({ machine }) => machine.processors],
  ['memoryTotal', ({ machine }) => machine.memory?.total],
  ['memoryFree', ({ machine }) => machine.memory?.free],
  ['memoryAvailable', ({ machine }) => machine.memory?.available],
  ['swapTotal', ({ machine }) => machine.swap?.total],
  ['swapFree', ({ machine }) => machine.swap?.free],
  // The search nodes, plus the thread that builds indexes.
  ['search.threads', ({ search }) => search && search.nodes + 1],
  ['search.disk', ({ search }) => search?.disk],
  ['search.resident', ({ search }) => search?.memory.resident],
  ['search.virtual', ({ search }) => search?.memory.virtual],
  ['search.heap', ({ search }) => search?.memory.heap],
  ['search.most', ({ search }) => search?.memory.most],
  ['lag', ({ lag }) => lag],
  ['ownProcessors', ({ ownProcessors }) => ownProcessors],
];

export interface Sums {
  /** The duration in machine time during which the counts were collected, in milliseconds. */
  readonly millis: number;
  readonly samples: number;
  /** Growth of each counter. Counters that the member does not report are absent. */
  readonly counts: Readonly<Partial<Record<Count, number>>>;
  /** The sum of each gauge over the samples. */
  readonly levels: Readonly<Partial<Record<Level, number>>>;
  /** Maxima of the metrics with a `MAX_` form, by name without this prefix. */
  readonly maxima: Readonly<Record<string, number>>;
}

/**
 * Returns the growth of the counters since the previous sample, and the gauges of this sample. `intervalOf`
 * adds the maxima.
 */
export function sumsOf(before: MemberSample | undefined, now: MemberSample): Sums {
  const current = levels.flatMap(([name, read]) => {
    const value = read(now);
    return value === undefined ? [] : [[name, value] as const];
  });
  const since = before !== undefined && follows(before, now) ? before : undefined;
  const grown = since === undefined ? [] : growth(since, now);
  return {
    millis: since === undefined ? 0 : now.taken - since.taken,
    samples: 1,
    counts: Object.fromEntries(grown),
    levels: Object.fromEntries(current),
    maxima: {},
  };
}

/** Whether the second sample continues the first; false if the deployment or the machine restarted in between. */
function follows(before: MemberSample, now: MemberSample): boolean {
  return now.taken > before.taken && growth(before, now).every(([, grown]) => grown >= 0);
}

function growth(before: MemberSample, now: MemberSample): Array<readonly [Count, number]> {
  return counts.flatMap(([name, read]) => {
    const [from, to] = [read(before), read(now)];
    return from === undefined || to === undefined ? [] : [[name, to - from] as const];
  });
}

const nothing: Sums = { millis: 0, samples: 0, counts: {}, levels: {}, maxima: {} };

export function sumOfAll(all: readonly Sums[]): Sums {
  return all.reduce(
    (one, other) => ({
      millis: one.millis + other.millis,
      samples: one.samples + other.samples,
      counts: joined(one.counts, other.counts, (a, b) => a + b),
      levels: joined(one.levels, other.levels, (a, b) => a + b),
      maxima: joined(one.maxima, other.maxima, Math.max),
    }),
    nothing,
  );
}

function joined<T extends Readonly<Record<string, number>> | Readonly<Partial<Record<string, number>>>>(
  one: T,
  other: T,
  join: (a: number, b: number) => number,
): T {
  const all: Record<string, number | undefined> = { ...one };
  for (const [name, value] of Object.entries(other)) {
    const known = all[name];
    all[name] = known === undefined ? value : join(known, value as number);
  }
  return all as T;
}
