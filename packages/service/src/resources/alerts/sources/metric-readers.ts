import type { IndexQueries, MemberSample } from '@portolan/engine/interface/engine';
import { type Allowance, figureOf, reasonOf } from '../../monitoring/index.ts';

/**
 * Reads a metric of a member from its newest samples, in the base unit of the metric (`catalogue/units.ts`). Counters
 * become a rate per second. Returns undefined if the value is unknown, for example before the second sample.
 */
type MetricReader = (samples: readonly MemberSample[], allowed: Allowance) => number | undefined;

/** Reads a metric from monitoring, and multiplies it by `times` to convert it to the base unit. */
const measured =
  (metric: string, times = 1): MetricReader =>
  (samples, allowed) => {
    const value = figureOf(metric, samples, allowed);
    return value === undefined ? undefined : value * times;
  };

const KIB = 1024;
const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
const SECOND_MS = 1000;

/** Metrics that have the same name in monitoring, with their factor to the base unit. */
const sameName: Readonly<Record<string, number>> = {
  ...unscaled(
    'ASSERT_REGULAR',
    'ASSERT_USER',
    'CONNECTIONS',
    'CURSORS_TOTAL_OPEN',
    'CURSORS_TOTAL_TIMED_OUT',
  ),
  ...unscaled(
    'EXTRA_INFO_PAGE_FAULTS',
    'GLOBAL_LOCK_CURRENT_QUEUE_READERS',
    'GLOBAL_LOCK_CURRENT_QUEUE_TOTAL',
  ),
  ...unscaled(
    'GLOBAL_LOCK_CURRENT_QUEUE_WRITERS',
    'NETWORK_BYTES_IN',
    'NETWORK_BYTES_OUT',
    'NETWORK_NUM_REQUESTS',
  ),
  ...unscaled(
    'OPCOUNTER_CMD',
    'OPCOUNTER_DELETE',
    'OPCOUNTER_GETMORE',
    'OPCOUNTER_INSERT',
    'OPCOUNTER_QUERY',
  ),
  ...unscaled('OPCOUNTER_UPDATE', 'OPCOUNTER_TTL_DELETED', 'OPERATIONS_QUERIES_KILLED', 'LOGICAL_SIZE'),
  ...unscaled(
    'QUERY_EXECUTOR_SCANNED',
    'QUERY_EXECUTOR_SCANNED_OBJECTS',
    'DB_DATA_SIZE_TOTAL',
    'DB_STORAGE_TOTAL',
  ),
  ...unscaled('OPERATIONS_SCAN_AND_ORDER', 'QUERY_SPILL_TO_DISK_DURING_SORT'),
  ...unscaled('QUERY_TARGETING_SCANNED_PER_RETURNED', 'QUERY_TARGETING_SCANNED_OBJECTS_PER_RETURNED'),
  ...unscaled('DB_INDEX_SIZE_TOTAL', 'SYSTEM_NETWORK_IN', 'SYSTEM_NETWORK_OUT'),
  ...unscaled('MAX_SYSTEM_NETWORK_IN', 'MAX_SYSTEM_NETWORK_OUT'),
  ...unscaled('FTS_DISK_UTILIZATION', 'FTS_PROCESS_CPU_KERNEL', 'FTS_PROCESS_CPU_USER'),
  ...{
    FTS_JVM_CURRENT_MEMORY: MIB,
    FTS_JVM_MAX_MEMORY: MIB,
    FTS_MEMORY_RESIDENT: MIB,
    FTS_MEMORY_VIRTUAL: MIB,
  },
  ...{
    MEMORY_RESIDENT: MIB,
    MEMORY_VIRTUAL: MIB,
    OPLOG_MASTER_TIME: SECOND_MS,
    OPLOG_SLAVE_LAG_MASTER_TIME: SECOND_MS,
    OPLOG_RATE_GB_PER_HOUR: GIB,
  },
  ...{ SWAP_USAGE_FREE: KIB, SWAP_USAGE_USED: KIB, MAX_SWAP_USAGE_FREE: KIB, MAX_SWAP_USAGE_USED: KIB },
  ...{ SYSTEM_MEMORY_AVAILABLE: KIB, SYSTEM_MEMORY_USED: KIB },
  ...{ MAX_SYSTEM_MEMORY_AVAILABLE: KIB, MAX_SYSTEM_MEMORY_USED: KIB },
};

