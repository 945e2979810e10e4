import { type Formula, level, percentOfTime, rate, ratio } from './formulas.ts';
import type { Metric } from './unmeasured.ts';
import { unmeasured } from './unmeasured.ts';

const MIB = 1024 ** 2;

const share = (name: 'search.kernel' | 'search.user'): Formula => percentOfTime(name);
/** Returns CPU time relative to all threads of the search process. */
const normalized = (name: 'search.kernel' | 'search.user'): Formula =>
  ratio(share(name), level('search.threads'));

export const searchProcessor: Readonly<Record<string, Metric>> = {
  FTS_PROCESS_CPU_USER: { units: 'PERCENT', read: share('search.user') },
  FTS_PROCESS_CPU_KERNEL: { units: 'PERCENT', read: share('search.kernel') },
  FTS_PROCESS_NORMALIZED_CPU_USER: { units: 'PERCENT', read: normalized('search.user') },
  FTS_PROCESS_NORMALIZED_CPU_KERNEL: { units: 'PERCENT', read: normalized('search.kernel') },
};

/**
 * Metrics of a cluster's threads that build and search indexes. All members have the same values. If the cluster has no
 * search nodes, one thread builds all indexes, and searches run as ordinary statements.
 */
export const searchHardwareMetrics: Readonly<Record<string, Metric>> = {
  FTS_DISK_USAGE: { units: 'BYTES', read: level('search.disk') },
  ...searchProcessor,
  FTS_PROCESS_RESIDENT_MEMORY: { units: 'BYTES', read: level('search.resident') },
  FTS_PROCESS_VIRTUAL_MEMORY: { units: 'BYTES', read: level('search.virtual') },
  ...unmeasured('BYTES', 'oneMemory', ['FTS_PROCESS_SHARED_MEMORY']),
};

/** The `JVM_` metrics are those of the JavaScript heap. */
export const searchStatusMetrics: Readonly<Record<string, Metric>> = {
  JVM_CURRENT_MEMORY: { units: 'MEGABYTES', read: level('search.heap', MIB) },
  JVM_MAX_MEMORY: { units: 'MEGABYTES', read: level('search.most', MIB) },
  PAGE_FAULTS: { units: 'SCALAR_PER_SECOND', read: rate('pageFaults') },
};
