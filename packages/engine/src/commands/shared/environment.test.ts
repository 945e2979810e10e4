import assert from 'node:assert/strict';
import { afterEach, beforeEach, it } from 'node:test';
import type { Document } from 'bson';
import { TestCluster } from '../../worker/testing.ts';

let cluster: TestCluster;

beforeEach(() => {
  cluster = new TestCluster();
  cluster.run({ insert: 'c', documents: [1, 2, 3, 4].map((_id) => ({ _id })) });
});

afterEach(() => cluster.remove());

const idsAfter = (...pipeline: Document[]) => {
  const { cursor } = cluster.run({ aggregate: 'c', pipeline, cursor: {} });
  return cursor.firstBatch.map(({ _id, drawn = _id }: Document) => drawn);
};

/** Returns an environment whose random numbers are these fractions, one after another. */
const draw = (...fractions: number[]) => {
  let drawn = 0;
  cluster.fraction = () => fractions[drawn++ % fractions.length] ?? 0;
};

it('$rand returns the drawn number', () => {
  draw(0.25, 0.5);
  assert.deepEqual(idsAfter({ $project: { drawn: { $rand: {} } } }), [0.25, 0.5, 0.25, 0.5]);
});

it('$sampleRate keeps a document if the drawn number is below it', () => {
  draw(0.2, 0.7);
  assert.deepEqual(idsAfter({ $match: { $sampleRate: 0.6 } }), [1, 3]);
  assert.deepEqual(cluster.run({ count: 'c', query: { $sampleRate: 0.6 } }).n, 2);
});

it('$sample selects by the drawn numbers', () => {
  draw(0);
  assert.deepEqual(idsAfter({ $sample: { size: 2 } }), [4, 1]);
  draw(0.99);
  assert.deepEqual(idsAfter({ $sample: { size: 2 } }), [1, 2]);
});
