import { averageQueue, difference, type Formula, level, quotientOf, rate, ratio, sumOf } from './formulas.ts';
import type { Metric } from './unmeasured.ts';

const used = level('used');
const size: Formula = (_, { diskBytes }) => diskBytes;
const free: Formula = (sums, allowed) => {
  const left = difference(size, used)(sums, allowed);
  return left === undefined ? undefined : Math.max(left, 0);
};

/**
 * Metrics of the partition `data`. Disk space is relative to the disk size of the cluster. I/O metrics are those of the
 * whole disk of the machine, and include the I/O of other processes.
 */
export const diskMetrics: Readonly<Record<string, Metric>> = {
  DISK_PARTITION_IOPS_READ: { units: 'SCALAR_PER_SECOND', read: rate('disk.reads'), hasMax: true },
  DISK_PARTITION_IOPS_WRITE: { units: 'SCALAR_PER_SECOND', read: rate('disk.writes'), hasMax: true },
  DISK_PARTITION_IOPS_TOTAL: {
    units: 'SCALAR_PER_SECOND',
    read: sumOf(rate('disk.reads'), rate('disk.writes')),
    hasMax: true,
  },
  DISK_PARTITION_LATENCY_READ: {
    units: 'MILLISECONDS',
    read: quotientOf('disk.readMillis', 'disk.reads'),
    hasMax: true,
    isRatio: true,
  },
  DISK_PARTITION_LATENCY_WRITE: {
    units: 'MILLISECONDS',
    read: quotientOf('disk.writeMillis', 'disk.writes'),
    hasMax: true,
    isRatio: true,
  },
  DISK_PARTITION_SPACE_FREE: { units: 'BYTES', read: free, hasMax: true },
  DISK_PARTITION_SPACE_USED: { units: 'BYTES', read: used, hasMax: true },
  DISK_PARTITION_SPACE_PERCENT_FREE: { units: 'PERCENT', read: ratio(free, size, 100), hasMax: true },
  DISK_PARTITION_SPACE_PERCENT_USED: { units: 'PERCENT', read: ratio(used, size, 100), hasMax: true },
  DISK_PARTITION_THROUGHPUT_READ: { units: 'BYTES_PER_SECOND', read: rate('disk.bytesRead') },
  DISK_PARTITION_THROUGHPUT_WRITE: { units: 'BYTES_PER_SECOND', read: rate('disk.bytesWritten') },
  DISK_QUEUE_DEPTH: { units: 'SCALAR', read: averageQueue('disk.queueMillis') },
};
