import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Schedule } from './schema.ts';
import { checkSchedule, isOpen } from './window.ts';

const night = { startHour: 23, startMinute: 30, endHour: 2, endMinute: 0 };
const morning = { startHour: 6, startMinute: 0, endHour: 8, endMinute: 0 };

/** Returns the times at which a window is open. */
const openAt = (schedule: Schedule, times: readonly string[]) =>
  times.filter((time) => isOpen(schedule, new Date(`${time}:00Z`)));

test('a daily window may end on the next day', () => {
  const times = [
    '2025-03-01T01:59',
    '2025-03-01T02:00',
    '2025-03-01T23:29',
    '2025-03-01T23:30',
    '2025-03-02T00:00',
  ];
  assert.deepEqual(openAt({ type: 'DAILY', ...night }, times), [
    '2025-03-01T01:59',
    '2025-03-01T23:30',
    '2025-03-02T00:00',
  ]);
  assert.deepEqual(
    openAt({ type: 'DAILY', ...morning }, ['2025-03-01T05:59', '2025-03-01T06:00', '2025-03-01T08:00']),
    ['2025-03-01T06:00'],
  );
});

test('the day of a window is the day on which it begins', () => {
  // 2025-03-02 is a Sunday.
  const times = ['2025-03-02T00:30', '2025-03-02T23:45', '2025-03-03T01:30', '2025-03-03T23:45'];
  const inWindow = ['2025-03-02T23:45', '2025-03-03T01:30'];
  assert.deepEqual(openAt({ type: 'WEEKLY', dayOfWeek: 7, ...night }, times), inWindow);
  assert.deepEqual(openAt({ type: 'MONTHLY', dayOfMonth: 2, ...night }, times), inWindow);
});

test('in a short month, a monthly window begins on the last day', () => {
  const times = ['2025-02-27T07:00', '2025-02-28T07:00', '2025-03-30T07:00', '2025-03-31T07:00'];
  assert.deepEqual(openAt({ type: 'MONTHLY', dayOfMonth: 31, ...morning }, times), [
    '2025-02-28T07:00',
    '2025-03-31T07:00',
  ]);
});

test('schedules with missing, unknown or too short windows are rejected', () => {
  const rejected: Schedule[] = [
    { type: 'WEEKLY', ...morning },
    { type: 'MONTHLY', ...morning },
    { type: 'DAILY', dayOfWeek: 1, ...morning },
    { type: 'WEEKLY', dayOfWeek: 1, dayOfMonth: 1, ...morning },
    { type: 'DEFAULT', startHour: 1 },
    { type: 'DAILY', ...morning, endHour: 7 },
  ];
  for (const schedule of rejected)
    assert.throws(() => checkSchedule(schedule), { code: 'INVALID_ATTRIBUTE' }, JSON.stringify(schedule));
  checkSchedule({ type: 'DEFAULT' });
  checkSchedule({ type: 'DAILY', ...night });
});
