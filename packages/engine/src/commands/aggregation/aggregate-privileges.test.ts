import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RawDocument } from '../../bson/raw.ts';
import type { CommandRequest } from '../context/request.ts';
import { privilegesOfPipeline } from './aggregate-privileges.ts';

function needed(...pipeline: readonly object[]): string[] {
  return neededFor({ pipeline });
}

function neededFor(more: object): string[] {
  const body = RawDocument.from({ aggregate: 'own', ...more });
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

  it('include the action to bypass the validator of the collection written', () => {
    const bypassDocumentValidation = true;
    const written = ['find d.own', 'insert d.b', 'remove d.b', 'bypassDocumentValidation d.b'];
    assert.deepEqual(neededFor({ pipeline: [{ $out: 'b' }], bypassDocumentValidation }), written);
    assert.deepEqual(neededFor({ pipeline: [], bypassDocumentValidation }), ['find d.own']);
  });

  it('include a separate action for a diagnostic first stage', () => {
    assert.deepEqual(needed({ $indexStats: {} }), ['indexStats d.own']);
    assert.deepEqual(needed({ $changeStream: {} }), ['changeStream d.own']);
  });
});
