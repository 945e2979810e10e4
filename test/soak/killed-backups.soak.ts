import { parseArgs } from 'node:util';
import { startClouds } from '../support/clouds.ts';
import { type Role, withCrashes } from '../support/crashes.ts';
import { backupWorks, KilledBackups, type Work } from '../support/killed-backups.ts';
import { dice } from '../support/random.ts';
import { scopeOf, temporaryFolder } from '../support/service.ts';
import { openSetup } from '../support/setups.ts';

/**
 * Kills the service or the engine host at a random step of each kind of backup work. `--work`, `--role` and `--at`
 * repeat a case.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '10' },
    work: { type: 'string', multiple: true, default: [...backupWorks] },
    role: { type: 'string', multiple: true, default: ['service', 'host'] },
    at: { type: 'string' },
  },
});
const end = performance.now() + Number(values.minutes) * 60_000;
const chance = dice(Number(values.seed));
const undo: (() => unknown)[] = [];
const scope = scopeOf({ after: (run) => void undo.push(run) });
const clouds = await startClouds();
scope.after(() => clouds.stop());
const folder = await temporaryFolder(scope);
const environment = { ...clouds.options.environment, ...withCrashes(folder) };
const setup = await openSetup(scope, 'SQLite, one instance', {
  settings: clouds.options.settings ?? {},
  environment,
  expectedErrors: /./,
});
const backups = await KilledBackups.begin(setup, clouds.google, folder);
scope.after(() => backups.close());
/** How many steps each kind of work has without a crash. */
const lengths = new Map<string, number>();
let [rounds, deaths] = [0, 0];
try {
  while (performance.now() < end) {
    for (const work of values.work as Work[]) {
      for (const role of values.role as Role[]) {
        const most = lengths.get(`${work} ${role}`);
        if (most === 0) continue;
        const drawn = most === undefined ? Number.MAX_SAFE_INTEGER : 1 + chance.below(most);
        const at = values.at === undefined ? drawn : Number(values.at);
        const { steps, crashed: died } = await backups.round(work, { role, at });
        if (most === undefined) lengths.set(`${work} ${role}`, steps.length);
        rounds++;
        if (died) deaths++;
        console.log(`${work} ${role} ${steps.length} of ${most ?? '?'}: ${steps.at(-1)}`);
      }
    }
  }
} catch (error) {
  console.log(error);
  console.log(setup.instances[0]?.log().split('\n').slice(-30).join('\n'));
  process.exitCode = 1;
}
console.log(`${rounds} rounds, ${deaths} deaths`);
for (const run of undo) await run();
