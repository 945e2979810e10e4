import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SessionRow } from './rows.ts';
import { csrfTokenOf, endedBefore, isOver } from './rules.ts';

const HOUR_MS = 3_600_000;
const session = (created: number, used: number) => ({ created, used }) as SessionRow;

test('a session ends an hour after its last use, and twelve hours after its login', () => {
  assert.equal(isOver(session(0, 0), HOUR_MS - 1), false);
  assert.equal(isOver(session(0, 0), HOUR_MS), true);
  const used = 12 * HOUR_MS - 2;
  assert.equal(isOver(session(0, used), 12 * HOUR_MS - 1), false);
  assert.equal(isOver(session(0, used), 12 * HOUR_MS), true);
});

test('only sessions that have ended are deleted', () => {
  const now = 20 * HOUR_MS;
  const { createdBefore, usedBefore } = endedBefore(now);
  for (const [created, used] of [
    [now, now],
    [now - 12 * HOUR_MS + 1, now],
    [now - 12 * HOUR_MS, now],
    [now - HOUR_MS, now - HOUR_MS],
    [now - HOUR_MS, now - HOUR_MS + 1],
  ] as const)
    assert.equal(created <= createdBefore || used <= usedBefore, isOver(session(created, used), now));
});

test('the CSRF token depends on the session', () => {
  assert.equal(csrfTokenOf('a'), csrfTokenOf('a'));
  assert.notEqual(csrfTokenOf('a'), csrfTokenOf('b'));
});
