import {
  difference,
  type Formula,
  level,
  percentOfTime,
  processorShare,
  quotientOf,
  rate,
  ratio,
  sumOf,
  times,
} from './formulas.ts';
import { searchProcessor } from './search.ts';
import type { Count } from './sums.ts';
import { type Metric, reasons, type Units, unmeasured } from './unmeasured.ts';

const KIB = 1024;
const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
const HOUR_S = 3600;

const metric = (units: Units, read: Formula): Metric => ({ units, read });
const withMax = (units: Units, read: Formula): Metric => ({ units, read, hasMax: true });
const ratioOf = (units: Units, upper: Count, lower: Count, times = 1): Metric => ({
  units,
  read: quotientOf(upper, lower, times),
  isRatio: true,
});
const perSecond = (name: Count) => metric('SCALAR_PER_SECOND', rate(name));

const oplogRate: Formula = ratio(level('oplogBytes', GIB), level('oplogWindow', HOUR_S));

/**
 * Returns CPU time relative to the processors that the process can use. An embedded deployment can use one processor,
 * since its statements run in one thread. Other servers can use all processors of the machine.
 */
const normalized = (name: Count): Formula => {
  const [share, processors] = [percentOfTime(name), level('ownProcessors')];
  return (sums, allowed) => {
    const value = share(sums, allowed);
    return value === undefined ? undefined : value / (processors(sums, allowed) ?? 1);
  };
};

/** Replication lag. It exists only for members that have separate files. */
const replication = {
  OPLOG_SLAVE_LAG_MASTER_TIME: { ...metric('SECONDS', level('lag')), reason: reasons.sharedFile },
  OPLOG_REPLICATION_LAG: { ...metric('SECONDS', level('lag')), reason: reasons.sharedFile },
};

/** CPU time of the process, relative to one processor. */
const ownProcessor = {
  PROCESS_CPU_USER: withMax('PERCENT', percentOfTime('user')),
  PROCESS_CPU_KERNEL: withMax('PERCENT', percentOfTime('kernel')),
  PROCESS_NORMALIZED_CPU_USER: withMax('PERCENT', normalized('user')),
  PROCESS_NORMALIZED_CPU_KERNEL: withMax('PERCENT', normalized('kernel')),
};

/**
 * CPU time of the whole machine. It is relative to one processor; in `NORMALIZED` metrics, it is relative to all
 * processors.
 */
const machineProcessors = Object.fromEntries(
  (['user', 'kernel', 'nice', 'iowait', 'irq', 'softirq', 'guest', 'steal'] as const).flatMap((use) => {
    const share = processorShare(`cpu.${use}`);
    const name = use.toUpperCase();
    return [
      [`SYSTEM_CPU_${name}`, withMax('PERCENT', times(share, level('processors')))],
      [`SYSTEM_NORMALIZED_CPU_${name}`, withMax('PERCENT', share)],
    ] as const;
  }),
);

const memory = {
  MEMORY_RESIDENT: metric('MEGABYTES', level('resident', MIB)),
  MEMORY_VIRTUAL: metric('MEGABYTES', level('virtual', MIB)),
  SYSTEM_MEMORY_AVAILABLE: withMax('KILOBYTES', level('memoryAvailable', KIB)),
  SYSTEM_MEMORY_FREE: withMax('KILOBYTES', level('memoryFree', KIB)),
  SYSTEM_MEMORY_USED: withMax(
    'KILOBYTES',
    difference(level('memoryTotal', KIB), level('memoryAvailable', KIB)),
  ),
  SWAP_USAGE_FREE: withMax('KILOBYTES', level('swapFree', KIB)),
  SWAP_USAGE_USED: withMax('KILOBYTES', difference(level('swapTotal', KIB), level('swapFree', KIB))),
  SWAP_IO_IN: perSecond('swapIn'),
  SWAP_IO_OUT: perSecond('swapOut'),
  EXTRA_INFO_PAGE_FAULTS: perSecond('pageFaults'),
};

