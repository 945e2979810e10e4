import assert from 'node:assert/strict';
import { test } from 'node:test';
import { realTime } from '@portolan/foundation/clock';
import { notMissedFrom } from '../schedules/lateness.ts';
import { nextOccurrence, type Recurrence, type TimeOfDay } from './occurrences.ts';
import { defaultSchedule, itemsDueAt, nextDue, type Schedule } from './schedules/policy.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const START = Date.UTC(2027, 10, 17, 5, 41, 30);
const END = START + 500 * DAY_MS;
const time: TimeOfDay = { hour: 17, minute: 23 };

/** Returns the due times from START to END, computed by testing every minute against the calendar. */
function byCalendar({ frequencyType, frequencyInterval }: Recurrence): number[] {
  const found: number[] = [];
  for (let at = Math.ceil(START / MINUTE_MS) * MINUTE_MS; at <= END; at += MINUTE_MS) {
    const date = new Date(at);
    if (date.getUTCMinutes() !== time.minute) continue;
    const isLast = new Date(at + DAY_MS).getUTCDate() === 1;
    const onTime = date.getUTCHours() === time.hour;
    const fits = {
      hourly: (date.getUTCHours() + 24 - time.hour) % frequencyInterval === 0,
      daily: onTime,
      weekly: onTime && (date.getUTCDay() || 7) === frequencyInterval,
      monthly: onTime && (frequencyInterval === 40 ? isLast : date.getUTCDate() === frequencyInterval),
      yearly: onTime && date.getUTCDate() === 1 && date.getUTCMonth() + 1 === frequencyInterval,
    };
    if (fits[frequencyType]) found.push(at);
  }
  return found;
}

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);
const intervals = {
  hourly: [1, 2, 4, 6, 8, 12],
  daily: [1],
  weekly: upTo(7),
  monthly: [1, 7, 28, 40],
  yearly: upTo(12),
};

for (const frequencyType of ['hourly', 'daily', 'weekly', 'monthly', 'yearly'] as const) {
  test(`${frequencyType} items are due according to the calendar`, () => {
    for (const frequencyInterval of intervals[frequencyType]) {
      const item = { frequencyType, frequencyInterval };
      const found: number[] = [];
      let at = nextOccurrence(item, time, START);
      for (; at !== undefined && at <= END; at = nextOccurrence(item, time, at)) found.push(at);
      assert.deepEqual(found, byCalendar(item), JSON.stringify(item));
    }
  });
}

test('nothing is due after the last year', () => {
  const late = Date.UTC(9999, 11, 31, 23, 0);
  assert.equal(nextOccurrence({ frequencyType: 'yearly', frequencyInterval: 1 }, time, late), undefined);
});

let made = 0;
const schedule: Schedule = defaultSchedule(new Date(START), false, () => String(made++));

/** Returns the due times that are processed after the clock jumps from START to `now`. */
function caughtUp(now: number, from = Number.NEGATIVE_INFINITY): number[] {
  const found: number[] = [];
  let after = START;
  for (;;) {
    const at = nextDue(schedule, { after, now, from });
    if (at === undefined || at > now) return found;
    found.push(at);
    after = at;
  }
}

test('after a jump of the clock, only snapshots that would not have expired are due', () => {
  const all = schedule.items.flatMap((item) => {
    const found: number[] = [];
    let at = nextOccurrence(item, schedule, START);
    for (; at !== undefined && at <= END; at = nextOccurrence(item, schedule, at)) found.push(at);
    return found;
  });
  const moments = [...new Set(all)].sort((one, other) => one - other);
  const lasting = moments.filter((at) =>
    itemsDueAt(schedule, at).some(({ days }) => at + days * DAY_MS > END),
  );
  assert.deepEqual(caughtUp(END), lasting);
  assert.ok(lasting.length > 40 && lasting.length < 60);
});

test('snapshots that were due while the service did not run are skipped', () => {
  const since = START;
  const machineNow = START + 3 * DAY_MS + 60 * MINUTE_MS;
  const from = notMissedFrom(realTime, machineNow);
  assert.equal(from, machineNow - 15 * MINUTE_MS);
  assert.deepEqual(caughtUp(machineNow, from), []);
  // A jump of service time does not count as an outage, even if the schedule is checked some time after the jump.
  const jumped = { at: START + 300 * DAY_MS, since, rate: 1 };
  assert.equal(notMissedFrom(jumped, since + 14 * MINUTE_MS), Number.NEGATIVE_INFINITY);
  assert.equal(notMissedFrom(jumped, since + 16 * MINUTE_MS), jumped.at + MINUTE_MS);
});

test('if several items are due together, the least frequent comes last', () => {
  const at = Date.UTC(2027, 11, 1, 5, 41);
  const due = itemsDueAt(schedule, at).map(({ frequency, days }) => [frequency, days]);
  assert.deepEqual(due, [
    ['hourly', 7],
    ['daily', 7],
    ['yearly', 366],
  ]);
});
