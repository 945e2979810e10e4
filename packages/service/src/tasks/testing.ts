import type { TestContext } from 'node:test';
import { setTimeout, setImmediate as turn } from 'node:timers/promises';
import { serviceClock } from '@portolan/foundation/clock';
import { silentLog } from '@portolan/foundation/log';
import { systemRandom } from '@portolan/foundation/random';
import { testClock } from '@portolan/foundation/testing';
import type { DatabaseLocation } from '../store/index.ts';
import { openTestStore } from '../store/testing.ts';
import { type EnqueueOptions, enqueue } from './enqueue.ts';
import type { TaskKind } from './kind.ts';
import { taskMigrations } from './migrations.ts';
import type { TaskRow, TaskTables } from './rows.ts';
import { startWorker, type WorkerOptions } from './worker.ts';

/** Fixtures for the tests of this folder: a store with tasks, and test clocks. */
export async function openTasks(t: TestContext, database: DatabaseLocation) {
  const machine = testClock();
  const clock = serviceClock(machine);
  const open = () => openTestStore(t, database, { machine, clock, migrations: taskMigrations });
  const store = await open();
  const parts = { clock, machine, random: systemRandom(), log: silentLog() };
  const leaseNow = store.capabilities.shared ? machine.now : machine.monotonic;
  const rows = (): Promise<TaskRow[]> =>
    store.read((tx) => tx.from<TaskTables>().selectFrom('task').selectAll().orderBy('id').execute());

  return {
    ...parts,
    store,
    /** Opens another instance on the same database, if several instances can share the database. */
    other: () => (store.capabilities.shared ? open() : Promise.resolve(store)),
    async work(kinds: readonly TaskKind<never, unknown>[], options: Partial<WorkerOptions<unknown>> = {}) {
      const worker = await startWorker<unknown>({ ...parts, store, services: undefined, kinds, ...options });
      t.after(() => worker.stop());
      return worker;
    },
    add: <P>(kind: TaskKind<P>, task: EnqueueOptions<P>) => store.write((tx) => enqueue(tx, kind, task)),
    rows,
    /**
     * Advances the clock, unless half of the lease of the first task is over. A renewal begins when two thirds of the
     * lease are left, and takes long on a busy machine. Returns whether the clock was advanced.
     */
    async advanceLeased(ms: number, leaseTime: number): Promise<boolean> {
      // Without a turn of the event loop, writes of SQLite would never run.
      await turn();
      const until = (await rows())[0]?.lease_until ?? 0;
      if (until - leaseNow() <= leaseTime / 2) return false;
      machine.advance(ms);
      return true;
    },
  };
}

/** How long a test waits for a condition, in milliseconds. This is less than the timeout of a test. */
const LIMIT_MS = 360_000;
/** Number of event-loop turns between polls. Polling the database at every turn would occupy a whole processor. */
const TURNS = 20;

/** Waits until a condition holds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const limit = performance.now() + LIMIT_MS;
  for (let asked = 1; !(await holds()); asked++) {
    if (performance.now() > limit) throw new Error(`The condition did not hold within ${LIMIT_MS / 1000} s`);
    await (asked < TURNS ? turn() : setTimeout(1));
  }
}
