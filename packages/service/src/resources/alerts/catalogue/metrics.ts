import type { EventKind } from './event-kinds.ts';
import type { UnitSet } from './units.ts';

/**
 * Expands abbreviated names (docs/contract/access.md 8.6): `A_{B,C}` means `A_B` and `A_C`; `[MAX_]A` means `A` and
 * `MAX_A`.
 */
function expandPattern(pattern: string): string[] {
  const optional = /^(.*?)\[(\w+)\](.*)$/.exec(pattern);
  if (optional) {
    const [, before = '', inner = '', after = ''] = optional;
    return [...expandPattern(before + after), ...expandPattern(before + inner + after)];
  }
  const choice = /^(.*?)\{([^}]*)\}(.*)$/.exec(pattern);
  if (!choice) return [pattern];
  const [, before = '', inner = '', after = ''] = choice;
  return inner.split(',').flatMap((each) => expandPattern(before + each + after));
}

type Patterns = Partial<Record<UnitSet, readonly string[]>>;

const hostMetrics: Patterns = {
  raw: [
    'ASSERT_{MSG,REGULAR,USER,WARNING}',
    'CONNECTIONS',
    'CONNECTIONS_{MAX,PERCENT}',
    'CURSORS_TOTAL_{OPEN,TIMED_OUT,CLIENT_CURSORS_SIZE}',
    '[MAX_]DISK_PARTITION_{QUEUE_DEPTH,READ_IOPS,WRITE_IOPS,SPACE_USED}_{DATA,INDEX,JOURNAL}',
    'DOCUMENT_{DELETED,INSERTED,RETURNED,UPDATED}',
    'EXTRA_INFO_PAGE_FAULTS',
    '[NORMALIZED_]FTS_PROCESS_CPU_{KERNEL,USER}',
    'GLOBAL_ACCESSES_NOT_IN_MEMORY',
    'GLOBAL_LOCK_CURRENT_QUEUE_{READERS,WRITERS,TOTAL}',
    'GLOBAL_LOCK_PERCENTAGE',
    'GLOBAL_PAGE_FAULT_EXCEPTIONS_THROWN',
    'INDEX_COUNTERS_BTREE_{ACCESSES,HITS,MISSES,MISS_RATIO}',
    'JOURNALING_COMMITS_IN_WRITE_LOCK',
    'MUNIN_CPU_{IOWAIT,IRQ,NICE,SOFTIRQ,STEAL,SYSTEM,USER}',
    'NETWORK_NUM_REQUESTS',
    '[MAX_]NORMALIZED_SYSTEM_CPU_{STEAL,USER}',
    'OPCOUNTER_{CMD,DELETE,GETMORE,INSERT,QUERY,UPDATE,TTL_DELETED}',
    'OPCOUNTER_REPL_{CMD,DELETE,INSERT,UPDATE}',
    'OPERATIONS_{QUERIES_KILLED,SCAN_AND_ORDER}',
    'OPERATION_THROTTLING_REJECTED_OPERATIONS',
    'QUERY_EXECUTOR_{SCANNED,SCANNED_OBJECTS}',
    'QUERY_SPILL_TO_DISK_DURING_SORT',
    'QUERY_TARGETING_{SCANNED,SCANNED_OBJECTS}_PER_RETURNED',
    'RESTARTS_IN_LAST_HOUR',
    'SEARCH_NUMBER_OF_FIELDS_IN_INDEX',
    'SEARCH_NUMBER_OF_QUERIES_{ERROR,SUCCESS,TOTAL}',
    'SEARCH_OPCOUNTER_{DELETE,GETMORE,INSERT,UPDATE}',
    '[MAX_]SYSTEM_MEMORY_PERCENT_USED',
    'TICKETS_AVAILABLE_{READS,WRITES}',
  ],
  time: [
    'AVG_{COMMAND,READ,WRITE}_EXECUTION_TIME',
    'BACKGROUND_FLUSH_AVG',
    '[MAX_]DISK_PARTITION_{READ,WRITE}_LATENCY_{DATA,INDEX,JOURNAL}',
    'OPLOG_MASTER_{LAG_TIME_DIFF,TIME,TIME_ESTIMATED_TTL}',
    'OPLOG_SLAVE_LAG_MASTER_TIME',
    'SEARCH_REPLICATION_LAG',
  ],
  data: [
    'CACHE_BYTES_{READ_INTO,WRITTEN_FROM}',
    'CACHE_USAGE_{DIRTY,USED}',
    'COMPUTED_MEMORY',
    'DB_DATA_SIZE_{TOTAL,TOTAL_WO_SYSTEM}',
    'DB_{INDEX_SIZE,STORAGE}_TOTAL',
    'FTS_DISK_UTILIZATION',
    'FTS_JVM_{CURRENT,MAX}_MEMORY',
    'FTS_MEMORY_{MAPPED,RESIDENT,VIRTUAL}',
    'JOURNALING_{MB,WRITE_DATA_FILES_MB}',
    'LOGICAL_SIZE',
    '[MAX_]SWAP_USAGE_{FREE,USED}',
    '[MAX_]SYSTEM_MEMORY_{AVAILABLE,USED}',
    '[MAX_]SYSTEM_NETWORK_{IN,OUT}',
    'MEMORY_{MAPPED,RESIDENT,VIRTUAL}',
    'NETWORK_BYTES_{IN,OUT}',
    'OPLOG_RATE_GB_PER_HOUR',
    'SEARCH_INDEX_SIZE',
  ],
  number: ['SEARCH_MAX_NUMBER_OF_LIB_DOCS'],
};

