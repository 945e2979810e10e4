import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { allowAccess, driverFor } from '../support/drivers.ts';
import { expectStatus } from '../support/expect.ts';
import { hostLog } from '../support/mixed-load/host-log.ts';
import { type Figures, measured, percentile } from '../support/mixed-load/measured.ts';
import { growthOfSecondHalf, type Sample } from '../support/mixed-load/plateau.ts';
import { residentMegabytes } from '../support/process-memory.ts';
import { scopeOf } from '../support/service.ts';
import { openSetup, type Setup } from '../support/setups.ts';
import { idle, newCluster, newProject } from '../support/stage.ts';
import type { Orders, Outcomes } from '../support/torture/torturer.ts';

/**
 * One tenant runs statements that would occupy a thread or all memory if nothing limited them; other tenants behave
 * well. The statements of the others must stay fast, no process may restart, no query thread may end, and memory must
 * not grow.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '10' },
  },
});
/** Number of tenants that behave well. One of them shares its query thread with the misbehaving tenant. */
const NEIGHBOURS = 3;
const TORTURER = join(import.meta.dirname, '../support/torture/torturer.ts');
/**
 * Latencies below this are fast in any case. Other statements hold the thread for at most 10 ms, and some of them may be
 * queued before a statement.
 */
const QUICK_MS = 30;
const MAX_RATIO = 3;
const MAX_GROWTH = 80;

const undo: (() => unknown)[] = [];
const scope = scopeOf({ after: (run) => void undo.push(run) });
const problems: string[] = [];

async function neighboursOf(setup: Setup): Promise<Record<string, () => Promise<unknown>>> {
  const project = await newProject(setup);
  const operations: Record<string, () => Promise<unknown>> = {
    'GET of a cluster': async () =>
      expectStatus(await setup.account.get(`${project}/clusters/neighbour-0`), 200),
  };
  for (let i = 0; i < NEIGHBOURS; i++) {
    const cluster = await newCluster(setup, project, `neighbour-${i}`);
    if (i === 0) await allowAccess(setup, project, cluster);
    const driver = await driverFor(setup, cluster);
    scope.after(() => driver.close());
    const things = driver.db('quiet').collection<{ _id: number; n: number }>('things');
    await things.insertMany(Array.from({ length: 1_000 }, (_, _id) => ({ _id, n: _id })));
    let turn = 0;
    operations[`findOne of neighbour ${i}`] = () => things.findOne({ _id: turn++ % 1_000 });
    operations[`updateOne of neighbour ${i}`] = () =>
      things.updateOne({ _id: turn++ % 1_000 }, { $inc: { n: 1 } });
  }
  return operations;
}

function compare(quiet: Figures, beside: Figures): void {
  for (const [name, times] of Object.entries(beside)) {
    const [before, after] = [percentile(quiet[name] ?? [], 0.99), percentile(times, 0.99)];
    const most = Math.max(...times);
    console.log(
      `${name}: p99 ${before.toFixed(1)} → ${after.toFixed(1)} ms, most ${most.toFixed(0)} (${times.length})`,
    );
    if (after > Math.max(MAX_RATIO * before, QUICK_MS)) problems.push(`${name} takes ${after.toFixed(0)} ms`);
  }
}

try {
  const setup = await openSetup(scope, 'SQLite, one instance');
  const [service] = setup.instances;
  if (service === undefined) throw new Error('there is no service');
  const project = await newProject(setup);
  const cluster = await newCluster(setup, project, 'torturer');
  await allowAccess(setup, project, cluster);
  const operations = await neighboursOf(setup);
  const milliseconds = Number(values.minutes) * 60_000;
  const { connectionStrings } = await idle(setup.owner, cluster);
  // Another session, because Linux shares the processors among sessions first, and then among the threads of each.
  const torturer = fork(TORTURER, { detached: true, execArgv: [...process.execArgv, '--v8-pool-size=0'] });
  scope.after(() => torturer.kill());
  torturer.send({ connectionString: connectionStrings.standard ?? '', milliseconds } satisfies Orders);
  await once(torturer, 'message');
  const quiet = await measured(operations, () => setTimeout(milliseconds / 6));
  const pids = { service: service.pid, host: service.hostPid() };
  const samples: Record<keyof typeof pids, Sample[]> = { service: [], host: [] };
  const start = performance.now();
  let outcomes: Outcomes | undefined;
  const beside = await measured(operations, async () => {
    torturer.once('message', (message) => {
      outcomes = message as Outcomes;
    });
    torturer.send('start');
    while (outcomes === undefined) {
      if (torturer.exitCode !== null) throw new Error(`the torturer ended with code ${torturer.exitCode}`);
      await setTimeout(1_000);
      for (const name of ['service', 'host'] as const)
        samples[name].push([(performance.now() - start) / 1_000, residentMegabytes(pids[name])]);
    }
  });
  for (const [name, own] of Object.entries(outcomes ?? {}))
    console.log(
      `${name}: ${Object.entries(own)
        .map(([how, ms]) => `${how} ${ms.toFixed(0)} ms`)
        .join(', ')}`,
    );
  compare(quiet, beside);
  for (const name of ['service', 'host'] as const) {
    const growth = growthOfSecondHalf(samples[name]);
    const most = Math.max(...samples[name].map(([, size]) => size));
    console.log(`${name}: at most ${most.toFixed(0)} MB, growth ${growth.toFixed(0)}`);
    if (growth > MAX_GROWTH) problems.push(`the ${name} grows by ${growth.toFixed(0)} MB in the second half`);
  }
  if (service.hostPid() !== pids.host || !service.isRunning()) problems.push('a process has restarted');
  for (const { message, reason } of hostLog(service))
    if (message === 'query thread ended') problems.push(`a query thread ended: ${reason}`);
} finally {
  for (const run of undo) await run();
}
for (const problem of problems) console.log(`FOUND ${problem}`);
process.exitCode = problems.length === 0 ? 0 : 1;
