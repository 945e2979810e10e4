import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Document } from 'bson';
import { TestCluster } from '../../worker/testing.ts';

/**
 * Number of large documents. If the start of a document contains all required fields, the engine reads only the start.
 * In every 500th document, these fields come last.
 */
const COUNT = 3_000;
const documents = Array.from({ length: COUNT }, (_, i): Document => {
  const fields = { n: (i * 7919) % 1000, group: i % 9 };
  const pad = 'x'.repeat(700);
  return i % 500 === 499 ? { _id: i, pad, ...fields } : { _id: i, ...fields, pad, behind: i % 2 };
});
let cluster: TestCluster;

before(() => {
  cluster = new TestCluster();
  cluster.run({ insert: 'c', documents });
});
after(() => cluster.remove());

function first(command: Document): Document[] {
  const { cursor, errmsg } = cluster.run(command);
  assert.ok(cursor, errmsg);
  return cursor.firstBatch;
}

const aggregate = (...pipeline: Document[]) =>
  first({ aggregate: 'c', pipeline: [...pipeline, { $sort: { _id: 1 } }], cursor: {} });

describe('partially read documents', () => {
  const groups: Array<[string, Document[]]> = [
    ['by leading fields', [{ $group: { _id: '$group', n: { $sum: '$n' }, most: { $max: '$n' } } }]],
    ['by a trailing field', [{ $group: { _id: '$behind', n: { $sum: 1 } } }]],
    ['without a field', [{ $group: { _id: null, n: { $sum: 1 } } }]],
    ['after a filter', [{ $match: { n: { $lt: 500 } } }, { $group: { _id: '$group', n: { $sum: 1 } } }]],
    ['with whole documents', [{ $group: { _id: '$group', one: { $first: '$$ROOT' } } }]],
  ];
  for (const [what, pipeline] of groups) {
    it(`are grouped ${what}`, () => {
      // The additional stages make the pipeline read all fields.
      const whole = aggregate({ $set: { whole: 1 } }, { $unset: 'whole' }, ...pipeline);
      assert.deepEqual(aggregate(...pipeline), whole);
    });
  }

  const orders: Array<[string, Document, number]> = [
    ['up', { n: 1, _id: 1 }, 10],
    ['down', { n: -1, _id: 1 }, 10],
    ['in descending order', { group: -1, _id: -1 }, 10],
    ['far', { n: 1, _id: -1 }, 300],
    ['by a trailing field', { behind: -1, _id: 1 }, 5],
  ];
  for (const [what, sort, limit] of orders) {
    it(`are sorted and returned whole: ${what}`, () => {
      const filter = { group: { $ne: 3 } };
      const command = { find: 'c', filter, sort, batchSize: limit };
      assert.deepEqual(first({ ...command, limit }), first(command));
      assert.ok(first({ ...command, limit, skip: 2 }).every(({ pad }) => pad.length === 700));
    });
  }
});
