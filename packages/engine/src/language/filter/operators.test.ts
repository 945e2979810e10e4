import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { Binary, BSONRegExp, Decimal128, type Document, Double, Int32, Long } from 'bson';
import { raw } from '../testing/documents.ts';
import { compileFilter } from './index.ts';

const matches = (filter: Document, doc: Document) => compileFilter(raw(filter)).matches(raw(doc));

type Row = readonly [filter: Document, yes: readonly Document[], no: readonly Document[]];

const rows: readonly Row[] = [
  [{ a: { $all: [{ $match: 1 }] } }, [{ a: [{ $match: 1 }] }], [{ a: [1] }]],
  [{ a: { $type: 'number' } }, [{ a: 1 }, { a: ['x', 2] }], [{ a: '1' }, {}]],
  [{ a: { $type: ['string', 8] } }, [{ a: 'x' }, { a: true }], [{ a: 1 }]],
  [{ a: { $type: 'array' } }, [{ a: [] }, { a: [[1]] }], [{ a: 1 }]],
  [{ a: { $type: -1 } }, [], [{ a: 1 }]],
  [
    { a: new BSONRegExp('^x', 'i') },
    [{ a: 'Xy' }, { a: ['b', 'x'] }, { a: new BSONRegExp('^x', 'i') }],
    [{ a: 1 }],
  ],
  [{ a: { $regex: '^x', $options: 'i' } }, [{ a: 'X' }], [{ a: 'ax' }, {}]],
  [{ a: { $options: 'm', $regex: '^x' } }, [{ a: 'a\nx' }], [{ a: 'a x' }]],
  [{ a: { $in: [new BSONRegExp('^x'), 5] } }, [{ a: 'xy' }, { a: 5 }], [{ a: 'y' }]],
  [{ a: { $not: new BSONRegExp('^x') } }, [{ a: 'y' }, {}], [{ a: 'x' }, { a: ['y', 'x'] }]],
  [
    { a: { $mod: [4, 1] } },
    [{ a: 5 }, { a: 5.9 }, { a: [4, 9] }, { a: Long.fromNumber(1) }],
    [{ a: 4 }, { a: '5' }, { a: Number.NaN }],
  ],
  [{ a: { $mod: [3, -1] } }, [{ a: -4 }], [{ a: 4 }]],
  [{ a: { $size: 2 } }, [{ a: [1, [2]] }], [{ a: [[1, 2]] }, { a: 2 }, { a: [1, 2, 3] }]],
  [{ a: { $size: new Double(0) } }, [{ a: [] }], [{}, { a: null }]],
  [{ a: { $all: [1, 2] } }, [{ a: [2, 1, 3] }], [{ a: [1] }, {}]],
  [{ a: { $all: [[1, 2]] } }, [{ a: [1, 2] }, { a: [[1, 2]] }], [{ a: [2, 1] }]],
  [{ a: { $all: [] } }, [], [{ a: [] }, {}]],
  [{ a: { $all: [new BSONRegExp('^x'), 'b'] } }, [{ a: ['xa', 'b'] }], [{ a: ['b'] }]],
  [
    { a: { $all: [{ $elemMatch: { b: 1 } }, { $elemMatch: { b: 2 } }] } },
    [{ a: [{ b: 2 }, { b: 1 }] }],
    [{ a: [{ b: 1 }] }],
  ],
  [{ a: { $elemMatch: { $gt: 1, $lt: 5 } } }, [{ a: [0, 3] }], [{ a: [0, 9] }, { a: 3 }, { a: [[3]] }]],
  [
    { a: { $elemMatch: { b: 1, c: 2 } } },
    [{ a: [{ b: 1, c: 2 }] }],
    [{ a: [{ b: 1 }, { c: 2 }] }, { a: { b: 1, c: 2 } }],
  ],
  [{ a: { $elemMatch: { $or: [{ b: 1 }, { b: 2 }] } } }, [{ a: [{ b: 2 }] }], [{ a: [{ b: 3 }] }]],
  [{ a: { $elemMatch: { $not: { $gt: 5 } } } }, [{ a: [9, 1] }], [{ a: [9] }]],
  [{ 'a.b': { $elemMatch: { $eq: 1 } } }, [{ a: [{ b: [1] }] }], [{ a: [{ b: 1 }] }]],
  [
    { a: { $bitsAllSet: 5 } },
    [{ a: 7 }, { a: new Binary(new Uint8Array([5])) }, { a: -1 }],
    [{ a: 4 }, { a: 5.5 }, { a: '5' }],
  ],
  [{ a: { $bitsAnySet: [0, 63] } }, [{ a: 1 }, { a: -2 }], [{ a: 2 }]],
  [{ a: { $bitsAllClear: 2 } }, [{ a: 5 }], [{ a: 2 }, {}]],
  [{ a: { $bitsAnyClear: new Binary(new Uint8Array([3])) } }, [{ a: 1 }], [{ a: 3 }]],
  [{ $expr: '$a' }, [{ a: 1 }, { a: '' }], [{ a: 0 }, { a: null }, {}]],
  [{ $alwaysTrue: 1 }, [{}], []],
  [{ $alwaysFalse: 1 }, [], [{}]],
];

