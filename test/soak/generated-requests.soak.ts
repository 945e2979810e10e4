import { parseArgs } from 'node:util';
import { documentsOf, runGenerated } from '../support/generated/run.ts';
import { scopeOf } from '../support/service.ts';
import { openSetup, type SetupKind } from '../support/setups.ts';

/**
 * Sends requests that are generated from the OpenAPI documents, on both databases. Every response must match the
 * documents.
 */
const REQUESTS = 100_000;
const kinds: readonly SetupKind[] = ['SQLite, one instance', 'PostgreSQL, two instances'];

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '10' },
    requests: { type: 'string', default: String(REQUESTS) },
    database: { type: 'string', default: '' },
    refused: { type: 'boolean', default: false },
  },
});
const chosen = kinds.filter((kind) => kind.includes(values.database));
const undo: (() => unknown)[] = [];
const scope = scopeOf({ after: (run) => void undo.push(run) });
let findings = 0;
for (const kind of chosen) {
  const end = performance.now() + (Number(values.minutes) * 60_000) / chosen.length;
  const setup = await openSetup(scope, kind);
  const report = await runGenerated({
    setup,
    documents: await documentsOf(setup),
    seed: Number(values.seed) >>> 0,
    requests: Number(values.requests),
    shouldContinue: () => performance.now() < end,
  });
  const statuses = [...report.statuses].sort(([a], [b]) => a - b).map((pair) => pair.join(': '));
  console.log(`${kind}: ${report.sent} requests, ${report.succeeded.size} operations went well`);
  console.log(`  ${statuses.join(', ')}`);
  const refused = [...report.refused].sort(([, a], [, b]) => b.count - a.count);
  for (const [key, { count, example }] of values.refused ? refused : [])
    console.log(`  ${count} ${key}\n    ${example}`);
  for (const finding of report.findings) console.log(`  ${finding}`);
  findings += report.findings.length;
}
for (const run of undo) await run();
process.exitCode = findings === 0 ? 0 : 1;
