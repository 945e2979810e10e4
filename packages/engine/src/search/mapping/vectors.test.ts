import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RawDocument } from '../../bson/raw.ts';
import { pollsOf } from '../../bson/testing-turns.ts';
import { nullValue } from '../../bson/value.ts';
import { vectorBytes } from './vectors.ts';

const bytesOf = (v: readonly number[]) =>
  vectorBytes(RawDocument.from({ v }).get('v') ?? nullValue, { dimensions: 3, similarity: 'euclidean' });

test('an array that is longer than the vectors of a field is not read to its end', () => {
  const long = RawDocument.from({ v: Array.from({ length: 100_000 }, () => 1) }).get('v') ?? nullValue;
  const polls = pollsOf(() =>
    assert.equal(vectorBytes(long, { dimensions: 3, similarity: 'euclidean' }), undefined),
  );
  assert.ok(polls <= 1, `${polls}`);
  assert.equal(bytesOf([1, 2, 3])?.bytes.length, 12);
  assert.equal(bytesOf([1, 2]), undefined);
});
