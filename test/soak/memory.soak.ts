import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { heavyLanes, lanes, openGround } from '../support/mixed-load/lanes.ts';
import { startLoad } from '../support/mixed-load/mixed-load.ts';
import { growthOfSecondHalf, type Sample } from '../support/mixed-load/plateau.ts';
import { residentMegabytes } from '../support/process-memory.ts';
import { scopeOf } from '../support/service.ts';
import { openSetup } from '../support/setups.ts';
import { newProject } from '../support/stage.ts';

/**
 * Drivers and callers make a mixed load: they create and delete clusters, take and restore snapshots, and save states.
 * The memory of the service and of its engine host must stop growing, and must be released when the load ends.
 */
const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, minutes: { type: 'string', default: '10' } },
});
const SAMPLE_MS = 1_000;
/**
 * By how many megabytes the memory may grow in the second half of the run. This much garbage accumulates between two
 * collections.
 */
const MAX_GROWTH = 60;
/** How long to wait before memory is measured without load. An idle thread releases memory after 30 to 60 s. */
const REST_MS = 90_000;
/** How much more memory a process may have after the load than before it, in megabytes. */
const MAX_KEPT = { service: 90, host: 130 };

const undo: (() => unknown)[] = [];
const scope = scopeOf({ after: (run) => void undo.push(run) });
const problems: string[] = [];
try {
  const setup = await openSetup(scope, 'SQLite, one instance');
  const [service] = setup.instances;
  if (service === undefined) throw new Error('there is no service');
  const ground = await openGround(setup, await newProject(setup));
  scope.after(() => ground.driver.close());
  const pids = { service: service.pid, host: service.hostPid() };
  const before = { service: residentMegabytes(pids.service), host: residentMegabytes(pids.host) };
  const samples: Record<keyof typeof pids, Sample[]> = { service: [], host: [] };
  const load = startLoad(ground, { ...lanes, ...heavyLanes });
  const start = performance.now();
  const end = start + Number(values.minutes) * 60_000;
  while (performance.now() < end) {
    await setTimeout(SAMPLE_MS);
    const second = (performance.now() - start) / 1000;
    for (const name of ['service', 'host'] as const)
      samples[name].push([second, residentMegabytes(pids[name])]);
  }
  await load.end();
  await setTimeout(REST_MS);
  for (const name of ['service', 'host'] as const) {
    const [growth, rest] = [growthOfSecondHalf(samples[name]), residentMegabytes(pids[name])];
    const most = Math.max(...samples[name].map(([, size]) => size));
    const figures = [before[name], most, growth, rest].map(Math.round);
    console.log(
      `${name}: ${figures[0]} MB before, at most ${figures[1]}, growth ${figures[2]}, at rest ${figures[3]}`,
    );
    if (growth > MAX_GROWTH) problems.push(`the ${name} grows by ${figures[2]} MB in the second half`);
    if (rest > before[name] + MAX_KEPT[name]) problems.push(`the ${name} keeps ${figures[3]} MB at rest`);
  }
  if (service.hostPid() !== pids.host || !service.isRunning()) problems.push('a process has restarted');
  for (const [name, { times, errors }] of Object.entries(load.reports)) {
    console.log(`${name}: ${times.length} turns`);
    const kinds = [...new Set(errors)].slice(0, 3).join('; ');
    if (errors.length > 0) problems.push(`${name}: ${errors.length} errors, such as ${kinds}`);
  }
} finally {
  for (const run of undo) await run();
}
for (const problem of problems) console.log(`FOUND ${problem}`);
process.exitCode = problems.length === 0 ? 0 : 1;
