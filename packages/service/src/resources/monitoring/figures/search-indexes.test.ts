import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SearchIndexSample } from '@portolan/engine/interface/engine';
import { idleSample } from '@portolan/engine/interface/testing';
import { addSearchSums, searchIndexMetrics, searchSumsOf } from './search-indexes.ts';

const fresh: SearchIndexSample = {
  ...{ bytes: 2 * 1024 ** 2, documents: 10, fields: 3, lag: 0 },
  ...{ inserts: 0, updates: 0, deletes: 0, succeeded: 0, failed: 0, getMores: 0 },
};

const sampleAt = (seconds: number, change: Partial<SearchIndexSample>) =>
  idleSample(seconds * 1000, {
    search: {
      ...{ nodes: 0, processor: { user: 0, kernel: 0 }, disk: 0 },
      memory: { resident: 0, virtual: 0, heap: 0, most: 0 },
      indexes: { words: { ...fresh, ...change } },
    },
  });

const read = (name: string, sums: ReturnType<typeof searchSumsOf>) =>
  sums['words'] && searchIndexMetrics.get(name)?.read(sums['words']);

test('searches and changes are rates per second, sizes are averages', () => {
  const [first, second, third] = [
    sampleAt(0, { succeeded: 5 }),
    sampleAt(10, { succeeded: 25, failed: 10, inserts: 40, lag: 4 }),
    sampleAt(20, { succeeded: 25, failed: 10, inserts: 60, bytes: 4 * 1024 ** 2 }),
  ];
  const sums = addSearchSums(searchSumsOf(first, second), searchSumsOf(second, third));
  const values = {
    ...{ NUMBER_OF_SUCCESS_QUERIES: 1, NUMBER_OF_ERROR_QUERIES: 0.5, TOTAL_NUMBER_OF_QUERIES: 1.5 },
    ...{ NUMBER_OF_INSERTS: 3, NUMBER_OF_UPDATES: 0, REPLICATION_LAG: 2, NUMBER_OF_INDEX_FIELDS: 3 },
    INDEX_SIZE_ON_DISK: 3,
  };
  assert.deepEqual(Object.fromEntries(Object.keys(values).map((name) => [name, read(name, sums)])), values);
});

test('an index whose counters restarted has a size but no rates', () => {
  const sums = searchSumsOf(sampleAt(0, { inserts: 9 }), sampleAt(10, { inserts: 1 }));
  assert.deepEqual([read('NUMBER_OF_INSERTS', sums), read('INDEX_SIZE_ON_DISK', sums)], [undefined, 2]);
  assert.equal(read('NUMBER_OF_INSERTS', searchSumsOf(undefined, sampleAt(10, {}))), undefined);
});

test('metrics of several indexes are added up; lag is the longest', () => {
  const combine = (name: string, ...values: number[]) => searchIndexMetrics.get(name)?.combine(values);
  assert.deepEqual([combine('NUMBER_OF_INSERTS', 1, 2), combine('REPLICATION_LAG', 1, 2)], [3, 2]);
});