test('matches by operators', () => {
  for (const [filter, yes, no] of rows) {
    for (const doc of yes) assert.ok(matches(filter, doc), `${inspect(filter)} on ${inspect(doc)}`);
    for (const doc of no) assert.ok(!matches(filter, doc), `${inspect(filter)} not on ${inspect(doc)}`);
  }
});

const schemas: readonly Row[] = [
  [{ required: ['a'] }, [{ a: null }], [{}]],
  [{ properties: { a: { bsonType: 'int', minimum: 2 } } }, [{ a: 2 }, {}], [{ a: 1 }, { a: '2' }]],
  [{ properties: { a: { maximum: 5, exclusiveMaximum: true } } }, [{ a: 4 }, { a: 'x' }], [{ a: 5 }]],
  [{ properties: { a: { type: ['string', 'null'] } } }, [{ a: 'x' }, { a: null }], [{ a: 1 }]],
  [{ properties: { a: { minLength: 2, maxLength: 2 } } }, [{ a: '💥💥' }], [{ a: 'x' }]],
  [{ properties: { a: { pattern: '^x' } } }, [{ a: 'xy' }, { a: 1 }], [{ a: 'y' }]],
  [{ properties: { a: { multipleOf: 0.1 } } }, [{ a: 0.3 }, { a: new Int32(2) }], [{ a: 0.25 }]],
  [{ properties: { a: { enum: [1, 'x', null] } } }, [{ a: new Double(1) }, { a: null }], [{ a: 2 }]],
  [
    { properties: { a: { items: { type: 'number' }, minItems: 1, uniqueItems: true } } },
    [{ a: [1, 2] }, { a: 1 }],
    [{ a: [] }, { a: [1, 1] }, { a: ['x'] }],
  ],
  [
    { properties: { a: { items: [{}, { type: 'string' }], additionalItems: false } } },
    [{ a: [1, 'x'] }],
    [{ a: [1, 2] }, { a: [1, 'x', 2] }],
  ],
  [
    { properties: { a: { properties: { b: { type: 'string' } } } } },
    [{ a: { b: 'x' } }, { a: 1 }],
    [{ a: { b: 1 } }],
  ],
  [
    { properties: { a: {} }, patternProperties: { '^x': { type: 'string' } }, additionalProperties: false },
    [{ a: 1, x1: 'v' }],
    [{ a: 1, b: 1 }, { x1: 1 }],
  ],
  [{ minProperties: 1, maxProperties: 2 }, [{ a: 1 }], [{}, { a: 1, b: 1, c: 1 }]],
  [{ dependencies: { a: ['b'], c: { required: ['d'] } } }, [{ a: 1, b: 1 }, { x: 1 }], [{ a: 1 }, { c: 1 }]],
  [{ allOf: [{ required: ['a'] }, { required: ['b'] }] }, [{ a: 1, b: 1 }], [{ a: 1 }]],
  [{ oneOf: [{ required: ['a'] }, { required: ['b'] }] }, [{ a: 1 }], [{ a: 1, b: 1 }, {}]],
  [{ anyOf: [{ required: ['a'] }, { required: ['b'] }] }, [{ a: 1, b: 1 }], [{}]],
  [{ not: { required: ['a'] }, title: 't' }, [{}], [{ a: 1 }]],
];

test('validates documents by schemas', () => {
  for (const [$jsonSchema, yes, no] of schemas) {
    for (const doc of yes)
      assert.ok(matches({ $jsonSchema }, doc), `${inspect($jsonSchema)} on ${inspect(doc)}`);
    for (const doc of no)
      assert.ok(!matches({ $jsonSchema }, doc), `${inspect($jsonSchema)} not on ${inspect(doc)}`);
  }
});