const work = {
  ASSERT_REGULAR: perSecond('assert.regular'),
  ASSERT_USER: perSecond('assert.user'),
  CURSORS_TOTAL_OPEN: metric('SCALAR', level('cursors')),
  CURSORS_TOTAL_TIMED_OUT: perSecond('cursorsTimedOut'),
  DOCUMENT_METRICS_DELETED: perSecond('doc.deleted'),
  DOCUMENT_METRICS_INSERTED: perSecond('doc.inserted'),
  DOCUMENT_METRICS_RETURNED: perSecond('doc.returned'),
  DOCUMENT_METRICS_UPDATED: perSecond('doc.updated'),
  GLOBAL_LOCK_CURRENT_QUEUE_READERS: metric('SCALAR', level('queuedReaders')),
  GLOBAL_LOCK_CURRENT_QUEUE_WRITERS: metric('SCALAR', level('queuedWriters')),
  GLOBAL_LOCK_CURRENT_QUEUE_TOTAL: metric('SCALAR', sumOf(level('queuedReaders'), level('queuedWriters'))),
  OP_EXECUTION_TIME_COMMANDS: ratioOf('MILLISECONDS', 'micros.commands', 'ops.commands', 1 / 1000),
  OP_EXECUTION_TIME_READS: ratioOf('MILLISECONDS', 'micros.reads', 'ops.reads', 1 / 1000),
  OP_EXECUTION_TIME_WRITES: ratioOf('MILLISECONDS', 'micros.writes', 'ops.writes', 1 / 1000),
  OPERATIONS_SCAN_AND_ORDER: perSecond('sorts'),
  QUERY_SPILL_TO_DISK_DURING_SORT: perSecond('spilledSorts'),
  OPERATIONS_QUERIES_KILLED: perSecond('interrupted'),
  QUERY_EXECUTOR_SCANNED: perSecond('scanned'),
  QUERY_EXECUTOR_SCANNED_OBJECTS: perSecond('scannedObjects'),
  QUERY_TARGETING_SCANNED_OBJECTS_PER_RETURNED: ratioOf('SCALAR', 'scannedObjects', 'doc.returned'),
  QUERY_TARGETING_SCANNED_PER_RETURNED: ratioOf('SCALAR', 'scanned', 'doc.returned'),
};

/** Metrics of the threads that build and search indexes, under the names of the reference server. */
const search = {
  FTS_DISK_UTILIZATION: metric('BYTES', level('search.disk')),
  FTS_JVM_CURRENT_MEMORY: metric('MEGABYTES', level('search.heap', MIB)),
  FTS_JVM_MAX_MEMORY: metric('MEGABYTES', level('search.most', MIB)),
  FTS_MEMORY_RESIDENT: metric('MEGABYTES', level('search.resident', MIB)),
  FTS_MEMORY_VIRTUAL: metric('MEGABYTES', level('search.virtual', MIB)),
  ...searchProcessor,
};

/** Metrics that exist for shared-tier clusters, too. */
export const tenantMetrics: Readonly<Record<string, Metric>> = {
  CONNECTIONS: metric('SCALAR', level('connections')),
  LOGICAL_SIZE: metric('BYTES', level('used')),
  NETWORK_BYTES_IN: metric('BYTES_PER_SECOND', rate('bytesIn')),
  NETWORK_BYTES_OUT: metric('BYTES_PER_SECOND', rate('bytesOut')),
  NETWORK_NUM_REQUESTS: perSecond('requests'),
  OPCOUNTER_CMD: perSecond('op.command'),
  OPCOUNTER_DELETE: perSecond('op.delete'),
  OPCOUNTER_GETMORE: perSecond('op.getmore'),
  OPCOUNTER_INSERT: perSecond('op.insert'),
  OPCOUNTER_QUERY: perSecond('op.query'),
  OPCOUNTER_UPDATE: perSecond('op.update'),
};

