import assert from 'node:assert/strict';
import { test } from 'node:test';
import { killWhileWriting } from './testing/kills.ts';

/**
 * The numbers of writes before each kill. `npm run soak -- kills` kills ten times as often, after random numbers of
 * writes.
 */
const moments = [60, 5, 120, 1, 30];

test('an engine host that is killed five times under load loses no acknowledged write', async () => {
  let next = 0;
  const report = await killWhileWriting({
    kills: moments.length,
    clusters: 2,
    mostWrites: 120,
    draw: () => moments[next++] ?? 0,
  });
  assert.deepEqual(report.faults, []);
  assert.equal(report.kills, moments.length);
});
