import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Document } from 'bson';
import { raw } from '../testing/documents.ts';
import { compileUpdate } from './index.ts';

interface Case {
  readonly from: Document;
  readonly update: Document | Document[];
  readonly filters?: Document[];
  /** The expected difference; `undefined` if the oplog entry contains the whole document. */
  readonly expected: Document | undefined;
}

const long = 'x'.repeat(100);

describe('the difference that an update records', () => {
  const cases: Readonly<Record<string, Case>> = {
    'names the path that was set, even in a small document': {
      from: { a: { b: 1 } },
      update: { $set: { 'a.b': 2 } },
      expected: { sa: { u: { b: 2 } } },
    },
    'has a document that was set as a whole, even if little of it is new': {
      from: { a: { b: 1, long } },
      update: { $set: { a: { b: 2, long } } },
      expected: { u: { a: { b: 2, long } } },
    },
    'names paths that were removed': {
      from: { a: { b: 1 } },
      update: { $unset: { 'a.b': '' } },
      expected: { sa: { d: { b: false } } },
    },
    'has implicitly created documents as new fields': {
      from: { x: { y: 1 } },
      update: { $set: { 'a.b.c': 1, 'x.z.w': 2 } },
      expected: { i: { a: { b: { c: 1 } } }, sx: { i: { z: { w: 2 } } } },
    },
    'names array entries': {
      from: { a: [1, { b: 1 }, 3] },
      update: { $set: { 'a.0': 2, 'a.1.b': 2, 'a.5': 1 } },
      expected: { sa: { a: true, u0: 2, s1: { u: { b: 2 } }, u5: 1 } },
    },
    'has null for a removed entry': {
      from: { a: [1, 2] },
      update: { $unset: { 'a.0': '' } },
      expected: { sa: { a: true, u0: null } },
    },
    'names appended entries': {
      from: { a: [1] },
      update: { $push: { a: { $each: [2, 3] } } },
      expected: { sa: { a: true, u1: 2, u2: 3 } },
    },
    'has the whole array if it was empty': {
      from: { a: [] },
      update: { $push: { a: 1 } },
      expected: { u: { a: [1] } },
    },
    'has the whole array if entries were inserted before others': {
      from: { a: [1, long] },
      update: { $push: { a: { $each: [2], $position: 0 } } },
      expected: { u: { a: [2, 1, long] } },
    },
    'has the whole array if it was truncated': {
      from: { a: [1, long] },
      update: { $push: { a: { $each: [2], $slice: -2 } } },
      expected: { u: { a: [long, 2] } },
    },
    'has the whole array if entries were removed': {
      from: { a: [1, 2, long], b: [1, long], c: [1, long] },
      update: { $pull: { a: 2 }, $pop: { b: -1 }, $addToSet: { c: 2 } },
      expected: { u: { a: [1, long], b: [long], c: [1, long, 2] } },
    },
    'has a renamed field as a removed and a new one': {
      from: { a: { b: 1 }, c: 2 },
      update: { $rename: { 'a.b': 'c', x: 'y' } },
      expected: { u: { c: 1 }, sa: { d: { b: false } } },
    },
    'descends into a single selected entry': {
      from: {
        a: [
          { n: 1, b: 1 },
          { n: 2, b: 1 },
        ],
      },
      update: { $set: { 'a.$[one].b': 2 } },
      filters: [{ 'one.n': 2 }],
      expected: { sa: { a: true, s1: { u: { b: 2 } } } },
    },
    'has the whole entry if only one of the selected entries changed': {
      from: { a: [{ b: 2 }, { b: 1 }] },
      update: { $set: { 'a.$[].b': 2 } },
      expected: { sa: { a: true, u1: { b: 2 } } },
    },
    'has the whole array if several selected entries changed': {
      from: { a: [{ b: 1 }, { b: 1 }, long] },
      update: { $set: { 'a.$[doc].b': 2 } },
      filters: [{ 'doc.b': 1 }],
      expected: { u: { a: [{ b: 2 }, { b: 2 }, long] } },
    },
    'compares the documents before and after a pipeline': {
      from: { a: { b: 1, long } },
      update: [{ $set: { 'a.b': 2 } }],
      expected: { sa: { u: { b: 2 } } },
    },
    'is absent if the document is smaller': {
      from: { a: 1 },
      update: [{ $set: { a: 2 } }],
      expected: undefined,
    },
    'is absent for a replacement': { from: { a: 1, long }, update: { a: 2, long }, expected: undefined },
  };
  for (const [name, { from, update, filters = [], expected }] of Object.entries(cases)) {
    it(name, () => {
      const spec = raw({ update }).get('update');
      assert.ok(spec);
      const options = filters.length > 0 ? { arrayFilters: filters.map(raw) } : {};
      const { modified, difference } = compileUpdate(spec, options).apply(raw(from));
      assert.equal(modified, true);
      assert.deepEqual(difference?.()?.toObject(), expected);
    });
  }
});
