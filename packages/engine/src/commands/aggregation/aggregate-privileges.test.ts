import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RawDocument } from '../../bson/raw.ts';
import type { CommandRequest } from '../context/request.ts';
import { privilegesOfPipeline } from './aggregate-privileges.ts';

function needed(...pipeline: readonly object[]): string[] {
  const body = RawDocument.from({ aggregate: 'own', pipeline });
  const request = { name: 'aggregate', database: 'd', body } as CommandRequest;
  return privilegesOfPipeline(request).map(
    ({ action, database, collection }) => `${action} ${database}.${collection}`,
  );
}

describe('what a pipeline needs', () => {
  it('is to read what it reads, however deep that stands in it', () => {
    const reading = { $unionWith: { coll: 'deep', pipeline: [{ $lookup: { from: 'deeper' } }] } };
    assert.deepEqual(needed({ $facet: { a: [reading] } }), ['find d.own', 'find d.deep', 'find d.deeper']);
  });

  it('is to read and write what the pipeline of a `$merge` does', () => {
    const merge = { $merge: { into: { db: 'e', coll: 'b' }, whenMatched: [{ $lookup: { from: 'c' } }] } };
    assert.deepEqual(needed(merge), ['find d.own', 'find d.c', 'insert e.b', 'update e.b']);
  });

  it('is an action of its own for what the first stage tells', () => {
    assert.deepEqual(needed({ $indexStats: {} }), ['indexStats d.own']);
    assert.deepEqual(needed({ $changeStream: {} }), ['changeStream d.own']);
  });
});
