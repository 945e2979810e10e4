import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyDatabase, onEachDatabase } from '@portolan/test-support/databases';
import { settings } from '../store/index.ts';
import type { TaskKind } from './kind.ts';
import { openTasks, until } from './testing.ts';

const LEASE = 9000;
const HOUR = 3_600_000;

/** Returns a kind of task whose second step ends only when the test ends it. */
function held() {
  const runs: { signal: AbortSignal; end: (error?: Error) => void }[] = [];
  const kind: TaskKind<null> = {
    kind: 'held',
    steps: [
      { name: 'first', run: async () => 'done before' },
      {
        name: 'hold',
        run({ signal, results }) {
          assert.equal(results.first, 'done before');
          const { promise, resolve, reject } = Promise.withResolvers<number>();
          const run = runs.push({ signal, end: (error) => (error ? reject(error) : resolve(run)) });
          return promise;
        },
        commit: (tx, _context, result) => settings.write(tx, 'ended', result),
      },
    ],
  };
  return { kind, runs };
}

onEachDatabase('a long step keeps its lease', async (t, database) => {
  const { work, add, rows, advanceLeased, other } = await openTasks(t, database);
  const { kind, runs } = held();
  const worker = await work([kind], { leaseTime: LEASE });
  await work([kind], { leaseTime: LEASE, store: await other() }).then((second) => second.stop());
  await add(kind, { key: 'k', payload: null });
  await until(() => runs.length === 1);
  const leases = new Set<number>();
  await until(async () => {
    await advanceLeased(50, LEASE);
    return leases.add((await rows())[0]?.lease_until ?? 0).size > 9;
  });
  assert.equal(runs[0]?.signal.aborted, false);
  runs[0]?.end();
  await worker.idle();
  assert.deepEqual(await rows(), []);
});

test('the task of a dead instance resumes elsewhere when its lease has expired', async (t) => {
  const { work, add, rows, machine, other, store } = await openTasks(t, await emptyDatabase.postgres(t));
  const { kind, runs } = held();
  // The timers of this worker never fire, so that it does not renew leases, as if its process were suspended.
  const dead = await work([kind], { leaseTime: LEASE, machine: { ...machine, after: () => () => {} } });
  await add(kind, { key: 'k', payload: null });
  await until(() => runs.length === 1);
  const living = await work([kind], { leaseTime: LEASE, store: await other() });
  await living.idle();
  assert.equal(runs.length, 1);
  machine.advance(LEASE);
  await until(() => runs.length === 2);
  // The suspended worker resumes. It no longer has the lease, so its step must have no effect.
  runs[0]?.end();
  await dead.idle();
  assert.equal(await store.read((tx) => settings.read(tx, 'ended')), undefined);
  assert.equal((await rows())[0]?.step, 'hold');
  runs[1]?.end();
  await living.idle();
  assert.equal(await store.read((tx) => settings.read(tx, 'ended')), 2);
});

test('a worker that has lost its lease aborts the step', async (t) => {
  const { work, add, machine, other } = await openTasks(t, await emptyDatabase.postgres(t));
  const { kind, runs } = held();
  const timers: (() => void)[] = [];
  const after = (_: number, run: () => void) => {
    timers.push(run);
    return () => {};
  };
  await work([kind], { leaseTime: LEASE, machine: { ...machine, after } });
  await add(kind, { key: 'k', payload: null });
  await until(() => runs.length === 1);
  await work([kind], { leaseTime: LEASE, store: await other() });
  machine.advance(LEASE);
  await until(() => runs.length === 2);
  for (const timer of timers.splice(0)) timer();
  await until(() => runs[0]?.signal.aborted ?? false);
  assert.match(String(runs[0]?.signal.reason), /lease of the task has expired/);
  for (const run of runs) run.end();
});

test('if there can be no other process, the tasks of a dead one resume at once', async (t) => {
  const { work, add } = await openTasks(t, await emptyDatabase.sqlite(t));
  const { kind, runs } = held();
  await work([kind], { leaseTime: LEASE });
  await add(kind, { key: 'k', payload: null });
  await until(() => runs.length === 1);
  await work([kind], { leaseTime: LEASE });
  await until(() => runs.length === 2);
  for (const run of runs) run.end();
});

onEachDatabase('a stopping worker aborts its steps and releases its tasks', async (t, database) => {
  const { work, add, rows } = await openTasks(t, database);
  const { kind, runs } = held();
  const first = await work([kind], { leaseTime: LEASE });
  await add(kind, { key: 'k', payload: null });
  await until(() => runs.length === 1);
  runs[0]?.signal.addEventListener('abort', () => runs[0]?.end(new Error('cut off')));
  await first.stop();
  const [row] = await rows();
  // The task continues at the interrupted step. No step has failed.
  assert.deepEqual([row?.step, row?.lease, row?.lease_until, row?.attempts], ['hold', null, 0, 0]);
  await work([kind], { leaseTime: LEASE });
  await until(() => runs.length === 2);
  runs[1]?.end();
  await until(async () => (await rows()).length === 0);
});

onEachDatabase('a step that ignores its signal is abandoned after the grace period', async (t, database) => {
  const { work, add, rows, machine } = await openTasks(t, database);
  const { kind, runs } = held();
  const worker = await work([kind], { leaseTime: LEASE, grace: 100 });
  await add(kind, { key: 'k', payload: null });
  await until(() => runs.length === 1);
  const stopped = worker.stop();
  await until(() => runs[0]?.signal.aborted ?? false);
  machine.advance(100);
  await stopped;
  assert.equal((await rows())[0]?.lease, null);
  runs[0]?.end();
});

onEachDatabase('a stopped worker starts nothing', async (t, database) => {
  const { work, add, machine, rows } = await openTasks(t, database);
  const { kind, runs } = held();
  const worker = await work([kind]);
  await worker.stop();
  await add(kind, { key: 'k', payload: null });
  machine.advance(5000);
  await worker.idle();
  assert.deepEqual([runs.length, (await rows()).length], [0, 1]);
});

test('setting the machine clock forward ends no lease, and setting it back delays nothing', async (t) => {
  const { work, add, rows, machine, advanceLeased } = await openTasks(t, await emptyDatabase.sqlite(t));
  const { kind, runs } = held();
  const worker = await work([kind], { leaseTime: LEASE });
  await add(kind, { key: 'k', payload: null });
  await until(() => runs.length === 1);
  machine.setBack(-24 * HOUR);
  for (let steps = 0; steps < 36; ) if (await advanceLeased(500, LEASE)) steps++;
  assert.deepEqual([runs.length, runs[0]?.signal.aborted], [1, false]);
  runs[0]?.end(new Error('not this time'));
  await until(async () => ((await rows())[0]?.retry_at ?? 0) > 0);
  machine.setBack(24 * HOUR);
  await until(() => {
    machine.advance(500);
    return runs.length === 2;
  });
  assert.ok(machine.monotonic() < HOUR);
  runs[1]?.end();
  await worker.idle();
});
