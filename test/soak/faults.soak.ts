import { parseArgs } from 'node:util';
import { type FaultSuiteReport, runFaultSuite } from '../support/fault-suite/suite.ts';
import { scopeOf } from '../support/service.ts';

/**
 * The fault suite: callers make random changes while faults occur, in rounds on both databases. Each round has a seed.
 * To repeat a round, pass its seed with `--seed`, and `--minutes 0`.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '10' },
    faults: { type: 'string', default: '12' },
    database: { type: 'string' },
  },
});
const end = performance.now() + Number(values.minutes) * 60_000;
const databases = (['SQLite', 'PostgreSQL'] as const).filter(
  (one) => values.database === undefined || one === values.database,
);

function print(report: FaultSuiteReport): void {
  const { findings, faults, outcomes, resources, transitions, generated, documents, transactions, log } =
    report;
  const { done, rejected, unknown } = outcomes;
  console.log(
    `  ${resources} resources, ${done} calls succeeded, ${rejected} rejected, ${unknown} without a response`,
  );
  console.log(`  ${generated} generated requests, ${transitions} state transitions`);
  console.log(`  ${documents} documents written, ${transactions} transactions committed`);
  console.log(`  ${report.restores.succeeded} restores succeeded, ${report.restores.failed} failed`);
  console.log(`  ${faults.join('; ')}`);
  for (const finding of findings) console.log(`  FOUND ${finding}`);
  if (findings.length > 0) console.log(log);
}

let [rounds, failed] = [0, 0];
for (let seed = Number(values.seed) >>> 0; rounds === 0 || performance.now() < end; seed++) {
  for (const database of databases) {
    rounds++;
    console.log(`${database}, seed ${seed}`);
    const undo: (() => unknown)[] = [];
    try {
      const scope = scopeOf({ after: (run) => void undo.push(run) });
      const options = {
        faults: Number(values.faults),
        callsPerFault: 40,
        callers: 6,
        generatedCallers: 2,
        restores: true,
      };
      const report = await runFaultSuite(scope, { seed, database, ...options });
      print(report);
      if (report.findings.length > 0) failed++;
    } catch (error) {
      failed++;
      console.log(error);
    }
    for (const run of undo) await run();
  }
}
console.log(`${rounds} rounds, ${failed} with findings`);
process.exitCode = failed === 0 ? 0 : 1;
