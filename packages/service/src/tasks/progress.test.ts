import assert from 'node:assert/strict';
import { onEachDatabase } from '@portolan/test-support/databases';
import { NotYet, type TaskKind } from './kind.ts';
import { listTasks } from './list.ts';
import type { ReportProgress } from './progress.ts';
import { openTasks, until } from './testing.ts';

const range = { itemsPerPage: 10, pageNum: 1 };
const LEASE = 10_000;

onEachDatabase('stores the progress of a long step, and forgets it with the step', async (t, database) => {
  const { work, add, store, advanceLeased } = await openTasks(t, database);
  const gates = { first: Promise.withResolvers<void>(), second: Promise.withResolvers<void>() };
  const reporting = Promise.withResolvers<ReportProgress>();
  const secondRuns = Promise.withResolvers<void>();
  const kind: TaskKind<object> = {
    kind: 'copy',
    steps: [
      {
        name: 'first',
        run({ progress }) {
          reporting.resolve(progress);
          return gates.first.promise;
        },
      },
      {
        name: 'second',
        run() {
          secondRuns.resolve();
          return gates.second.promise;
        },
      },
    ],
  };
  t.after(() => gates.second.resolve());
  await work([kind], { leaseTime: LEASE });
  await add(kind, { key: 'k', payload: {} });
  const listed = () => store.read(async (tx) => (await listTasks(tx, {}, range)).tasks);
  const report = await reporting.promise;
  report({ unit: 'documents', done: 1 });
  report({ unit: 'documents', done: 2, total: 9 });
  const before = await listed();
  assert.deepEqual(
    before.map(({ kind, state, step, progress }) => [kind, state, step, progress]),
    [['copy', 'RUNNING', undefined, undefined]],
  );
  const passing = async (done: number) => {
    // The report arrives while an earlier report is being written, so the new report is written at the end of the next
    // interval.
    await advanceLeased(1000, LEASE);
    return (await listed())[0]?.progress?.done === done;
  };
  await until(() => passing(2));
  assert.deepEqual((await listed())[0]?.progress, { unit: 'documents', done: 2, total: 9 });
  report({ unit: 'documents', done: 5, total: 9 });
  await until(() => passing(5));
  gates.first.resolve();
  await secondRuns.promise;
  const [after] = await listed();
  assert.deepEqual([after?.step, after?.progress], ['second', undefined]);
});

onEachDatabase('keeps the progress of a step that waits or fails', async (t, database) => {
  const { work, add, store } = await openTasks(t, database);
  const kind = (name: string, error: () => Error): TaskKind<object> => ({
    kind: name,
    attempts: 2,
    backOff: { first: 60_000, greatest: 60_000 },
    steps: [
      {
        name: 'look',
        run({ progress }) {
          progress({ unit: 'bytes', done: 7 });
          return Promise.reject(error());
        },
      },
    ],
  });
  const waits = kind('waits', () => new NotYet(60_000));
  const fails = kind('fails', () => new Error('the disk is full'));
  const worker = await work([waits, fails]);
  await add(waits, { key: 'waits', payload: {} });
  await add(fails, { key: 'fails', payload: {} });
  await worker.idle();
  const { tasks } = await store.read((tx) => listTasks(tx, {}, range));
  assert.deepEqual(
    tasks.map(({ kind, state, failures, error, progress }) => [kind, state, failures, error, progress]),
    [
      ['waits', 'WAITING', 0, undefined, { unit: 'bytes', done: 7 }],
      ['fails', 'WAITING', 1, 'the disk is full', { unit: 'bytes', done: 7 }],
    ],
  );
});

onEachDatabase('lists tasks by kind and failure, with their dates', async (t, database) => {
  const { work, add, store, clock } = await openTasks(t, database);
  const failing: TaskKind<object> = {
    kind: 'failing',
    attempts: 1,
    steps: [{ name: 'fail', run: () => Promise.reject(new Error('no')) }],
  };
  const later: TaskKind<object> = { kind: 'later', steps: [{ name: 'end' }] };
  const worker = await work([failing, later]);
  await add(failing, { key: 'a', payload: {} });
  await worker.idle();
  const runAt = new Date(clock.now().getTime() + 86_400_000);
  await add(later, { key: 'b', payload: {}, runAt });
  const kinds = async (filter: Parameters<typeof listTasks>[1]) =>
    (await store.read((tx) => listTasks(tx, filter, range))).tasks.map(({ kind }) => kind);
  assert.deepEqual(await kinds({}), ['failing', 'later']);
  assert.deepEqual(await kinds({ failed: true }), ['failing']);
  assert.deepEqual(await kinds({ failed: false }), ['later']);
  assert.deepEqual(await kinds({ kind: 'later' }), ['later']);
  const { tasks } = await store.read((tx) => listTasks(tx, { kind: 'later' }, range));
  assert.deepEqual([tasks[0]?.state, tasks[0]?.runAt], ['SCHEDULED', runAt]);
});
