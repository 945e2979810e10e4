import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Document } from 'bson';
import { RawDocument } from '../bson/raw.ts';
import { compileFilter } from '../language/filter/index.ts';
import { type PlanOptions, plan } from './plan.ts';

const raw = (document: Document) => RawDocument.from(document);

/** Returns the kind of path, its direction, the number of key intervals, and whether the path is sorted. */
function summary(filter: Document, options: PlanOptions = {}): string {
  const { path, sorted } = plan(compileFilter(raw(filter)), options);
  const intervals = path.kind === 'byId' && path.intervals ? ` ${path.intervals.length}` : '';
  return `${path.kind}${path.reverse ? ' reverse' : ''}${intervals}${sorted ? '' : ' unsorted'}`;
}

describe('a plan', () => {
  const plans: Array<[string, Document, PlanOptions, string]> = [
    ['scans without a bound on _id', { a: 1 }, {}, 'natural'],
    ['scans if only one alternative bounds _id', { $or: [{ _id: 1 }, { a: 1 }] }, {}, 'natural'],
    ['looks up one _id', { _id: 1, a: 2 }, {}, 'byId 1'],
    ['looks up several _ids', { _id: { $in: [1, 2, 3] } }, {}, 'byId 3'],
    ['reads a range', { _id: { $gt: 1, $lt: 5 } }, {}, 'byId 1'],
    ['intersects all conditions on _id', { _id: { $in: [1, 7] }, $and: [{ _id: { $lt: 5 } }] }, {}, 'byId 1'],
    ['reads nothing if nothing can match', { $and: [{ _id: 1 }, { _id: 2 }] }, {}, 'byId 0'],
    ['scans keys backwards', { _id: { $gt: 1 } }, { sort: raw({ _id: -1 }) }, 'byId reverse 1'],
    ['sorts by _id without a bound', { a: 1 }, { sort: raw({ _id: 1 }) }, 'byId'],
    ['sorts by other fields', { _id: 1 }, { sort: raw({ a: 1 }) }, 'byId 1 unsorted'],
    ['sorts by several fields', {}, { sort: raw({ _id: 1, a: 1 }) }, 'natural unsorted'],
    ['scans backwards by $natural', { _id: 1 }, { sort: raw({ $natural: -1 }) }, 'natural reverse'],
    ['follows a $natural hint', { _id: 1 }, { hint: raw({ $natural: 1 }) }, 'natural'],
    ['follows a hint at _id', { a: 1 }, { hint: '_id_' }, 'byId'],
    ['follows a hint at _id by its pattern', { a: 1 }, { hint: raw({ _id: 1 }) }, 'byId'],
    [
      'sorts the result of a hinted scan',
      {},
      { hint: raw({ $natural: 1 }), sort: raw({ _id: 1 }) },
      'natural unsorted',
    ],
  ];
  for (const [what, filter, options, expected] of plans) {
    it(what, () => {
      assert.equal(summary(filter, options), expected);
    });
  }

  for (const sort of [{ $natural: 2 }, { $natural: 'x' }, { $natural: 1, a: 1 }, { a: 1, $natural: 1 }]) {
    it(`refuses the sort ${JSON.stringify(sort)}`, () => {
      assert.throws(() => plan(compileFilter(raw({})), { sort: raw(sort) }), { code: 2 });
    });
  }
});