/** Returns the metrics that serverless instances and flex clusters have in common, with a prefix before each name. */
const tenantMetrics = (prefix: string): Patterns => ({
  time: [`${prefix}AVG_{COMMAND,READ,WRITE}_EXECUTION_TIME`],
  raw: [
    `${prefix}CONNECTIONS`,
    `${prefix}CONNECTIONS_PERCENT`,
    `${prefix}NETWORK_NUM_REQUESTS`,
    `${prefix}OPCOUNTER_{CMD,DELETE,GETMORE,INSERT,QUERY,UPDATE}`,
  ],
  data: [`${prefix}DATA_SIZE_TOTAL`, `${prefix}NETWORK_BYTES_{IN,OUT}`],
});

const flexMetrics = tenantMetrics('FLEX_');

const patterns: Readonly<Record<NonNullable<EventKind['metric']>, Patterns>> = {
  host: hostMetrics,
  serverless: {
    ...tenantMetrics('SERVERLESS_'),
    readUnits: ['SERVERLESS_TOTAL_READ_UNITS'],
    writeUnits: ['SERVERLESS_TOTAL_WRITE_UNITS'],
  },
  flex: { ...flexMetrics, raw: [...(flexMetrics.raw ?? []), 'FLEX_OPCOUNTER_TOTAL'] },
  streams: {
    time: ['STREAM_PROCESSOR_CHANGE_STREAM_LAG'],
    raw: ['STREAM_PROCESSOR_{DLQ_MESSAGE_COUNT,KAFKA_LAG,OUTPUT_MESSAGE_COUNT}'],
  },
};

function spelled(bySet: Patterns): ReadonlyMap<string, UnitSet> {
  const entries = Object.entries(bySet) as [UnitSet, readonly string[]][];
  return new Map(
    entries.flatMap(([set, names]) => names.flatMap(expandPattern).map((name) => [name, set] as const)),
  );
}

/** The metrics of each family with the unit set of their thresholds. */
export const metrics: Readonly<Record<keyof typeof patterns, ReadonlyMap<string, UnitSet>>> = {
  host: spelled(patterns.host),
  serverless: spelled(patterns.serverless),
  flex: spelled(patterns.flex),
  streams: spelled(patterns.streams),
};
