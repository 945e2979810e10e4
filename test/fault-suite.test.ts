import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runFaultSuite } from './support/fault-suite/suite.ts';

/** The seed of all random choices. `npm run soak -- faults` tests other cases in every run, and runs longer. */
const SEED = Number(process.env.TEST_SEED ?? 1852);

/** Time limit of the test. It is long, because the suite has its own limits, and names the step that exceeds one. */
const LIMIT_MS = 1_600_000;

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
