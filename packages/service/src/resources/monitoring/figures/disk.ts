import { depth, less, level, perEach, type Reading, rate, ratio, sumOf } from './readings.ts';
import type { Metric } from './unmeasured.ts';

const used = level('used');
const size: Reading = (_, { diskBytes }) => diskBytes;
const free: Reading = (sums, allowed) => {
  const left = less(size, used)(sums, allowed);
  return left === undefined ? undefined : Math.max(left, 0);
};

/**
 * Of the partition `data`: space is that of the cluster's size, requests are those of the disk that the data are on,
 * by everyone who uses it.
 */
export const diskMetrics: Readonly<Record<string, Metric>> = {
  DISK_PARTITION_IOPS_READ: { units: 'SCALAR_PER_SECOND', read: rate('disk.reads'), most: true },
  DISK_PARTITION_IOPS_WRITE: { units: 'SCALAR_PER_SECOND', read: rate('disk.writes'), most: true },
  DISK_PARTITION_IOPS_TOTAL: {
    units: 'SCALAR_PER_SECOND',
    read: sumOf(rate('disk.reads'), rate('disk.writes')),
    most: true,
  },
  DISK_PARTITION_LATENCY_READ: {
    units: 'MILLISECONDS',
    read: perEach('disk.readMillis', 'disk.reads'),
    most: true,
    isRatio: true,
  },
  DISK_PARTITION_LATENCY_WRITE: {
    units: 'MILLISECONDS',
    read: perEach('disk.writeMillis', 'disk.writes'),
    most: true,
    isRatio: true,
  },
  DISK_PARTITION_SPACE_FREE: { units: 'BYTES', read: free, most: true },
  DISK_PARTITION_SPACE_USED: { units: 'BYTES', read: used, most: true },
  DISK_PARTITION_SPACE_PERCENT_FREE: { units: 'PERCENT', read: ratio(free, size, 100), most: true },
  DISK_PARTITION_SPACE_PERCENT_USED: { units: 'PERCENT', read: ratio(used, size, 100), most: true },
  DISK_PARTITION_THROUGHPUT_READ: { units: 'BYTES_PER_SECOND', read: rate('disk.bytesRead') },
  DISK_PARTITION_THROUGHPUT_WRITE: { units: 'BYTES_PER_SECOND', read: rate('disk.bytesWritten') },
  DISK_QUEUE_DEPTH: { units: 'SCALAR', read: depth('disk.queueMillis') },
};
