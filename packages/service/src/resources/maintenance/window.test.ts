import assert from 'node:assert/strict';
import { test } from 'node:test';
import { earliestAllowed, isProtected, nextStart } from './window.ts';

/** This day is a Wednesday. */
const now = new Date('2026-04-15T10:30:00.000Z');

test('a window starts on its day of the week at its hour, after now', () => {
  const begins: ReadonlyArray<[day: number, hour: number, date: string]> = [
    [4, 11, '2026-04-15T11:00:00.000Z'],
    [4, 10, '2026-04-22T10:00:00.000Z'],
    [4, 0, '2026-04-22T00:00:00.000Z'],
    [5, 0, '2026-04-16T00:00:00.000Z'],
    [1, 23, '2026-04-19T23:00:00.000Z'],
    [3, 23, '2026-04-21T23:00:00.000Z'],
  ];
  for (const [day, hour, date] of begins) assert.equal(nextStart({ day, hour }, now).toISOString(), date);
  const whole = new Date('2026-04-15T11:00:00.000Z');
  assert.equal(nextStart({ day: 4, hour: 11 }, whole).toISOString(), '2026-04-22T11:00:00.000Z');
});

test('protected hours may span midnight, and immediate maintenance starts after them', () => {
  assert.equal(earliestAllowed({}, now), now);
  assert.equal(earliestAllowed({ protectedHours: { start: 11, end: 10 } }, now), now);
  const day = earliestAllowed({ protectedHours: { start: 8, end: 17 } }, now);
  assert.equal(day.toISOString(), '2026-04-15T17:00:00.000Z');
  const night = earliestAllowed(
    { protectedHours: { start: 22, end: 6 } },
    new Date('2026-04-15T23:30:00.000Z'),
  );
  assert.equal(night.toISOString(), '2026-04-16T06:00:00.000Z');
  assert.deepEqual(
    [21, 22, 0, 5, 6].map((hour) => isProtected({ start: 22, end: 6 }, hour)),
    [false, true, true, true, false],
  );
});
