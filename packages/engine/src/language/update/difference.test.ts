import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Document } from 'bson';
import { RawDocument } from '../../bson/raw.ts';
import { diffOf } from './difference.ts';

const long = 'x'.repeat(100);

describe('a difference', () => {
  const cases: Array<[string, Document, Document, Document]> = [
    ['is empty without a change', { a: 1 }, { a: 1 }, {}],
    ['has new values', { a: 1, b: 2 }, { a: 1, b: 3 }, { u: { b: 3 } }],
    ['has new types', { a: 1 }, { a: 1.5 }, { u: { a: 1.5 } }],
    ['has new fields in their order', { a: 1 }, { a: 1, c: 2, b: 3 }, { i: { c: 2, b: 3 } }],
    ['has removed fields', { a: 1, b: 2 }, { b: 2 }, { d: { a: false } }],
    ['has fields that move to the end as new fields', { a: 1, b: 2 }, { b: 2, a: 1 }, { i: { a: 1 } }],
    [
      'descends into documents',
      { a: { b: 1, long }, c: 1 },
      { a: { b: 2, long }, c: 1 },
      { sa: { u: { b: 2 } } },
    ],
    ['has a whole document if that is smaller', { a: { b: 1 } }, { a: { c: 2 } }, { u: { a: { c: 2 } } }],
    ['descends into arrays', { a: [1, long, 3] }, { a: [2, long, 3, 4] }, { sa: { a: true, u0: 2, u3: 4 } }],
    ['truncates arrays', { a: [long, 2, 3] }, { a: [long] }, { sa: { a: true, l: 1 } }],
    [
      'descends into documents in arrays',
      { a: [{ b: 1, long }] },
      { a: [{ b: 2, long }] },
      { sa: { a: true, s0: { u: { b: 2 } } } },
    ],
  ];
  for (const [name, before, after, expected] of cases) {
    it(name, () => {
      const diff = diffOf(RawDocument.from(before), RawDocument.from(after)).toObject();
      assert.deepEqual(diff, expected);
      assert.deepEqual(Object.keys(diff), Object.keys(expected));
    });
  }
});
