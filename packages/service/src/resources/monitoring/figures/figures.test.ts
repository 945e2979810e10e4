import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MemberSample } from '@portolan/engine/interface/engine';
import { idleSample } from '@portolan/engine/interface/testing';
import { readSums, writeSums } from '../measured/stored.ts';
import { diskMetrics } from './disk.ts';
import { hostMetrics } from './host.ts';
import { intervalOf, namedMetrics } from './metrics.ts';
import { sumOfAll } from './sums.ts';

const allowed = { connections: 100, diskBytes: 1000 };
const none = {
  ...{ user: 0, nice: 0, kernel: 0, idle: 0, iowait: 0, irq: 0, softirq: 0, steal: 0, guest: 0 },
};

function at(seconds: number, change: Partial<MemberSample> = {}): MemberSample {
  return idleSample(seconds * 1000, change);
}

function machine(change: Partial<MemberSample['machine']>): Partial<MemberSample> {
  return { machine: { ...at(0).machine, ...change } };
}

function readAll(...samples: MemberSample[]) {
  const sums = sumOfAll(samples.map((now, place) => intervalOf(samples[place - 1], now, allowed)));
  const stored = readSums(writeSums(sums));
  return (name: string) =>
    (namedMetrics(hostMetrics).get(name) ?? namedMetrics(diskMetrics).get(name))?.read?.(stored, allowed);
}

test('rates are per second of machine time, independent of service time', () => {
  const later = { ...at(20, { operations: { ...at(0).operations, insert: 50 } }), time: 10 * 86_400_000 };
  const read = readAll(at(0), at(10), later);
  assert.equal(read('OPCOUNTER_INSERT'), 2.5);
  assert.equal(read('OPCOUNTER_QUERY'), 0);
});

test('a counter reset is not counted as growth', () => {
  const percentOfTime = at(0, { network: { bytesIn: 1_000, bytesOut: 0, requests: 0 } });
  const read = readAll(
    percentOfTime,
    at(10),
    at(20, { network: { bytesIn: 100, bytesOut: 0, requests: 0 } }),
  );
  assert.equal(read('NETWORK_BYTES_IN'), 10);
  assert.equal(readAll(percentOfTime)('NETWORK_BYTES_IN'), undefined);
});

test('levels are averages; metrics with a MAX_ form also keep the maximum', () => {
  const using = (used: number) => ({ disk: { used, free: 0, total: 0 } });
  const read = readAll(at(0, using(100)), at(10, using(300)), at(20, using(200)));
  assert.equal(read('DISK_PARTITION_SPACE_USED'), 200);
  assert.equal(read('MAX_DISK_PARTITION_SPACE_USED'), 300);
  assert.equal(read('DISK_PARTITION_SPACE_PERCENT_USED'), 20);
  assert.equal(read('DISK_PARTITION_SPACE_FREE'), 800);
});

test('processor metrics are percentages of time', () => {
  const before = at(0, machine({ processor: none }));
  const processor = { ...none, user: 4_000, idle: 15_000, steal: 1_000 };
  const after = at(10, { ...machine({ processor }), processor: { user: 2_500_000, kernel: 500_000 } });
  const read = readAll(before, after);
  assert.equal(read('SYSTEM_NORMALIZED_CPU_USER'), 20);
  assert.equal(read('SYSTEM_CPU_USER'), 40);
  assert.equal(read('SYSTEM_NORMALIZED_CPU_STEAL'), 5);
  assert.equal(read('PROCESS_CPU_USER'), 25);
  assert.equal(read('MAX_PROCESS_NORMALIZED_CPU_KERNEL'), 5);
});

test('disk latency is per request, and 0 without requests', () => {
  const disk = {
    ...{ reads: 0, writes: 0, bytesRead: 0, bytesWritten: 0, readMillis: 0, writeMillis: 0, queueMillis: 0 },
  };
  const after = { ...disk, writes: 40, bytesWritten: 8_000, writeMillis: 100, queueMillis: 5_000 };
  const read = readAll(at(0, machine({ disk })), at(10, machine({ disk: after })));
  assert.equal(read('DISK_PARTITION_IOPS_TOTAL'), 4);
  assert.equal(read('DISK_PARTITION_LATENCY_WRITE'), 2.5);
  assert.equal(read('DISK_PARTITION_LATENCY_READ'), 0);
  assert.equal(read('DISK_PARTITION_THROUGHPUT_WRITE'), 800);
  assert.equal(read('DISK_QUEUE_DEPTH'), 0.5);
});

