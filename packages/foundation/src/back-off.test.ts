import assert from 'node:assert/strict';
import { it } from 'node:test';
import { pauseAfter } from './back-off.ts';
import { systemRandom } from './random.ts';

it('the pause doubles with each failure, up to the maximum', () => {
  const pauses = [1, 2, 3, 4, 100].map((failures) => pauseAfter(failures, { first: 100, greatest: 500 }));
  assert.deepEqual(pauses, [100, 200, 400, 500, 500]);
});

it('with jitter, the second half of the pause is random', () => {
  const limits: number[] = [];
  const integer = (limit: number) => {
    limits.push(limit);
    return limit - 1;
  };
  const backOff = { first: 100, greatest: 500, random: { ...systemRandom(), integer } };
  assert.deepEqual([pauseAfter(1, backOff), pauseAfter(4, backOff)], [99, 499]);
  assert.deepEqual(limits, [50, 250]);
});
