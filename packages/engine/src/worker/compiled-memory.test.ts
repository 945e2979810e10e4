import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Document } from 'bson';
import { TestCluster } from './testing.ts';
import { fields, numbers, texts } from './testing-hostile-parts.ts';

/** Number of parts whose compiled form exceeds the memory of a statement. */
const MANY = 4_000;
const find = (filter: Document, more: Document = {}) => ({ find: 'c', filter, ...more });
const aggregate = (...pipeline: Document[]) => ({ aggregate: 'c', pipeline, cursor: {} });
const update = (u: Document | Document[], more: Document = {}) => ({
  update: 'c',
  updates: [{ q: {}, u, ...more }],
});
const expr = (expression: unknown) => find({ $expr: expression });
const many = (make: (i: number) => unknown) => numbers(MANY).map(make);

let cluster: TestCluster;

before(() => {
  cluster = new TestCluster({ statementBytes: 1 << 20 }, { unsynced: true });
  cluster.run({ insert: 'c', documents: [{ _id: 1, a: [1] }] });
});

after(() => cluster.remove());

/** Commands of some 100 KB that contain thousands of small parts. */
const commands: Readonly<Record<string, Document>> = {
  'fields of a filter': find(fields(MANY)),
  'operators on fields': find(fields(MANY / 2, () => ({ $exists: true, $gt: 1 }))),
  'clauses of $or': find({ $or: many((a) => ({ a })) }),
  'empty clauses of $nor': find({ $nor: many(() => ({})) }),
  'operands of $all': find({ a: { $all: many((a) => ({ a })) } }),
  'texts in $in': find({ a: { $in: texts(MANY * 5) } }),
  'texts in $in with a collation': find({ a: { $in: texts(MANY * 5) } }, { collation: { locale: 'de' } }),
  'texts in $nin': find({ a: { $nin: texts(MANY * 5) } }),
  'values of enum': find({ $jsonSchema: { properties: { a: { enum: texts(MANY * 5) } } } }),
  'values of $pullAll': update({ $pullAll: { a: texts(MANY * 2) } }),
  'schemas of allOf': find({ $jsonSchema: { allOf: many(() => ({})) } }),
  'schemas of properties': find({ $jsonSchema: { properties: fields(MANY, () => ({})) } }),
  'schemas of items': find({ $jsonSchema: { items: many(() => ({})) } }),
  'arguments of an operator': expr({ $and: many(() => '$a') }),
  'fields of a document': expr(fields(MANY)),
  'entries of an array': expr(many(() => '$a')),
  'variables of $let': expr({ $let: { vars: fields(MANY), in: 1 } }),
  'branches of $switch': expr({
    $switch: {
      branches: many(
        () =>
          new Map<string, unknown>([
            ['case', true],
            ['then', 1],
          ]),
      ),
      default: 1,
    },
  }),
  'projected fields': find({}, { projection: fields(MANY, () => 1) }),
  'nested projected fields': find({}, { projection: { a: fields(MANY, () => 1) } }),
  'sliced fields': find({}, { projection: fields(MANY, () => ({ $slice: 1 })) }),
  'long projected paths': find(
    {},
    { projection: fields(MANY / 20, (i) => ({ [`${'a.'.repeat(50)}${i}`]: 1 })) },
  ),
  'variables of a command': find({}, { let: fields(MANY) }),
  'fields of $set': update({ $set: fields(MANY) }),
  'fields of $unset': update({ $unset: fields(MANY) }),
  'fields of $rename': update({ $rename: fields(MANY, (i) => `g${i}`) }),
  'long paths of $set': update({
    $set: { a: 1, ...Object.fromEntries(numbers(50).map((i) => [`f${i}${'.a'.repeat(100)}`, 1])) },
  }),
  'conditions of $pull': update({ $pull: { a: { $or: many((a) => ({ a })) } } }),
  'array filters': update({ $set: { 'a.$[x]': 1 } }, { arrayFilters: [{ $or: many((x) => ({ x })) }] }),
  'stages of an update': update(numbers(900).map(() => ({ $set: { a: 1, b: 2, c: 3 } }))),
  'fields of $addFields': aggregate({ $addFields: fields(MANY) }),
  'accumulators of $group': aggregate({ $group: { _id: null, ...fields(MANY, () => ({ $count: {} })) } }),
  'outputs of $setWindowFields': aggregate({
    $setWindowFields: { sortBy: { a: 1 }, output: fields(MANY, () => ({ $count: {} })) },
  }),
  'outputs of $fill': aggregate({ $fill: { output: fields(MANY, () => ({ value: 1 })) } }),
  'pipelines of $facet': aggregate({ $facet: fields(MANY, () => [{ $limit: 1 }]) }),
  'a filter of a count': { count: 'c', query: fields(MANY) },
  'a filter of distinct': { distinct: 'c', key: 'a', query: fields(MANY) },
  'a filter of a deletion': { delete: 'c', deletes: [{ q: fields(MANY), limit: 1 }] },
  'a filter of findAndModify': { findAndModify: 'c', query: fields(MANY), remove: true },
  'a filter of listCollections': { listCollections: 1, filter: fields(MANY) },
  'a validator': { create: 'v', validator: fields(MANY) },
  'a view': { create: 'v', viewOn: 'c', pipeline: [{ $match: fields(MANY) }] },
  'a partial index': {
    createIndexes: 'c',
    indexes: [{ key: { a: 1 }, name: 'a', partialFilterExpression: { $or: many((a) => ({ a })) } }],
  },
};

