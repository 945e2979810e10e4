import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Document } from 'bson';
import { raw } from '../testing/documents.ts';
import { compileUpdate } from './index.ts';

interface Case {
  readonly from: Document;
  readonly update: Document | Document[];
  readonly filters?: Document[];
  /** `undefined` if the oplog entry has the whole document. */
  readonly told: Document | undefined;
}

const long = 'x'.repeat(100);

describe('the difference that an update tells', () => {
  const cases: Readonly<Record<string, Case>> = {
    'names the path that was set, in a small document too': {
      from: { a: { b: 1 } },
      update: { $set: { 'a.b': 2 } },
      told: { sa: { u: { b: 2 } } },
    },
    'has a document that was set whole, however little of it is new': {
      from: { a: { b: 1, long } },
      update: { $set: { a: { b: 2, long } } },
      told: { u: { a: { b: 2, long } } },
    },
    'names paths that were removed': {
      from: { a: { b: 1 } },
      update: { $unset: { 'a.b': '' } },
      told: { sa: { d: { b: false } } },
    },
    'has documents that were made on the way as new ones': {
      from: { x: { y: 1 } },
      update: { $set: { 'a.b.c': 1, 'x.z.w': 2 } },
      told: { i: { a: { b: { c: 1 } } }, sx: { i: { z: { w: 2 } } } },
    },
    'names entries of arrays': {
      from: { a: [1, { b: 1 }, 3] },
      update: { $set: { 'a.0': 2, 'a.1.b': 2, 'a.5': 1 } },
      told: { sa: { a: true, u0: 2, s1: { u: { b: 2 } }, u5: 1 } },
    },
    'has a null for an entry that was removed': {
      from: { a: [1, 2] },
      update: { $unset: { 'a.0': '' } },
      told: { sa: { a: true, u0: null } },
    },
    'names entries that were put at the end': {
      from: { a: [1] },
      update: { $push: { a: { $each: [2, 3] } } },
      told: { sa: { a: true, u1: 2, u2: 3 } },
    },
    'has the whole array where the first entry was put into it': {
      from: { a: [] },
      update: { $push: { a: 1 } },
      told: { u: { a: [1] } },
    },
    'has the whole array where entries were put elsewhere': {
      from: { a: [1, long] },
      update: { $push: { a: { $each: [2], $position: 0 } } },
      told: { u: { a: [2, 1, long] } },
    },
    'has the whole array where it was cut': {
      from: { a: [1, long] },
      update: { $push: { a: { $each: [2], $slice: -2 } } },
      told: { u: { a: [long, 2] } },
    },
    'has the whole array where entries were taken out': {
      from: { a: [1, 2, long], b: [1, long], c: [1, long] },
      update: { $pull: { a: 2 }, $pop: { b: -1 }, $addToSet: { c: 2 } },
      told: { u: { a: [1, long], b: [long], c: [1, long, 2] } },
    },
    'tells a renamed field as one that goes and one that comes': {
      from: { a: { b: 1 }, c: 2 },
      update: { $rename: { 'a.b': 'c', x: 'y' } },
      told: { u: { c: 1 }, sa: { d: { b: false } } },
    },
    'goes into the one entry that is chosen': {
      from: {
        a: [
          { n: 1, b: 1 },
          { n: 2, b: 1 },
        ],
      },
      update: { $set: { 'a.$[one].b': 2 } },
      filters: [{ 'one.n': 2 }],
      told: { sa: { a: true, s1: { u: { b: 2 } } } },
    },
    'has the one entry whole that changed among those that were chosen': {
      from: { a: [{ b: 2 }, { b: 1 }] },
      update: { $set: { 'a.$[].b': 2 } },
      told: { sa: { a: true, u1: { b: 2 } } },
    },
    'has the whole array where several entries changed that were chosen': {
      from: { a: [{ b: 1 }, { b: 1 }, long] },
      update: { $set: { 'a.$[doc].b': 2 } },
      filters: [{ 'doc.b': 1 }],
      told: { u: { a: [{ b: 2 }, { b: 2 }, long] } },
    },
    'says of a pipeline what differs': {
      from: { a: { b: 1, long } },
      update: [{ $set: { 'a.b': 2 } }],
      told: { sa: { u: { b: 2 } } },
    },
    'is none where a pipeline leaves less than it takes to tell': {
      from: { a: 1 },
      update: [{ $set: { a: 2 } }],
      told: undefined,
    },
    'is none for another document': { from: { a: 1, long }, update: { a: 2, long }, told: undefined },
  };
  for (const [name, { from, update, filters = [], told }] of Object.entries(cases)) {
    it(name, () => {
      const spec = raw({ update }).get('update');
      assert.ok(spec);
      const options = filters.length > 0 ? { arrayFilters: filters.map(raw) } : {};
      const { modified, difference } = compileUpdate(spec, options).apply(raw(from));
      assert.equal(modified, true);
      assert.deepEqual(difference?.()?.toObject(), told);
    });
  }
});
