import { parseArgs } from 'node:util';
import { scopeOf } from '../support/service.ts';
import { type UnrestReport, unrest } from '../support/unrest/suite.ts';

/**
 * The fault suite: random changes by many callers while one thing after another goes wrong, round by round on both
 * databases. A round is named by its seed; `--seed` with that and `--minutes 0` repeats it.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '10' },
    troubles: { type: 'string', default: '12' },
    database: { type: 'string' },
  },
});
const end = performance.now() + Number(values.minutes) * 60_000;
const databases = (['SQLite', 'PostgreSQL'] as const).filter(
  (one) => values.database === undefined || one === values.database,
);

function tell(report: UnrestReport): void {
  const { findings, troubles, outcomes, things, moves, generated, documents, transactions, log } = report;
  const { done, refused, unknown } = outcomes;
  console.log(`  ${things} things, ${done} calls done, ${refused} refused, ${unknown} without an answer`);
  console.log(`  ${generated} requests of every family beside, ${moves} moves of states`);
  console.log(`  ${documents} documents written, ${transactions} transactions done`);
  console.log(`  ${report.restores.well} restores went well, ${report.restores.failed} failed`);
  console.log(`  ${troubles.join('; ')}`);
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
        troubles: Number(values.troubles),
        lasting: 40,
        callers: 6,
        strangers: 2,
        restores: true,
      };
      const report = await unrest(scope, { seed, database, ...options });
      tell(report);
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
