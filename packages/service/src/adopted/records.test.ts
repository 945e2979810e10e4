import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logLines } from './records.ts';

test('of a malformed or long log, only the last lines are read', () => {
  assert.deepEqual(logLines({}), []);
  assert.deepEqual(logLines({ log: 'a line' }), []);
  assert.deepEqual(logLines({ log: ['one', 2, 'three'] }), ['one', 'three']);
  const lines = logLines({ log: Array.from({ length: 50_000 }, (_, index) => String(index)) });
  assert.deepEqual([lines.length, lines.at(-1)], [10_000, '49999']);
});
