import assert from 'node:assert/strict';
import { onEachDatabase } from '@portolan/test-support/databases';
import { settings } from '../store/index.ts';
import { NotYet, PermanentFailure, type TaskKind } from './kind.ts';
import { openTasks, until } from './testing.ts';

/** Returns a kind of task whose step throws the given values one after another, and then succeeds. */
function throwing(thrown: unknown[], more: Partial<TaskKind<null>> = {}) {
  const attempts: number[] = [];
  const kind: TaskKind<null> = {
    kind: 'throwing',
    steps: [
      { name: 'before', run: async () => 'kept' },
      {
        name: 'throw',
        async run({ attempt }) {
          attempts.push(attempt);
          if (thrown.length > 0) throw thrown.shift();
        },
      },
    ],
    ...more,
  };
  return { kind, attempts };
}

onEachDatabase(
  'a failing step is retried with growing pauses, keeps its error, and then succeeds',
  async (t, database) => {
    const { work, add, rows, machine, store } = await openTasks(t, database);
    const { kind, attempts } = throwing([new Error('first'), new Error('second')]);
    const worker = await work([kind]);
    await add(kind, { key: 'k', payload: null });
    await worker.idle();
    const [failed] = await rows();
    assert.deepEqual(
      [failed?.step, failed?.error, failed?.attempts, failed?.lease],
      ['throw', 'first', 1, null],
    );
    const now = store.capabilities.shared ? machine.now : machine.monotonic;
    const rest = (failed?.retry_at ?? 0) - now();
    assert.ok(rest >= 50 && rest <= 100, `${rest} ms`);
    machine.advance(rest - 1);
    await worker.idle();
    assert.deepEqual(attempts, [1]);
    machine.advance(1);
    await until(() => attempts.length === 2);
    await worker.idle();
    const [again] = await rows();
    const longer = (again?.retry_at ?? 0) - now();
    assert.ok(again?.error === 'second' && longer >= 100 && longer <= 200, `${longer} ms`);
    machine.advance(longer);
    await until(async () => (await rows()).length === 0);
    assert.deepEqual(attempts, [1, 2, 3]);
  },
);

onEachDatabase(
  'a task fails permanently after too many attempts, and the next one starts',
  async (t, database) => {
    const onFailed: TaskKind<null>['onFailed'] = async (tx, { id }, error) => {
      await settings.write(tx, 'failed', [id, error.message]);
    };
    const { work, add, rows, machine, store } = await openTasks(t, database);
    const { kind, attempts } = throwing([new Error('a'), new Error('b')], { attempts: 2, onFailed });
    const worker = await work([kind]);
    const id = await add(kind, { key: 'k', payload: null });
    await add(kind, { key: 'k', payload: null });
    await worker.idle();
    machine.advance(1000);
    await until(async () => (await rows()).length === 1);
    await worker.idle();
    assert.deepEqual(attempts, [1, 2, 1]);
    assert.deepEqual(await store.read((tx) => settings.read(tx, 'failed')), [id, 'b']);
    assert.deepEqual(
      (await rows()).map((row) => [row.id, row.failed, row.error, row.lease]),
      [[id, 1, 'b', null]],
    );
  },
);

onEachDatabase('a permanent failure is not retried', async (t, database) => {
  const { work, add, rows } = await openTasks(t, database);
  const { kind, attempts } = throwing([new PermanentFailure('hopeless')]);
  const worker = await work([kind]);
  await add(kind, { key: 'k', payload: null });
  await worker.idle();
  assert.deepEqual(attempts, [1]);
  assert.deepEqual(
    (await rows()).map(({ failed, error }) => [failed, error]),
    [[1, 'hopeless']],
  );
});

onEachDatabase('a task is retried if its failure cannot be recorded', async (t, database) => {
  let calls = 0;
  const onFailed = async () => {
    if (++calls === 1) throw new Error('nobody listens');
  };
  const { work, add, rows, machine } = await openTasks(t, database);
  const { kind } = throwing([new PermanentFailure('one'), new PermanentFailure('two')], { onFailed });
  const worker = await work([kind]);
  await add(kind, { key: 'k', payload: null });
  await worker.idle();
  assert.deepEqual(
    (await rows()).map(({ failed, error }) => [failed, error]),
    [[0, 'nobody listens']],
  );
  machine.advance(1000);
  await until(async () => (await rows())[0]?.failed === 1);
  assert.equal(calls, 2);
});

onEachDatabase('a step that waits runs again after its pause, without a failure', async (t, database) => {
  const { work, add, rows, machine } = await openTasks(t, database);
  const { kind, attempts } = throwing([new NotYet(5000), new NotYet(5000)], { attempts: 1 });
  const worker = await work([kind]);
  await add(kind, { key: 'k', payload: null });
  await worker.idle();
  machine.advance(4999);
  await worker.idle();
  assert.deepEqual(attempts, [1]);
  machine.advance(1);
  await until(() => attempts.length === 2);
  await worker.idle();
  assert.deepEqual(
    (await rows()).map(({ failed, error, attempts }) => [failed, error, attempts]),
    [[0, null, 0]],
  );
  machine.advance(5000);
  await until(async () => (await rows()).length === 0);
});

onEachDatabase('a step whose commit fails is rolled back and runs again', async (t, database) => {
  let runs = 0;
  const kind: TaskKind<null> = {
    kind: 'half',
    steps: [
      {
        name: 'half',
        run: async () => ++runs,
        async commit(tx, _context, result) {
          await settings.write(tx, `run ${result}`, true);
          if (result === 1) throw new Error('after the change');
        },
      },
    ],
  };
  const { work, add, rows, store, machine } = await openTasks(t, database);
  const worker = await work([kind]);
  await add(kind, { key: 'k', payload: null });
  await worker.idle();
  machine.advance(1000);
  await until(async () => (await rows()).length === 0);
  const kept = await store.read(async (tx) => [
    await settings.read(tx, 'run 1'),
    await settings.read(tx, 'run 2'),
  ]);
  assert.deepEqual(kept, [undefined, true]);
});

onEachDatabase('a task whose step no longer exists fails with a reason', async (t, database) => {
  const { work, add, rows, store } = await openTasks(t, database);
  const { kind } = throwing([]);
  const { id } = { id: await add(kind, { key: 'k', payload: null }) };
  const tables = (tx: Parameters<Parameters<typeof store.write>[0]>[0]) =>
    tx.from<{ task: { step: string } }>();
  await store.write((tx) => tables(tx).updateTable('task').set({ step: 'gone' }).execute());
  const worker = await work([kind]);
  await worker.idle();
  assert.deepEqual(
    (await rows()).map((row) => [row.id, row.failed, row.error]),
    [[id, 1, 'throwing has no step "gone"']],
  );
});
