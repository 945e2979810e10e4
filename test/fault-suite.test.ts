import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { runFaultSuite } from './support/fault-suite/suite.ts';

/** A new seed for each run, so that every run tests other cases. `npm run soak -- faults` runs longer. */
const SEED = Number(process.env.TEST_SEED ?? randomInt(2 ** 32));

/** Limit on a quiet machine. The suite itself has limits for long steps, and names the step that exceeds its limit. */
const LIMIT_MS = 300_000;

test(`acknowledged changes survive random faults (seed ${SEED})`, { timeout: LIMIT_MS }, async (t) => {
  t.diagnostic(`fault suite: seed ${SEED}`);
  const report = await runFaultSuite(t, {
    seed: SEED,
    database: 'SQLite',
    faults: 2,
    callsPerFault: 10,
    callers: 3,
    generatedCallers: 0,
    restores: false,
  });
  assert.deepEqual(report.findings, [], `seed ${SEED}: ${report.faults.join('; ')}\n${report.log}`);
  assert.ok(report.outcomes.done > 0);
  assert.ok(report.documents > 0 && report.transactions > 0 && report.transitions > 0);
});
