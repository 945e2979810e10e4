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

describe('the privileges of a pipeline', () => {
  it('cover every collection read, in nested pipelines too', () => {
    const reading = { $unionWith: { coll: 'deep', pipeline: [{ $lookup: { from: 'deeper' } }] } };
    assert.deepEqual(needed({ $facet: { a: [reading] } }), ['find d.own', 'find d.deep', 'find d.deeper']);
  });

  it('cover the collections that the pipeline of a `$merge` reads and writes', () => {
    const merge = { $merge: { into: { db: 'e', coll: 'b' }, whenMatched: [{ $lookup: { from: 'c' } }] } };
    assert.deepEqual(needed(merge), ['find d.own', 'find d.c', 'insert e.b', 'update e.b']);
  });

  it('include a separate action for a diagnostic first stage', () => {
    assert.deepEqual(needed({ $indexStats: {} }), ['indexStats d.own']);
    assert.deepEqual(needed({ $changeStream: {} }), ['changeStream d.own']);
  });
});