function unscaled(...names: string[]): Record<string, number> {
  return Object.fromEntries(names.map((name) => [name, 1]));
}

/** Metrics that have another name in monitoring. */
const otherName: Readonly<Record<string, string>> = {
  AVG_COMMAND_EXECUTION_TIME: 'OP_EXECUTION_TIME_COMMANDS',
  AVG_READ_EXECUTION_TIME: 'OP_EXECUTION_TIME_READS',
  AVG_WRITE_EXECUTION_TIME: 'OP_EXECUTION_TIME_WRITES',
  DOCUMENT_DELETED: 'DOCUMENT_METRICS_DELETED',
  DOCUMENT_INSERTED: 'DOCUMENT_METRICS_INSERTED',
  DOCUMENT_RETURNED: 'DOCUMENT_METRICS_RETURNED',
  DOCUMENT_UPDATED: 'DOCUMENT_METRICS_UPDATED',
  MUNIN_CPU_IOWAIT: 'SYSTEM_CPU_IOWAIT',
  MUNIN_CPU_IRQ: 'SYSTEM_CPU_IRQ',
  MUNIN_CPU_NICE: 'SYSTEM_CPU_NICE',
  MUNIN_CPU_SOFTIRQ: 'SYSTEM_CPU_SOFTIRQ',
  MUNIN_CPU_STEAL: 'SYSTEM_CPU_STEAL',
  MUNIN_CPU_SYSTEM: 'SYSTEM_CPU_KERNEL',
  MUNIN_CPU_USER: 'SYSTEM_CPU_USER',
  NORMALIZED_FTS_PROCESS_CPU_KERNEL: 'FTS_PROCESS_NORMALIZED_CPU_KERNEL',
  NORMALIZED_FTS_PROCESS_CPU_USER: 'FTS_PROCESS_NORMALIZED_CPU_USER',
  NORMALIZED_SYSTEM_CPU_STEAL: 'SYSTEM_NORMALIZED_CPU_STEAL',
  NORMALIZED_SYSTEM_CPU_USER: 'SYSTEM_NORMALIZED_CPU_USER',
  MAX_NORMALIZED_SYSTEM_CPU_STEAL: 'MAX_SYSTEM_NORMALIZED_CPU_STEAL',
  MAX_NORMALIZED_SYSTEM_CPU_USER: 'MAX_SYSTEM_NORMALIZED_CPU_USER',
};

/** Data, indexes and journal are on one disk, so they have the same metrics. */
const disk = Object.fromEntries(
  ['DATA', 'INDEX', 'JOURNAL'].flatMap((part) =>
    ['', 'MAX_'].flatMap((most) => [
      [`${most}DISK_PARTITION_READ_IOPS_${part}`, measured(`${most}DISK_PARTITION_IOPS_READ`)],
      [`${most}DISK_PARTITION_WRITE_IOPS_${part}`, measured(`${most}DISK_PARTITION_IOPS_WRITE`)],
      [`${most}DISK_PARTITION_READ_LATENCY_${part}`, measured(`${most}DISK_PARTITION_LATENCY_READ`)],
      [`${most}DISK_PARTITION_WRITE_LATENCY_${part}`, measured(`${most}DISK_PARTITION_LATENCY_WRITE`)],
      [`${most}DISK_PARTITION_SPACE_USED_${part}`, measured(`${most}DISK_PARTITION_SPACE_PERCENT_USED`)],
      [`${most}DISK_PARTITION_QUEUE_DEPTH_${part}`, measured('DISK_QUEUE_DEPTH')],
    ]),
  ),
) as Readonly<Record<string, MetricReader>>;

