import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import {
  BSONRegExp,
  Code,
  Decimal128,
  type Document,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
} from 'bson';
import { raw } from '../testing/documents.ts';
import { compileFilter } from './index.ts';

const matches = (filter: Document, doc: Document) => compileFilter(raw(filter)).matches(raw(doc));

function holds(yes: ReadonlyArray<readonly [Document, Document]>, no: typeof yes): void {
  for (const [filter, doc] of yes) assert.ok(matches(filter, doc), show(filter, doc));
  for (const [filter, doc] of no) assert.ok(!matches(filter, doc), show(filter, doc));
}

const show = (filter: Document, doc: Document) => `${inspect(filter)} on ${inspect(doc)}`;
const NaN128 = Decimal128.fromString('NaN');

test('compares numbers by value, not by type', () => {
  holds(
    [
      [{}, { a: 1 }],
      [{ a: 1 }, { a: new Double(1) }],
      [{ a: { $eq: Long.fromNumber(1) } }, { a: Decimal128.fromString('1.0') }],
      [{ a: { b: 1, c: 2 } }, { a: { b: 1, c: 2 } }],
      [{ a: [1, 2] }, { a: [1, 2] }],
      [{ a: [1, 2] }, { a: [[1, 2], 3] }],
      [{ a: 2 }, { a: [1, 2] }],
      [{ 'a.b': 2 }, { a: [{ b: 1 }, { b: 2 }] }],
      [{ a: Number.NaN }, { a: NaN128 }],
      [{ a: { $ref: 'c', $id: 1 } }, { a: { $ref: 'c', $id: 1 } }],
      [{ a: {} }, { a: {} }],
      [{ a: { $eq: new BSONRegExp('x') } }, { a: new BSONRegExp('x') }],
    ],
    [
      [{ a: 1 }, { a: '1' }],
      [{ a: 1 }, { a: true }],
      [{ a: { b: 1, c: 2 } }, { a: { c: 2, b: 1 } }],
      [{ a: { b: 1 } }, { a: { b: 1, c: 2 } }],
      [{ a: [1, 2] }, { a: [2, 1] }],
      [{ a: new ObjectId('000000000000000000000001') }, { a: '000000000000000000000001' }],
      [{ a: { $eq: new BSONRegExp('x') } }, { a: 'x' }],
    ],
  );
});

test('treats DBRefs as values and matches their fields', () => {
  const ref = { $ref: 'c', $id: 1, $db: 'd' };
  const other = { $ref: 'c', $id: 2 };
  holds(
    [
      [{ a: { $in: [ref, other] } }, { a: ref }],
      [{ a: { $in: [ref] } }, { a: [other, ref] }],
      [{ a: { $nin: [other] } }, { a: ref }],
      [{ a: { $not: { $in: [other] } } }, { a: ref }],
      [{ a: { $ne: other } }, { a: ref }],
      [{ a: { $all: [ref] } }, { a: [ref] }],
      [{ a: { $elemMatch: { $id: 1 } } }, { a: [other, ref] }],
      [{ a: { $elemMatch: { $ref: 'c', $id: 2 } } }, { a: [ref, other] }],
      [{ a: { $elemMatch: { $db: 'd' } } }, { a: [ref] }],
      [{ a: { $elemMatch: { $or: [{ $id: 1 }, { $id: 3 }] } } }, { a: [ref] }],
      [{ 'a.$id': 1 }, { a: ref }],
      [{ 'a.$id': { $in: [1] } }, { a: [other, ref] }],
      [{ $id: 1 }, ref],
    ],
    [
      [{ a: { $nin: [ref, other] } }, { a: ref }],
      [{ a: { $elemMatch: { $id: 3 } } }, { a: [ref] }],
      [{ a: { $elemMatch: { $ref: 'c', $id: 2 } } }, { a: [ref, { $ref: 'x', $id: 2 }] }],
      [{ $ref: 'x' }, ref],
    ],
  );
});

test('matches missing values with null', () => {
  holds(
    [
      [{ a: null }, { a: null }],
      [{ a: null }, {}],
      [{ 'a.b': null }, { a: 1 }],
      [{ 'a.b': null }, { a: [{ b: 1 }, {}] }],
      [{ a: null }, { a: [1, null] }],
      [{ a: { $gte: null } }, {}],
      [{ a: { $lte: null } }, { a: null }],
      [{ a: { $in: [1, null] } }, {}],
    ],
    [
      [{ a: null }, { a: 0 }],
      [{ a: null }, { a: [] }],
      [{ 'a.b': null }, { a: [1, 2] }],
      [{ a: { $gt: null } }, {}],
      [{ a: { $ne: null } }, {}],
      [{ a: { $nin: [null] } }, {}],
    ],
  );
});

test('compares within one type only', () => {
  holds(
    [
      [{ a: { $gt: 1 } }, { a: 1.5 }],
      [{ a: { $gt: 1, $lt: 3 } }, { a: [0, 5] }],
      [{ a: { $lt: 'b' } }, { a: 'a' }],
      [{ a: { $gte: { b: 1 } } }, { a: { b: 1 } }],
      [{ a: { $gt: [1] } }, { a: [1, 2] }],
      [{ a: { $lte: Number.NaN } }, { a: NaN128 }],
      [{ a: { $gt: new MinKey() } }, { a: 'x' }],
      [{ a: { $lt: new MaxKey() } }, { a: null }],
      [{ a: { $gte: new MaxKey() } }, { a: new MaxKey() }],
    ],
    [
      [{ a: { $gt: 1 } }, { a: '2' }],
      [{ a: { $lt: 'b' } }, { a: 1 }],
      [{ a: { $gt: 5 } }, {}],
      [{ a: { $lt: 5 } }, { a: Number.NaN }],
      [{ a: { $gte: Number.NaN } }, { a: 5 }],
      [{ a: { $lt: Number.NaN } }, { a: Number.NaN }],
      [{ a: { $gt: new MinKey() } }, { a: new MinKey() }],
      [{ a: { $gt: new MaxKey() } }, { a: 1 }],
    ],
  );
});