const refused: ReadonlyArray<readonly [Document, number]> = [
  [{ a: { $all: [{ $gt: 1 }] } }, 2],
  [{ a: { $type: 'nothing' } }, 2],
  [{ a: { $type: 0 } }, 2],
  [{ a: { $type: true } }, 14],
  [{ a: { $type: [] } }, 9],
  [{ a: { $regex: 5 } }, 2],
  [{ a: { $regex: '[x' } }, 51091],
  [{ a: { $regex: 'x', $options: 'g' } }, 51108],
  [{ a: { $regex: new BSONRegExp('x', 'i'), $options: 'm' } }, 51075],
  [{ a: { $options: 'i', $regex: new BSONRegExp('x', 'i') } }, 51074],
  [{ a: { $options: 'i' } }, 2],
  [{ a: { $mod: [0, 1] } }, 2],
  [{ a: { $mod: [1] } }, 2],
  [{ a: { $mod: ['1', 1] } }, 2],
  [{ a: { $mod: [Decimal128.fromString('NaN'), 1] } }, 2],
  [{ a: { $size: -1 } }, 2],
  [{ a: { $size: 1.5 } }, 2],
  [{ a: { $size: 'x' } }, 2],
  [{ a: { $size: 2 ** 31 } }, 2],
  [{ a: { $elemMatch: { $and: [{ $expr: true }] } } }, 2],
  [{ a: { $in: [{ $gt: 1 }] } }, 2],
  [
    {
      a: {
        $geoWithin: {
          $box: [
            [0, 0],
            [1, 1],
          ],
          $center: [[0, 0], 1],
        },
      },
    },
    2,
  ],
  [{ a: { $all: 1 } }, 2],
  [{ a: { $all: [{ $elemMatch: {} }, 1] } }, 2],
  [{ a: { $all: [{ $gt: 1 }] } }, 2],
  [{ a: { $elemMatch: 1 } }, 2],
  [{ a: { $bitsAllSet: -1 } }, 9],
  [{ a: { $bitsAllSet: 1.5 } }, 9],
  [{ a: { $bitsAllSet: [-1] } }, 2],
  [{ a: { $bitsAllSet: 'x' } }, 2],
  [{ $expr: { $nothing: 1 } }, 168],
  [{ $jsonSchema: 1 }, 14],
  [{ $jsonSchema: { nothing: 1 } }, 9],
  [{ $jsonSchema: { required: [] } }, 9],
  [{ $jsonSchema: { minLength: -1 } }, 9],
  [{ $jsonSchema: { properties: { a: { minimum: 'x' } } } }, 14],
  [{ $jsonSchema: { type: 'integer' } }, 9],
  [{ $jsonSchema: { bsonType: 'nothing' } }, 2],
  [{ $sampleRate: 2 }, 2],
  [{ $text: { $search: 'x' } }, 27],
  [{ $text: { $search: 1 } }, 14],
  [{ $text: {} }, 4],
  [{ $where: '1' }, 2],
];

test('rejects invalid operands', () => {
  for (const [filter, code] of refused) {
    assert.throws(() => compileFilter(raw(filter)), { code }, inspect(filter, { depth: 5 }));
  }
});

const positions: ReadonlyArray<readonly [Document, Document, number | undefined]> = [
  [{ a: 2 }, { a: [1, 2, 2] }, 1],
  [{ a: { $elemMatch: { b: 2 } } }, { a: [{ b: 1 }, { b: 2 }] }, 1],
  [{ 'a.b': 2 }, { a: [{ b: 1 }, { b: [1, 2] }] }, 1],
  [{ 'x.a': { $gt: 1 } }, { x: { a: [1, 5] } }, 1],
  [{ a: 1, b: 3 }, { a: [1], b: [2, 3] }, 1],
  [{ a: 1 }, { a: 1 }, undefined],
  [{ $or: [{ a: 2 }] }, { a: [1, 2] }, 1],
  [{ $or: [{ a: 2 }, { a: 3 }] }, { a: [1, 2] }, 1],
  [{ $or: [{ a: 2 }, { b: 3 }] }, { a: [1, 2] }, undefined],
  [{ $or: [{ a: 2 }, { a: { $gt: 3 } }] }, { a: [1, 2] }, undefined],
  [{ $and: [{ a: { $gt: 1 } }, { a: { $lt: 5 } }] }, { a: [1, 2] }, 1],
  [{ a: { $gt: 1, $lt: 5 } }, { a: [1, 2] }, 1],
  [{ a: { $ne: 5 } }, { a: [1] }, undefined],
];

test('finds the array entry by which a document matches', () => {
  for (const [filter, doc, position] of positions) {
    assert.equal(compileFilter(raw(filter)).position(raw(doc)), position, inspect(filter, { depth: 5 }));
  }
});
