import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { unrest } from './support/unrest/suite.ts';

/** Another one each time, so that every run looks somewhere else. `npm run soak -- faults` looks for longer. */
const SEED = Number(process.env.TEST_SEED ?? randomInt(2 ** 32));

/** Seconds where nothing else is done. It waits itself for what takes long, and tells what that was. */
const LIMIT_MS = 150_000;

test(`what was acknowledged stands, whatever goes wrong (seed ${SEED})`, { timeout: LIMIT_MS }, async (t) => {
  t.diagnostic(`fault suite: seed ${SEED}`);
  const report = await unrest(t, {
    seed: SEED,
    database: 'SQLite',
    troubles: 2,
    lasting: 10,
    callers: 3,
    strangers: 0,
    restores: false,
  });
  assert.deepEqual(report.findings, [], `seed ${SEED}: ${report.troubles.join('; ')}\n${report.log}`);
  assert.ok(report.outcomes.done > 0);
  assert.ok(report.documents > 0 && report.transactions > 0 && report.moves > 0);
});
