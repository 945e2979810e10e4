import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { dayOf, daysOf, daysOfIsoWeek, isoWeekOf, partsOf } from './calendar.ts';

test('agrees with the runtime within its range, and round-trips beyond it', () => {
  const inRange = fc.integer({ min: -100_000_000, max: 100_000_000 });
  fc.assert(
    fc.property(inRange, (days) => {
      const expected = new Date(days * 86_400_000);
      assert.deepEqual(dayOf(days), {
        year: expected.getUTCFullYear(),
        month: expected.getUTCMonth() + 1,
        day: expected.getUTCDate(),
      });
    }),
  );
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (ms) => {
      const { year, month, day, days } = partsOf(ms);
      assert.equal(daysOf(year, month, day), days);
    }),
  );
});

test('round-trips days through ISO weeks', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1_000_000, max: 1_000_000 }), (days) => {
      const { year, week, day } = isoWeekOf(days);
      assert.ok(week >= 1 && week <= 53);
      assert.equal(daysOfIsoWeek(year, week, day), days);
    }),
  );
});
