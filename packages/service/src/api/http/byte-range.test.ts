import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rangeOf } from './byte-range.ts';

test('parses ranges as in the RFC', () => {
  const cases = [
    ['bytes=0-9', { first: 0, last: 9 }],
    ['bytes=90-', { first: 90, last: 99 }],
    ['bytes=90-500', { first: 90, last: 99 }],
    ['bytes=-10', { first: 90, last: 99 }],
    ['bytes=-500', { first: 0, last: 99 }],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=9-8', undefined],
    ['bytes=-', undefined],
    ['bytes=0-1,4-5', undefined],
    ['pages=1-2', undefined],
    [undefined, undefined],
  ] as const;
  for (const [header, range] of cases) assert.deepEqual(rangeOf(header, 100), range, header);
  assert.equal(rangeOf('bytes=-5', 0), 'unsatisfiable');
});
