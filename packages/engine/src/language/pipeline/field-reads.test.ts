import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Document } from 'bson';
import { raw } from '../testing/documents.ts';
import { compilePipeline } from './index.ts';

const cases: Array<[what: string, stages: Document[], fields: string[] | undefined]> = [
  ['a key and a sum', [{ $group: { _id: '$a', n: { $sum: '$b.c' } } }], ['a', 'b']],
  ['no field', [{ $group: { _id: null, n: { $sum: 1 } } }], []],
  ['fields below others', [{ $group: { _id: { x: '$a.b', y: { $add: ['$c', 1] } } } }], ['a', 'c']],
  ['fields of the current document', [{ $group: { _id: '$$CURRENT.a' } }], ['a']],
  ['fields of variables', [{ $group: { _id: { $let: { vars: { v: '$a' }, in: '$$v.b' } } } }], ['a']],
  [
    'a current document that is another',
    [{ $group: { _id: { $let: { vars: { CURRENT: '$a' }, in: '$b' } } } }],
    ['a'],
  ],
  [
    'an order',
    [{ $group: { _id: 1, t: { $top: { sortBy: { 'a.b': 1, c: 1 }, output: '$d' } } } }],
    ['a', 'c', 'd'],
  ],
  ['the whole document', [{ $group: { _id: '$a', all: { $push: '$$ROOT' } } }], undefined],
  [
    'the document below a variable',
    [{ $group: { _id: { $let: { vars: { v: '$$ROOT' }, in: '$$v.b' } } } }],
    undefined,
  ],
  [
    'a filter before it',
    [
      { $match: { x: 1, $or: [{ 'y.z': { $gt: 3 } }, { w: { $not: { $elemMatch: { q: 1 } } } }] } },
      { $group: { _id: '$a' } },
    ],
    ['x', 'y', 'w', 'a'],
  ],
  [
    'a filter that may read any field',
    [{ $match: { $expr: { $gt: ['$x', 1] } } }, { $group: { _id: '$a' } }],
    undefined,
  ],
  ['a stage that hands documents on', [{ $match: { a: 1 } }], undefined],
  ['stages before it', [{ $limit: 3 }, { $group: { _id: '$a' } }], undefined],
  ['nothing', [], undefined],
];

for (const [what, stages, fields] of cases) {
  it(`returns the fields that are read: ${what}`, () => {
    const found = compilePipeline(stages.map(raw)).fields;
    assert.deepEqual(found && [...found].sort(), fields?.sort());
  });
}
