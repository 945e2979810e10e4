import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { Decimal128, type Document, Double, Int32, Long } from 'bson';
import type { RawDocument } from '../../bson/raw.ts';
import { plain, raw } from '../testing/documents.ts';
import { compilePipeline } from './index.ts';

function run(stages: Document[], docs: Document[]): Document[] {
  return plain(compilePipeline(stages.map(raw)).run(docs.map(raw)));
}

const people = [
  { _id: 1, city: 'Graz', age: 30 },
  { _id: 2, city: 'Linz', age: 20 },
  { _id: 3, city: 'Graz', age: 40 },
  { _id: 4, age: 50 },
];

test('passes documents from stage to stage', () => {
  const stages = [
    { $match: { age: { $gte: 30 } } },
    { $sort: { age: -1 } },
    { $skip: 1 },
    { $limit: 1 },
    { $project: { city: 1, _id: 0 } },
  ];
  assert.deepEqual(run(stages, people), [{ city: 'Graz' }]);
  assert.deepEqual(run([], people), people);
});

test('exposes the leading condition as a filter', () => {
  const pipeline = compilePipeline([{ $match: { _id: 3 } }, { $match: { age: 1 } }].map(raw));
  assert.ok(pipeline.filter?.bounds.has('_id'));
  assert.equal(pipeline.filter?.bounds.has('age'), false);
  assert.equal(compilePipeline([raw({ $skip: 1 })]).filter, undefined);
});

test('reads no more documents than needed', () => {
  let taken = 0;
  function* source(): Iterable<RawDocument> {
    for (const doc of people) {
      taken++;
      yield raw(doc);
    }
  }
  const pipeline = compilePipeline([{ $match: {} }, { $limit: 2 }, { $project: { a: 1 } }].map(raw));
  assert.equal([...pipeline.run(source())].length, 2);
  assert.equal(taken, 2);
});

test('returns the first documents of a sort with a limit', () => {
  assert.deepEqual(
    run([{ $sort: { age: 1 } }, { $limit: 2 }], people).map(({ _id }) => _id),
    [2, 1],
  );
});

test('counts documents, and returns nothing for none', () => {
  assert.deepEqual(run([{ $count: 'n' }], people), [{ n: 4 }]);
  assert.deepEqual(run([{ $count: 'n' }], []), []);
});

test('supports the pipeline of countDocuments', () => {
  const stages = [{ $match: { city: 'Graz' } }, { $group: { _id: 1, n: { $sum: 1 } } }];
  assert.deepEqual(run(stages, people), [{ _id: 1, n: 2 }]);
  assert.deepEqual(run(stages, []), []);
});

test('groups by value in order of appearance', () => {
  assert.deepEqual(run([{ $group: { _id: '$city', n: { $sum: 1 }, sum: { $sum: '$age' } } }], people), [
    { _id: 'Graz', n: 2, sum: 70 },
    { _id: 'Linz', n: 1, sum: 20 },
    { _id: null, n: 1, sum: 50 },
  ]);
  assert.deepEqual(run([{ $group: { _id: null } }], people), [{ _id: null }]);
  assert.deepEqual(run([{ $group: { _id: { c: '$city' }, n: { $sum: '$age' } } }], people.slice(2)), [
    { _id: { c: 'Graz' }, n: 40 },
    { _id: {}, n: 50 },
  ]);
});

test('groups equal numbers of all types under the first', () => {
  const docs = [new Double(1), new Int32(1), Long.ONE, Decimal128.fromString('1.0'), 2].map((a) => ({ a }));
  const groups = [...compilePipeline([raw({ $group: { _id: '$a' } })]).run(docs.map(raw))];
  assert.ok(groups[0]?.equals(raw({ _id: new Double(1) })));
  assert.equal(groups.length, 2);
});

test('sums numbers only', () => {
  const docs = [{ a: 1 }, { a: 'x' }, { a: [5] }, {}, { a: null }, { a: 2.5 }];
  assert.deepEqual(run([{ $group: { _id: null, s: { $sum: '$a' } } }], docs), [{ _id: null, s: 3.5 }]);
});

const refused: ReadonlyArray<readonly [Document, number, RegExp]> = [
  [{ $foo: {} }, 40324, /^Unrecognized pipeline stage name: '\$foo'$/],
  [{}, 40323, /exactly one field/],
  [{ $match: {}, $skip: 1 }, 40323, /exactly one field/],
  [{ $match: 5 }, 15959, /must be an expression in an object/],
  [{ $match: { $foo: 1 } }, 2, /unknown top level operator/],
  [{ $sort: 1 }, 15973, /must be an object/],
  [{ $sort: {} }, 15976, /at least one sort key/],
  [{ $skip: 'x' }, 5107200, /Expected a number in: \$skip: "x"/],
  [{ $skip: 1.5 }, 5107200, /Expected an integer/],
  [{ $skip: -1 }, 5107200, /non-negative/],
  [{ $limit: -1 }, 5107201, /non-negative/],
  [{ $limit: Decimal128.fromString('NaN') }, 5107201, /integer/],
  [{ $limit: 0 }, 15958, /the limit must be positive/],
  [{ $project: 1 }, 15969, /must be an object/],
  [{ $project: {} }, 51272, /at least one field/],
  [{ $count: 1 }, 40156, /non-empty string/],
  [{ $count: '' }, 40157, /non-empty string/],
  [{ $count: '$a' }, 40158, /\$-prefixed/],
  [{ $count: 'a\0' }, 40159, /null byte/],
  [{ $count: 'a.b' }, 40160, /'\.'/],
  [{ $count: '_id' }, 9039800, /_id/],
  [{ $group: 1 }, 15947, /in an object/],
  [{ $group: {} }, 15955, /must include an _id/],
  [{ $group: { _id: { a: 1 } } }, 17390, /inclusion-style/],
  [{ $group: { _id: { $foo: 1 } } }, 168, /Unrecognized expression '\$foo'/],
  [{ $group: { _id: 1, a: 1 } }, 40234, /must be an accumulator object/],
  [{ $group: { _id: 1, a: { b: 1 } } }, 40234, /must be an accumulator object/],
  [{ $group: { _id: 1, a: { $sum: 1, $foo: 1 } } }, 40238, /one accumulator/],
  [{ $group: { _id: 1, a: { $foo: 1 } } }, 15952, /^unknown group operator '\$foo'$/],
  [{ $group: { _id: 1, 'a.b': { $sum: 1 } } }, 40235, /cannot contain '\.'/],
  [{ $group: { _id: 1, $a: { $sum: 1 } } }, 40236, /operator name/],
  [{ $group: { _id: 1, a: { $sum: [1] } } }, 40237, /unary operator/],
];

test('rejects invalid stages before reading a document', () => {
  for (const [stage, code, message] of refused) {
    assert.throws(() => compilePipeline([raw(stage)]), { code, message }, inspect(stage));
  }
  const many = Array.from({ length: 1001 }, () => raw({ $skip: 1 }));
  assert.throws(() => compilePipeline(many), { code: 7749501 });
});