test('distinguishes numbers that are equal as doubles', () => {
  const big = 2n ** 53n + 1n;
  holds([[{ a: { $gt: new Double(2 ** 53) } }, { a: big }]], [[{ a: new Double(2 ** 53) }, { a: big }]]);
});

test('tests membership', () => {
  const many = Array.from({ length: 20 }, (_, i) => new Int32(i));
  holds(
    [
      [{ a: { $in: [1, 'x'] } }, { a: 'x' }],
      [{ a: { $in: many } }, { a: new Double(19) }],
      [{ a: { $in: [...many, null] } }, {}],
      [{ a: { $in: [[1]] } }, { a: [1] }],
      [{ a: { $nin: [1] } }, { a: [2, 3] }],
      [{ a: { $nin: [] } }, {}],
      [{ a: { $in: [new Code('f')] } }, { a: new Code('f') }],
    ],
    [
      [{ a: { $in: [] } }, { a: 1 }],
      [{ a: { $in: many } }, { a: 20 }],
      [{ a: { $in: many } }, {}],
      [{ a: { $nin: [1] } }, { a: [1, 2] }],
    ],
  );
});

test('tests existence', () => {
  holds(
    [
      [{ a: { $exists: true } }, { a: null }],
      [{ a: { $exists: 1 } }, { a: [] }],
      [{ a: { $exists: false } }, {}],
      [{ a: { $exists: null } }, {}],
      [{ 'a.b': { $exists: true } }, { a: [{ b: 1 }] }],
      [{ 'a.b': { $exists: false } }, { a: [1] }],
      [{ a: { $exists: '' } }, { a: 1 }],
    ],
    [
      [{ a: { $exists: true } }, {}],
      [{ a: { $exists: 0 } }, { a: 1 }],
      [{ 'a.b': { $exists: false } }, { a: [{ b: 1 }, {}] }],
    ],
  );
});

test('combines and negates conditions', () => {
  holds(
    [
      [
        { a: 1, b: 2 },
        { a: 1, b: 2 },
      ],
      [{ $and: [{ a: { $gt: 0 } }, { a: { $lt: 2 } }, { b: 1 }] }, { a: 1, b: 1 }],
      [{ $or: [{ a: 1 }, { b: 1 }] }, { b: 1 }],
      [{ $nor: [{ a: 1 }, { b: 1 }] }, { a: 2 }],
      [{ a: { $not: { $gt: 5 } } }, {}],
      [{ a: { $not: { $gt: 5, $lt: 9 } } }, { a: 9 }],
      [{ a: { $ne: 1 } }, { a: 2 }],
      [{ a: 1, $comment: 'why' }, { a: 1 }],
    ],
    [
      [{ a: 1, b: 2 }, { a: 1 }],
      [{ $or: [{ a: 1 }] }, { a: 2 }],
      [{ $nor: [{ a: 1 }, { b: 1 }] }, { a: 1 }],
      [{ a: { $ne: 1 } }, { a: [1, 2] }],
      [{ a: { $not: { $gt: 5 } } }, { a: [1, 6] }],
    ],
  );
});

const refused: ReadonlyArray<readonly [Document, RegExp]> = [
  [{ $foo: 1 }, /^unknown top level operator: \$foo/],
  [{ a: { $foo: 1 } }, /^unknown operator: \$foo$/],
  [{ a: { $gt: 1, b: 2 } }, /^unknown operator: b$/],
  [{ a: { $id: 1 } }, /^unknown operator: \$id$/],
  [{ a: { $not: { $ref: 'c', $id: 1 } } }, /^unknown operator: \$ref$/],
  [{ $and: [{ a: { $foo: 1 } }] }, /^unknown operator: \$foo$/],
  [{ $and: {} }, /^\$and must be an array$/],
  [{ $or: [] }, /^\$or must be a nonempty array$/],
  [{ $nor: [1] }, /entries must be objects/],
  [{ a: { $in: 1 } }, /^\$in needs an array$/],
  [{ a: { $nin: { b: 1 } } }, /^\$nin needs an array$/],
  [{ a: { $in: [{ $gt: 1 }] } }, /^cannot nest \$ under \$in$/],
  [{ a: { $not: 5 } }, /^\$not needs/],
  [{ a: { $not: {} } }, /^\$not cannot be empty$/],
  [{ a: { $not: { b: 1 } } }, /^unknown operator: b$/],
  [{ a: { $gt: new BSONRegExp('x') } }, /RegEx as arg/],
  [{ a: { $ne: new BSONRegExp('x') } }, /regex as arg to \$ne/],
];

test('rejects invalid conditions before any document is tested', () => {
  for (const [filter, message] of refused) {
    assert.throws(() => compileFilter(raw(filter)), { code: 2, message }, JSON.stringify(filter));
  }
});