describe('the memory of a statement limits what it compiles:', () => {
  for (const [what, command] of Object.entries(commands)) {
    it(what, () => {
      const reply = cluster.run(command);
      const { codeName, code } = reply.writeErrors?.[0] ?? reply;
      assert.equal(
        codeName ?? code,
        codeName === undefined ? 146 : 'ExceededMemoryLimit',
        JSON.stringify(reply),
      );
    });
  }
});

it('a statement of a command releases what it has compiled', () => {
  const updates = numbers(MANY).map((a) => ({ q: { a: -a }, u: { $set: { b: a } } }));
  assert.deepEqual(cluster.run({ update: 'c', updates }).writeErrors, undefined);
  const deletes = numbers(MANY).map((a) => ({ q: { a, b: a }, limit: 1 }));
  assert.deepEqual(cluster.run({ delete: 'c', deletes }).writeErrors, undefined);
  const ops = numbers(MANY).map((a) => ({ update: 0, filter: { a }, updateMods: { $set: { b: a } } }));
  const { nErrors } = cluster.run({ bulkWrite: 1, ops, nsInfo: [{ ns: 'test.c' }], $db: 'admin' });
  assert.equal(nErrors, 0);
});

it('lists of literals may have many entries', () => {
  const list = numbers(MANY * 10);
  cluster.run({ insert: 'c', documents: [{ _id: 'list', a: 1 }] });
  assert.equal(cluster.run(find({ _id: 'list', a: { $in: numbers(8_000) } })).cursor.firstBatch.length, 1);
  assert.equal(cluster.run(find({ _id: 'list', $expr: { $in: ['$a', list] } })).cursor.firstBatch.length, 1);
});

it('definitions are compiled only once at a time', () => {
  const clauses = { $or: numbers(300).map((a) => ({ a })) };
  const index = { key: { a: 1 }, name: 'a', partialFilterExpression: clauses };
  assert.equal(cluster.run({ createIndexes: 'indexed', indexes: [index] }).ok, 1);
  assert.equal(cluster.run({ create: 'validated', validator: clauses }).ok, 1);
  assert.equal(cluster.run({ create: 'view', viewOn: 'c', pipeline: [{ $match: clauses }] }).ok, 1);
});

it('the texts that a collation compares count as memory', () => {
  const documents = numbers(20).map((i) => ({ t: `${i}${'x'.repeat(50_000)}` }));
  cluster.run({ insert: 'texts', documents });
  const group = { $group: { _id: '$t', n: { $sum: 1 } } };
  const command = { aggregate: 'texts', pipeline: [group, { $count: 'n' }], cursor: {} };
  assert.deepEqual(cluster.run(command).cursor.firstBatch, [{ n: 20 }]);
  const collated = cluster.run({ ...command, collation: { locale: 'de' } });
  assert.equal(collated.codeName, 'ExceededMemoryLimit');
});

it('the entries of an array that an update changes count as memory until its document is written', () => {
  const documents = numbers(3).map((_id) => ({ _id, a: numbers(10_000) }));
  cluster.run({ insert: 'arrays', documents });
  const push = (q: Document) => ({ update: 'arrays', updates: [{ q, u: { $push: { a: 1 } }, multi: true }] });
  assert.equal(cluster.run(push({})).nModified, 3);
  cluster.run({ insert: 'arrays', documents: [{ _id: 'long', a: numbers(20_000) }] });
  assert.equal(cluster.run(push({ _id: 'long' })).writeErrors?.[0].code, 146);
});
