import assert from 'node:assert/strict';
import { test } from 'node:test';
import { system } from '../../../events/index.ts';
import { defaultSchedule, type PolicyItem, type Schedule } from '../model/schedules/policy.ts';
import { snapshotsOf } from '../model/snapshots/rows.ts';
import { openBackups } from '../testing.ts';
import { changeSchedule } from './changes.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const HOUR = 7;
const MINUTE = 23;

const item = (
  id: string,
  frequencyType: PolicyItem['frequencyType'],
  frequencyInterval: number,
  retentionValue: number,
  retentionUnit: PolicyItem['retentionUnit'],
): PolicyItem => ({ id, frequencyType, frequencyInterval, retentionValue, retentionUnit });

/** For each item, whether a snapshot is due at a date, according to the calendar. */
const due: Readonly<Record<string, (date: Date) => boolean>> = {
  hourly: (date) => date.getUTCHours() === 7 || date.getUTCHours() === 19,
  daily: (date) => date.getUTCHours() === 7,
  wednesday: (date) => date.getUTCHours() === 7 && date.getUTCDay() === 3,
  sunday: (date) => date.getUTCHours() === 7 && date.getUTCDay() === 0,
  fifteenth: (date) => date.getUTCHours() === 7 && date.getUTCDate() === 15,
  last: (date) => date.getUTCHours() === 7 && new Date(date.getTime() + DAY_MS).getUTCDate() === 1,
  march: (date) => date.getUTCHours() === 7 && date.getUTCDate() === 1 && date.getUTCMonth() === 2,
  december: (date) => date.getUTCHours() === 7 && date.getUTCDate() === 1 && date.getUTCMonth() === 11,
};
const frequencyOf: Readonly<Record<string, string>> = {
  hourly: 'hourly',
  daily: 'daily',
  wednesday: 'weekly',
  sunday: 'weekly',
  fifteenth: 'monthly',
  last: 'monthly',
  march: 'yearly',
  december: 'yearly',
};

const items = [
  item('hourly', 'hourly', 12, 2, 'days'),
  item('daily', 'daily', 1, 3, 'days'),
  item('wednesday', 'weekly', 3, 2, 'weeks'),
  item('sunday', 'weekly', 7, 20, 'days'),
  item('fifteenth', 'monthly', 15, 2, 'months'),
  item('last', 'monthly', 40, 14, 'months'),
  item('march', 'yearly', 3, 2, 'years'),
  item('december', 'yearly', 12, 2, 'years'),
];
const days = {
  hourly: 2,
  daily: 3,
  wednesday: 14,
  sunday: 20,
  fifteenth: 62,
  last: 428,
  march: 732,
  december: 732,
};
/**
 * How many days each item keeps its snapshots if daily snapshots have four days of extra retention, and monthly ones
 * nine.
 */
const withExtra = { ...days, daily: 7, fifteenth: 71, last: 437 };
/**
 * Like `withExtra`, after a change of the schedule. One weekly item now has a shorter retention, and the other a longer
 * one.
 */
const changed = { ...withExtra, wednesday: 7, sunday: 30 };

type Kept = Readonly<Record<string, number>>;

test('a year of service time, in steps of any length, leaves the snapshots that the calendar requires', async (t) => {
  const { store, cluster, clock, machine, settled, idleCluster } = await openBackups(t);
  await idleCluster();
  const start = clock.now().getTime();
  const base: Schedule = {
    ...defaultSchedule(new Date(start), false, () => 'policy'),
    items,
    hour: HOUR,
    minute: MINUTE,
  };
  const set = async (schedule: Schedule, updateSnapshots: boolean) => {
    await store.write((tx) => changeSchedule(tx, cluster, { schedule, updateSnapshots }, system));
    await settled();
  };

  /**
   * The expected snapshots by due time. Each entry has the ids of the due items, and the retention of all items at that
   * time.
   */
  const asked = new Map<number, { readonly ids: readonly string[]; keeps: Kept }>();
  let followed = start;
  const follow = (now: number, keeps: Kept) => {
    const first = (Math.floor(followed / MINUTE_MS) + 1) * MINUTE_MS;
    for (let at = first; at <= now; at += MINUTE_MS) {
      const date = new Date(at);
      const ids = Object.keys(due).filter((id) => id in keeps && due[id]?.(date));
      if (date.getUTCMinutes() === MINUTE && ids.length > 0) asked.set(at, { ids, keeps });
    }
    followed = now;
  };
  const expected = (now: number) =>
    [...asked].flatMap(([at, { ids, keeps }]) => {
      const expires = at + Math.max(...ids.map((id) => keeps[id] ?? 0)) * DAY_MS;
      if (expires <= now) return [];
      const frequency = frequencyOf[ids.at(-1) ?? ''];
      return [{ at: new Date(at), expires: new Date(expires), frequency, ids, type: 'scheduled' }];
    });
  const found = async () =>
    (await store.read((tx) => snapshotsOf(tx, cluster.id))).map(({ created, expires, facts, type }) => {
      const ids = facts.items?.map(({ id }) => id) ?? [];
      return { at: created, expires, frequency: facts.frequency, ids, type };
    });
  const advance = async (ms: number, keeps: Kept) => {
    const now = clock.now().getTime() + ms;
    clock.set({ at: now, since: machine.now(), rate: 0 });
    await settled();
    follow(now, keeps);
    assert.deepEqual(await found(), expected(now), new Date(now).toISOString());
  };

  await set(base, false);
  for (const step of [5 * HOUR_MS, 12 * HOUR_MS, 1 * DAY_MS, 6 * DAY_MS, 40 * DAY_MS])
    await advance(step, days);
  const extraRetention = [
    { frequencyType: 'DAILY', retentionDays: 4 },
    { frequencyType: 'MONTHLY', retentionDays: 9 },
  ] as const;
  // Extra retention applies to new snapshots. It applies to existing snapshots only if `updateSnapshots` is true.
  await set({ ...base, extraRetention }, false);
  assert.deepEqual(await found(), expected(clock.now().getTime()));
  for (const step of [3 * DAY_MS, 17 * HOUR_MS, 60 * DAY_MS, 2 * DAY_MS]) await advance(step, withExtra);
  const [, ...rest] = items;
  const others = rest.map((one) => {
    if (one.id === 'wednesday') return { ...one, retentionValue: 1 };
    return one.id === 'sunday' ? { ...one, retentionValue: 30 } : one;
  });
  await set({ ...base, extraRetention, items: others }, true);
  // Existing snapshots of the removed hourly item keep their retention of two days.
  const { hourly: _, ...left } = changed;
  const there = new Set(expected(clock.now().getTime()).map(({ at }) => at.getTime()));
  for (const [at, one] of asked) {
    one.keeps = { ...changed, hourly: 2 };
    // Remove expired snapshots from the expected ones, since they must not exist at any later time.
    if (!there.has(at)) asked.delete(at);
  }
  for (const step of [1, 1 * DAY_MS, 30 * DAY_MS, 100 * DAY_MS, 130 * DAY_MS]) await advance(step, left);
  assert.ok(clock.now().getTime() - start > 365 * DAY_MS);
});