test('metrics that the system does not report, or the engine does not count, have no value', () => {
  const read = readAll(at(0), at(10));
  for (const name of ['SYSTEM_CPU_USER', 'SWAP_USAGE_USED', 'DISK_PARTITION_IOPS_READ', 'CACHE_USED_BYTES'])
    assert.equal(read(name), undefined);
  const unread = [...namedMetrics(hostMetrics)].filter(([, metric]) => metric.read === undefined);
  assert.deepEqual(
    unread.filter(([, { reason }]) => !reason),
    [],
  );
});

test('the other metrics have the expected values', () => {
  const done: Partial<MemberSample> = {
    operations: { ...at(0).operations, getmore: 10, command: 20 },
    documents: { returned: 10, inserted: 20, updated: 30, deleted: 40 },
    examined: { keys: 100, documents: 50 },
    sorts: { statements: 40, spilled: 20 },
    latency: {
      reads: { ops: 10, micros: 20_000 },
      writes: { ops: 1, micros: 4_000 },
      commands: { ops: 0, micros: 0 },
    },
    asserts: { regular: 10, user: 20 },
    interrupted: 10,
    queued: { readers: 3, writers: 1 },
    connections: { current: 4, totalCreated: 9 },
    cursors: { open: 2, timedOut: 10 },
    expired: 30,
    sizes: { data: 10, storage: 20, index: 30, objects: 0, collections: 0, indexes: 0, views: 0 },
    memory: { resident: 1024 ** 2, virtual: 2 * 1024 ** 2 },
    oplog: { bytes: 1024 ** 3, window: 7200 },
    ...machine({
      ...{
        network: { in: 100, out: 200 },
        pageFaults: 5,
        swap: { total: 4096, free: 1024, in: 10, out: 20 },
      },
      memory: { total: 4096, free: 1024, available: 2048 },
    }),
  };
  const swap = { total: 4096, free: 1024, in: 0, out: 0 };
  const began = at(0, { ...done, ...at(0), ...machine({ network: { in: 0, out: 0 }, swap }) });
  const read = readAll(began, at(10, done));
  const values: Readonly<Record<string, number>> = {
    ...{ DOCUMENT_METRICS_RETURNED: 1, DOCUMENT_METRICS_DELETED: 4, OPCOUNTER_GETMORE: 1, OPCOUNTER_CMD: 2 },
    ...{ OPERATIONS_SCAN_AND_ORDER: 4, QUERY_SPILL_TO_DISK_DURING_SORT: 2 },
    ...{ QUERY_EXECUTOR_SCANNED: 10, QUERY_TARGETING_SCANNED_OBJECTS_PER_RETURNED: 5 },
    ...{ OP_EXECUTION_TIME_READS: 2, OP_EXECUTION_TIME_WRITES: 4, ASSERT_USER: 2, ASSERT_REGULAR: 1 },
    ...{ OPERATIONS_QUERIES_KILLED: 1, CURSORS_TOTAL_TIMED_OUT: 1, OPCOUNTER_TTL_DELETED: 3 },
    ...{ SYSTEM_NETWORK_OUT: 20, MAX_SYSTEM_NETWORK_IN: 10, EXTRA_INFO_PAGE_FAULTS: 0.5, SWAP_IO_OUT: 2 },
    ...{ GLOBAL_LOCK_CURRENT_QUEUE_TOTAL: 2, CONNECTIONS: 2, CURSORS_TOTAL_OPEN: 1 },
    ...{ DB_DATA_SIZE_TOTAL: 5, DB_STORAGE_TOTAL: 10, DB_INDEX_SIZE_TOTAL: 15, MEMORY_VIRTUAL: 1 },
    ...{ OPLOG_MASTER_TIME: 3600, OPLOG_RATE_GB_PER_HOUR: 0.5, SWAP_USAGE_USED: 3 },
    SYSTEM_MEMORY_USED: 1,
  };
  assert.deepEqual(Object.fromEntries(Object.keys(values).map((name) => [name, read(name)])), values);
  assert.equal(read('OP_EXECUTION_TIME_COMMANDS'), 0);
});

test('the targeting ratio divides by at least one document, and is 0 without queries', () => {
  const busy = at(10, { examined: { keys: 0, documents: 5000 } });
  const targeting = 'QUERY_TARGETING_SCANNED_OBJECTS_PER_RETURNED';
  assert.equal(readAll(at(0), busy)(targeting), 5000);
  assert.equal(readAll(at(0), at(10))(targeting), 0);
  assert.equal(readAll(busy)(targeting), undefined);
});
