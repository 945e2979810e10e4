import assert from 'node:assert/strict';
import { test } from 'node:test';
import { localText, windowOf } from './restore-window.ts';

const now = '2026-03-08T12:00:00Z';
const at = (text: string) => Date.parse(text);
const taken = (createdAt: string, status: 'completed' | 'failed' = 'completed') => ({ createdAt, status });

test('the restore window begins with the oldest completed snapshot, but not before its days', () => {
  const young = taken('2026-03-07T12:00:00Z');
  const end = at(now);
  assert.deepEqual(windowOf(2, [young], now), { begin: at('2026-03-07T12:00:00Z'), end });
  assert.deepEqual(windowOf(2, [young, taken('2026-03-01T12:00:00Z')], now), {
    begin: at('2026-03-06T12:00:00Z'),
    end,
  });
  assert.deepEqual(
    windowOf(2, [young, taken('2026-03-06T13:00:00Z', 'failed')], now)?.begin,
    end - 86_400_000,
  );
});

test('without a snapshot, or before all values are known, there is no restore window', () => {
  assert.equal(windowOf(2, [], now), undefined);
  assert.equal(windowOf(2, [taken('2026-03-07T12:00:00Z', 'failed')], now), undefined);
  assert.equal(windowOf(undefined, [taken('2026-03-07T12:00:00Z')], now), undefined);
  assert.equal(windowOf(2, [taken('2026-03-07T12:00:00Z')], undefined), undefined);
});

test('a field for dates and times gets the time in the time zone of the browser', () => {
  assert.match(localText(at(now)), /^2026-03-0[789]T\d\d:\d0:00$/);
  assert.equal(new Date(localText(at(now))).getTime(), at(now));
});
