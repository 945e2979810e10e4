import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Document } from 'bson';
import { TestCluster } from '../../worker/testing.ts';

let cluster: TestCluster;
before(() => {
  cluster = new TestCluster();
  cluster.run({ create: 'empty' });
});
after(() => cluster.remove());

const fails = { $divide: [1, 0] };
const aggregate = (pipeline: Document[]) => cluster.run({ aggregate: 'empty', pipeline, cursor: {} });
const codeOf = (expression: unknown) => aggregate([{ $project: { x: expression } }]).code;
/**
 * Creates a branch of `$switch`. The linter rejects an object literal with a field `then`, because only
 * promises should have such a field.
 */
const branch = (when: unknown, result: unknown) =>
  Object.fromEntries([
    ['case', when],
    ['then', result],
  ]);

describe('a constant that fails', () => {
  it('fails before any document is read', () => {
    assert.equal(codeOf(fails), 2);
    assert.equal(cluster.run({ find: 'none', filter: { $expr: { $eq: [fails, 1] } } }).code, 2);
    assert.equal(cluster.run({ find: 'empty', projection: { x: fails } }).code, 2);
  });

  it('does not fail in an update that finds no document', () => {
    const updates = [{ q: {}, u: [{ $set: { x: fails } }] }];
    assert.equal(cluster.run({ update: 'empty', updates }).writeErrors, undefined);
  });

  it('fails in a branch that is not taken, but not in one that `$switch` drops', () => {
    assert.equal(codeOf({ $cond: [true, 1, fails] }), 2);
    assert.equal(codeOf({ $and: ['$a', fails] }), 2);
    const branches = [branch(false, fails), branch(true, 1), branch(fails, fails)];
    assert.equal(codeOf({ $switch: { branches } }), undefined);
  });

  it('fails as a regular expression or its options, even if the text is not constant', () => {
    for (const operator of ['$regexMatch', '$regexFind', '$regexFindAll']) {
      const search = (own: object) => codeOf({ [operator]: { input: '$a', ...own } });
      assert.equal(search({ regex: '(' }), 51111);
      assert.equal(search({ regex: 1 }), 51105);
      assert.equal(search({ regex: 'a', options: 'q' }), 51108);
      assert.equal(search({ regex: null, options: 1 }), 51106);
      assert.equal(search({ regex: '$b', options: 'q' }), undefined);
      assert.equal(search({ regex: null }), undefined);
    }
    const invalid = { $regexMatch: { input: '$a', regex: '(' } };
    assert.equal(cluster.run({ find: 'none', filter: { $expr: invalid } }).code, 51111);
    assert.equal(codeOf({ $switch: { branches: [branch(false, invalid), branch(true, 1)] } }), undefined);
  });

  it('does not hide an error of a later stage', () => {
    assert.equal(aggregate([{ $project: { x: fails } }, { $unknown: 1 }]).code, 40324);
  });

  it('is left until it is needed if it is expensive', () => {
    const input = { $range: [0, 1_000_000] };
    assert.equal(codeOf({ $map: { input, in: fails } }), 2);
    const sum = { $reduce: { input, initialValue: 0, in: { $add: ['$$value', '$$this'] } } };
    assert.equal(codeOf({ $divide: [1, { $multiply: [0, sum] }] }), undefined);
  });
});
