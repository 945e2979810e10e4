import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Document } from 'bson';
import { TestCluster } from '../worker/testing.ts';

const cluster = new TestCluster();
cluster.run({ insert: 'ships', documents: [{ _id: 1, name: 'Vega', ports: ['Riga'] }] });
after(() => cluster.remove());

/** Returns the hash of the plan's shape and the hash of the query's shape. */
function hashes(query: Document): readonly [plan: string, query: string] {
  const { queryPlanner, queryShapeHash } = cluster.run({ explain: { find: 'ships', ...query } });
  return [queryPlanner.planCacheShapeHash, queryShapeHash];
}

const filter = (filter: Document) => ({ filter });
const both = { plan: true, query: true };
const neither = { plan: false, query: false };
const onlyPlan = { plan: true, query: false };
const onlyQuery = { plan: false, query: true };

describe('the hash of a shape', () => {
  const pairs: ReadonlyArray<[string, Document, Document, typeof both]> = [
    ['values', filter({ name: 'Vega' }), filter({ name: 'Lyra' }), both],
    ['types of values', filter({ name: 'Vega' }), filter({ name: 1 }), neither],
    ['types of numbers', filter({ length: 1 }), filter({ length: 1.5 }), both],
    ['an implied equality', filter({ name: 'Vega' }), filter({ name: { $eq: 'Lyra' } }), both],
    ['an implied conjunction', filter({ a: 1, b: 1 }), filter({ $and: [{ a: 2 }, { b: 2 }] }), both],
    ['a conjunction of one', filter({ a: 1 }), filter({ $and: [{ a: 1 }] }), onlyPlan],
    [
      'nested conjunctions',
      filter({ a: 1, b: 1, c: 1 }),
      filter({ c: 1, $and: [{ $and: [{ b: 1 }, { a: 1 }] }] }),
      onlyPlan,
    ],
    ['a single alternative', filter({ a: 1, b: 1 }), filter({ $or: [{ a: 1, b: 1 }] }), onlyPlan],
    ['the order of fields', filter({ a: 1, b: 1 }), filter({ b: 1, a: 1 }), onlyPlan],
    [
      'the order of alternatives',
      filter({ $or: [{ a: 1 }, { b: 1 }] }),
      filter({ $or: [{ b: 1 }, { a: 1 }] }),
      onlyPlan,
    ],
    ['operators', filter({ a: { $gt: 1 } }), filter({ a: { $gte: 1 } }), neither],
    ['a negated operator', filter({ a: { $not: { $gt: 1 } } }), filter({ a: { $not: { $lt: 1 } } }), neither],
    ['existence', filter({ a: { $exists: true } }), filter({ a: { $exists: 0 } }), neither],
    ['the number of listed values', filter({ a: { $in: [1] } }), filter({ a: { $in: [1, 2] } }), onlyQuery],
    [
      'the number of required entries',
      filter({ a: { $all: [1] } }),
      filter({ a: { $all: [1, 2] } }),
      neither,
    ],
    ['a list of one type', filter({ a: { $type: 'int' } }), filter({ a: { $type: ['int'] } }), both],
    ['the number of a type', filter({ a: { $type: 'int' } }), filter({ a: { $type: 16 } }), both],
    ['the order of types', filter({ a: { $type: [1, 2] } }), filter({ a: { $type: ['string', 1] } }), both],
    ['an inequality', filter({ a: { $ne: 1 } }), filter({ a: { $not: { $eq: 2 } } }), both],
    ['absence from a list', filter({ a: { $nin: [1, 2] } }), filter({ a: { $not: { $in: [3, 4] } } }), both],
    ['absence', filter({ a: { $exists: false } }), filter({ a: { $not: { $exists: true } } }), both],
    ['where options are', filter({ a: /x/i }), filter({ a: { $regex: 'x', $options: 'i' } }), both],
    ['empty options', filter({ a: /x/ }), filter({ a: { $regex: 'x', $options: '' } }), both],
    ['options of a pattern', filter({ a: /x/ }), filter({ a: /x/i }), neither],
    ['the type of a field', filter({ a: { $type: 'int' } }), filter({ a: { $type: 'string' } }), onlyPlan],
    [
      'operators of an expression',
      filter({ $expr: { $gt: ['$a', 1] } }),
      filter({ $expr: { $lt: ['$a', 1] } }),
      onlyPlan,
    ],
    [
      'a schema',
      filter({ $jsonSchema: { required: ['a'] } }),
      filter({ $jsonSchema: { required: ['b'] } }),
      neither,
    ],
    ['patterns', filter({ name: /^V/ }), filter({ name: /^L/ }), both],
    [
      'entries of arrays',
      filter({ a: { $elemMatch: { $gt: 1 } } }),
      filter({ a: { $elemMatch: { b: 1 } } }),
      neither,
    ],
    ['the direction of a sort', { sort: { a: 1 } }, { sort: { a: -1 } }, neither],
    ['the order of a sort', { sort: { a: 1, b: 1 } }, { sort: { b: 1, a: 1 } }, neither],
    ['the order of a projection', { projection: { a: 1, b: 1 } }, { projection: { b: 1, a: 1 } }, onlyPlan],
    ['inclusion and exclusion', { projection: { a: 1 } }, { projection: { a: 0 } }, neither],
    ['a collation', {}, { collation: { locale: 'en' } }, neither],
    [
      'the strength of a collation',
      { collation: { locale: 'en' } },
      { collation: { locale: 'en', strength: 1 } },
      neither,
    ],
  ];
  for (const [what, one, other, same] of pairs) {
    it(`distinguishes ${what} only if the shape does`, () => {
      const [[plan, query], [otherPlan, otherQuery]] = [hashes(one), hashes(other)];
      assert.deepEqual({ plan: plan === otherPlan, query: query === otherQuery }, same);
    });
  }
});