const notMeasured = {
  ...unmeasured('SCALAR_PER_SECOND', 'twoKinds', ['ASSERT_MSG', 'ASSERT_WARNING']),
  ...unmeasured('BYTES_PER_SECOND', 'pageCache', ['CACHE_BYTES_READ_INTO', 'CACHE_BYTES_WRITTEN_FROM']),
  ...unmeasured('BYTES', 'pageCache', ['CACHE_DIRTY_BYTES', 'CACHE_USED_BYTES']),
  ...unmeasured('PERCENT', 'pageCache', ['CACHE_FILL_RATIO', 'DIRTY_FILL_RATIO']),
  ...unmeasured('MEGABYTES', 'oldStorage', ['COMPUTED_MEMORY', 'MEMORY_MAPPED', 'JOURNALING_MB']),
  ...unmeasured('MEGABYTES', 'oldStorage', ['JOURNALING_WRITE_DATA_FILES_MB']),
  ...unmeasured('MILLISECONDS', 'oldStorage', ['BACKGROUND_FLUSH_AVG']),
  ...unmeasured('SCALAR_PER_SECOND', 'oldStorage', [
    'GLOBAL_ACCESSES_NOT_IN_MEMORY',
    'GLOBAL_PAGE_FAULT_EXCEPTIONS_THROWN',
    'INDEX_COUNTERS_BTREE_ACCESSES',
    'INDEX_COUNTERS_BTREE_HITS',
    'INDEX_COUNTERS_BTREE_MISSES',
    'INDEX_COUNTERS_BTREE_MISS_RATIO',
    'JOURNALING_COMMITS_IN_WRITE_LOCK',
  ]),
  ...unmeasured('MEGABYTES', 'oldStorage', ['FTS_MEMORY_MAPPED']),
  ...unmeasured(
    'PERCENT',
    'oneProcess',
    [
      'PROCESS_CPU_CHILDREN_KERNEL',
      'PROCESS_CPU_CHILDREN_USER',
      'PROCESS_NORMALIZED_CPU_CHILDREN_KERNEL',
      'PROCESS_NORMALIZED_CPU_CHILDREN_USER',
    ],
    true,
  ),
  ...unmeasured('SCALAR_PER_SECOND', 'sharedFile', [
    'OPCOUNTER_REPL_CMD',
    'OPCOUNTER_REPL_DELETE',
    'OPCOUNTER_REPL_INSERT',
    'OPCOUNTER_REPL_UPDATE',
  ]),
  ...unmeasured('SECONDS', 'sharedFile', ['OPLOG_MASTER_LAG_TIME_DIFF']),
  ...unmeasured('SCALAR_PER_SECOND', 'noThrottling', ['OPERATION_THROTTLING_REJECTED_OPERATIONS']),
  ...unmeasured('SCALAR', 'serviceTime', ['RESTARTS_IN_LAST_HOUR']),
  ...unmeasured('SCALAR', 'tickets', ['TICKETS_AVAILABLE_READS', 'TICKETS_AVAILABLE_WRITE']),
};

/** The metrics of a process. */
export const hostMetrics: Readonly<Record<string, Metric>> = {
  ...tenantMetrics,
  ...work,
  ...memory,
  ...ownProcessor,
  ...machineProcessors,
  ...search,
  ...replication,
  OPCOUNTER_TTL_DELETED: perSecond('expired'),
  DB_DATA_SIZE_TOTAL: metric('BYTES', level('data')),
  DB_INDEX_SIZE_TOTAL: metric('BYTES', level('index')),
  DB_STORAGE_TOTAL: metric('BYTES', level('storage')),
  OPLOG_MASTER_TIME: metric('SECONDS', level('oplogWindow')),
  OPLOG_RATE_GB_PER_HOUR: metric('GIGABYTES_PER_HOUR', oplogRate),
  SYSTEM_NETWORK_IN: withMax('BYTES_PER_SECOND', rate('networkIn')),
  SYSTEM_NETWORK_OUT: withMax('BYTES_PER_SECOND', rate('networkOut')),
  ...notMeasured,
};