const memoryShare: MetricReader = (samples) => {
  const { total, available } = samples.at(-1)?.machine.memory ?? { total: 0, available: 0 };
  return total === 0 ? undefined : 100 * (1 - available / total);
};

const connectionShare: MetricReader = (samples, { connections }) => {
  const now = samples.at(-1);
  return now && (100 * now.connections.current) / connections;
};

/** Aggregates a value over the search indexes of a member. */
const ofIndexes =
  (
    name: 'bytes' | 'documents' | 'fields' | 'lag',
    together: (...values: number[]) => number,
    times = 1,
  ): MetricReader =>
  (samples) => {
    const indexes = Object.values(samples.at(-1)?.search?.indexes ?? {});
    return indexes.length === 0 ? undefined : together(...indexes.map((index) => index[name])) * times;
  };

const sum = (...values: number[]) => values.reduce((all, value) => all + value, 0);

/**
 * The rate of counters, summed over all search indexes of a member. A counter that was reset between the two samples
 * counts as unchanged.
 */
const searches =
  (...names: ReadonlyArray<keyof IndexQueries | 'deletes' | 'inserts' | 'updates'>): MetricReader =>
  (samples) => {
    const [before, now] = samples.slice(-2);
    if (before?.search === undefined || now?.search === undefined || now.taken <= before.taken)
      return undefined;
    const former = before.search.indexes;
    const grown = Object.entries(now.search.indexes).flatMap(([id, index]) =>
      names.map((name) => Math.max(index[name] - (former[id]?.[name] ?? 0), 0)),
    );
    return (sum(...grown) * SECOND_MS) / (now.taken - before.taken);
  };

const search: Readonly<Record<string, MetricReader>> = {
  SEARCH_NUMBER_OF_FIELDS_IN_INDEX: ofIndexes('fields', Math.max),
  SEARCH_NUMBER_OF_QUERIES_ERROR: searches('failed'),
  SEARCH_NUMBER_OF_QUERIES_SUCCESS: searches('succeeded'),
  SEARCH_NUMBER_OF_QUERIES_TOTAL: searches('succeeded', 'failed'),
  SEARCH_OPCOUNTER_DELETE: searches('deletes'),
  SEARCH_OPCOUNTER_GETMORE: searches('getMores'),
  SEARCH_OPCOUNTER_INSERT: searches('inserts'),
  SEARCH_OPCOUNTER_UPDATE: searches('updates'),
  SEARCH_REPLICATION_LAG: ofIndexes('lag', Math.max, SECOND_MS),
  SEARCH_INDEX_SIZE: ofIndexes('bytes', sum),
  SEARCH_MAX_NUMBER_OF_LIB_DOCS: ofIndexes('documents', Math.max),
};

/** Readers of all host metrics that are measured. The catalogue also contains metrics for which there is no data. */
export const hostMetricReaders: Readonly<Record<string, MetricReader>> = {
  ...Object.fromEntries(Object.entries(sameName).map(([name, times]) => [name, measured(name, times)])),
  ...Object.fromEntries(Object.entries(otherName).map(([name, metric]) => [name, measured(metric)])),
  ...disk,
  ...search,
  CONNECTIONS_MAX: (_, allowed) => allowed.connections,
  CONNECTIONS_PERCENT: connectionShare,
  SYSTEM_MEMORY_PERCENT_USED: memoryShare,
  MAX_SYSTEM_MEMORY_PERCENT_USED: memoryShare,
};

const ALIASES: Readonly<Record<string, string>> = {
  CACHE_USAGE_DIRTY: 'CACHE_DIRTY_BYTES',
  CACHE_USAGE_USED: 'CACHE_USED_BYTES',
  TICKETS_AVAILABLE_WRITES: 'TICKETS_AVAILABLE_WRITE',
};

/** Why the embedded engine does not measure a metric of the catalogue; undefined if it measures the metric. */
export function reasonUnmeasured(name: string): string | undefined {
  return reasonOf(ALIASES[name] ?? name);
}
