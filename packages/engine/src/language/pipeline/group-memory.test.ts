import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Document } from 'bson';
import { TestCluster } from '../../worker/testing.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

/** Runs `$group` without the disk, so that it fails when its memory exceeds 100 MiB. */
function grouped(documents: readonly Document[], group: Document): Document {
  const cluster = new TestCluster({}, { unsynced: true });
  try {
    for (const document of documents) cluster.run({ insert: 'c', documents: [document] });
    const pipeline = [{ $group: group }, { $count: 'n' }];
    return cluster.run({ aggregate: 'c', pipeline, cursor: {}, allowDiskUse: false });
  } finally {
    cluster.remove();
  }
}

describe('the memory limit of $group', () => {
  const many = numbers(220).map((_id) => ({ _id, a: _id }));
  for (const name of ['$sum', '$push', '$addToSet', '$first']) {
    it(`includes the objects of many accumulators: ${name}`, () => {
      const fields = Object.fromEntries(numbers(1_000).map((i) => [`f${i}`, { [name]: '$a' }]));
      assert.equal(
        grouped(many, { _id: '$_id', ...fields }).codeName,
        'QueryExceededMemoryLimitNoDiskUseAllowed',
      );
      assert.equal(grouped(many.slice(0, 20), { _id: '$_id', ...fields }).cursor.firstBatch[0].n, 20);
    });
  }

  const large = numbers(30).map((_id) => ({ _id, t: 'x'.repeat(1_000_000) }));
  for (const [name, operand] of Object.entries({
    $min: '$t',
    $max: '$t',
    $first: '$t',
    $last: '$t',
    $mergeObjects: { t: '$t' },
  })) {
    it(`includes large values: ${name}`, () => {
      const kept = (i: number) => ({
        [name]: name === '$mergeObjects' ? { [`f${i}`]: '$t' } : { $concat: [operand, `${i}`] },
      });
      const fields = Object.fromEntries(numbers(5).map((i) => [`f${i}`, kept(i)]));
      assert.equal(
        grouped(large, { _id: '$_id', ...fields }).codeName,
        'QueryExceededMemoryLimitNoDiskUseAllowed',
      );
    });
  }
});
