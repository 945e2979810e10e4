import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { system } from '../../../events/index.ts';
import { acknowledgeAlert } from './acknowledge.ts';
import { type Delivered, type hook, open } from './testing.ts';

type Hook = ReturnType<typeof hook>;

const MINUTE = 60_000;

/** The time range of a condition, in minutes from the start of the simulation. */
interface Span {
  readonly from: number;
  readonly to: number;
  /** The time range of an acknowledgement, in minutes from the start of the simulation. */
  readonly quiet?: readonly [number, number];
}

const openedAt = (notifications: readonly Hook[], from: number) =>
  Math.min(...notifications.map(({ delayMin }) => from + delayMin));

/**
 * Computes the notifications that docs/contract/access.md 8.1 and 8.2 require, independently of the implementation. If
 * the alert is acknowledged when a notification is due, the notification is not sent, and its reason is `nobody`.
 */
function expected(notifications: readonly Hook[], spans: readonly Span[]): Delivered[] {
  const all: Delivered[] = [];
  for (const { from, to, quiet = [Infinity, Infinity] } of spans) {
    const opened = openedAt(notifications, from);
    if (opened > to) continue;
    for (const { webhookUrl, delayMin, intervalMin } of notifications) {
      const who = new URL(webhookUrl).pathname.slice(1);
      let reason = 'open';
      for (let at = from + delayMin; at < to; at += intervalMin) {
        const isQuiet = at > quiet[0] && at < quiet[1];
        all.push([at, who, isQuiet ? 'nobody' : reason]);
        if (!isQuiet) reason = 'update';
      }
      if (quiet[0] < Infinity && quiet[0] >= opened) all.push([quiet[0], who, 'acknowledge']);
      all.push([to, who, 'close']);
    }
  }
  return all.sort(byTime);
}

const byTime = (one: Delivered, other: Delivered) =>
  one[0] - other[0] || one[1].localeCompare(other[1]) || one[2].localeCompare(other[2]);

/**
 * Returns random consecutive periods in which the condition holds. Some periods include an acknowledgement. The same
 * seed returns the same periods.
 */
export function randomSpans(seed: number, count: number, longest: number): Span[] {
  let state = seed;
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
  const spans: Span[] = [];
  let at = 1;
  while (spans.length < count) {
    const from = at + 1 + random(300);
    // Notifications are due at whole minutes. The condition ends between two of them, half a minute after a whole
    // minute.
    const to = from + 2 * 10 ** random(longest) + 0.5;
    const quietFrom = from + random(Math.ceil(to - from)) + 0.25;
    const isQuiet = random(3) === 0 && quietFrom < to;
    spans.push({ from, to, ...(isQuiet ? { quiet: [quietFrom, quietFrom + 0.5 + random(900)] } : {}) });
    at = Math.ceil(to);
  }
  return spans;
}

/**
 * Simulates the periods of a condition for several configurations, one per list of notifications. Compares the sent
 * notifications and the state of each alert with the model. Returns the expected notifications.
 */
export async function play(
  t: TestContext,
  targets: ReadonlyArray<readonly Hook[]>,
  spans: readonly Span[],
): Promise<{ readonly due: readonly Delivered[]; readonly minutes: number }> {
  const { store, told, worker, moveTo, configure, report, alerts, minute } = await open(t);
  const configured = new Map<string, readonly Hook[]>();
  for (const notifications of targets) configured.set((await configure(notifications)).id, notifications);
  const due = targets.flatMap((notifications) => expected(notifications, spans)).sort(byTime);
  const moments = new Set(due.map(([when]) => when));
  for (const { from, to, quiet } of spans) for (const when of [from, to, ...(quiet ?? [])]) moments.add(when);
  for (const when of [...moments].sort((one, other) => one - other)) {
    await moveTo(when);
    const span = spans.find(({ from, to, quiet }) => from === when || to === when || quiet?.[0] === when);
    if (span?.from === when) await report(true);
    if (span?.to === when) await report(false);
    if (span?.quiet?.[0] === when) {
      for (const alert of await alerts(targets.length)) {
        const until = new Date(alert.created.getTime() + (span.quiet[1] - span.from) * MINUTE).toISOString();
        await store.write((tx) => acknowledgeAlert(tx, alert, { acknowledgedUntil: until }, system));
      }
    }
    worker.wake();
    await worker.idle();
    const now = spans.find(({ from, to }) => from <= when && when < to);
    for (const { status, configurationId } of now ? await alerts(targets.length) : []) {
      const opened = openedAt(configured.get(configurationId) ?? [], now?.from ?? 0);
      assert.equal(status, when < opened ? 'TRACKING' : 'OPEN', `at ${when}, opened at ${opened}`);
    }
  }
  assert.deepEqual(
    told.sort(byTime),
    due.filter(([, , reason]) => reason !== 'nobody'),
  );
  const seen = await alerts(spans.length * targets.length);
  assert.equal(seen.length, spans.length * targets.length);
  assert.ok(
    seen.every(({ status, configurationId }) => status === 'CLOSED' && configured.has(configurationId)),
  );
  return { due, minutes: minute() };
}
