import assert from 'node:assert/strict';
import { onEachDatabase } from '@portolan/test-support/databases';
import { settings } from '../store/index.ts';
import { enqueue } from './enqueue.ts';
import type { TaskKind } from './kind.ts';
import { openTasks, until } from './testing.ts';

/** Returns a kind of task with one step that appends the payload to `told`. */
const noting = (told: unknown[]): TaskKind<{ name: string }> => ({
  kind: 'note',
  steps: [{ name: 'note', run: async ({ payload }) => void told.push(payload.name) }],
});

onEachDatabase(
  'steps run in order, receive the results of previous ones, and the task is deleted',
  async (t, database) => {
    const { work, add, rows, store } = await openTasks(t, database);
    const events: unknown[] = [];
    const kind: TaskKind<{ size: number }, { factor: number }> = {
      kind: 'multiply',
      steps: [
        {
          name: 'multiply',
          run: async ({ payload, services }) => ({ product: payload.size * services.factor }),
        },
        {
          name: 'store',
          async commit(tx, context, result) {
            events.push(context.key, context.results, result, context.attempt);
            await settings.write(tx, 'product', context.results.multiply);
          },
        },
        {
          name: 'tell',
          run: async () => 'answer',
          commit: async (_tx, _context, result) => void events.push(result),
        },
      ],
    };
    const worker = await work([kind as TaskKind<never, unknown>], { services: { factor: 3 } });
    await add(kind as TaskKind<{ size: number }>, { key: 'k', payload: { size: 7 } });
    await worker.idle();
    assert.deepEqual(events, ['k', { multiply: { product: 21 } }, undefined, 1, 'answer']);
    assert.deepEqual(await store.read((tx) => settings.read(tx, 'product')), { product: 21 });
    assert.deepEqual(await rows(), []);
  },
);

onEachDatabase('a task exists once its transaction commits, and starts by itself', async (t, database) => {
  const { work, store } = await openTasks(t, database);
  const events: unknown[] = [];
  const kind = noting(events);
  await work([kind]);
  const undone = store.write(async (tx) => {
    await enqueue(tx, kind, { key: 'k', payload: { name: 'undone' } });
    throw new Error('undone');
  });
  await assert.rejects(undone);
  await store.write((tx) => enqueue(tx, kind, { key: 'k', payload: { name: 'kept' } }));
  await until(() => events.length > 0);
  assert.deepEqual(events, ['kept']);
});

onEachDatabase('tasks with the same key run one after another in order of creation', async (t, database) => {
  const { work, add } = await openTasks(t, database);
  const events: string[] = [];
  const gates = new Map(['a1', 'a2', 'b1'].map((name) => [name, Promise.withResolvers<void>()]));
  const kind: TaskKind<{ name: string }> = {
    kind: 'gated',
    steps: [
      {
        name: 'wait',
        async run({ payload: { name } }) {
          events.push(`${name} begins`);
          await gates.get(name)?.promise;
          events.push(`${name} ends`);
        },
      },
    ],
  };
  for (const name of ['a1', 'a2', 'b1']) await add(kind, { key: name.slice(0, 1), payload: { name } });
  const worker = await work([kind]);
  await until(() => events.length === 2);
  assert.deepEqual(events.toSorted(), ['a1 begins', 'b1 begins']);
  for (const gate of gates.values()) gate.resolve();
  await worker.idle();
  const ofA = events.filter((line) => line.startsWith('a'));
  assert.deepEqual(ofA, ['a1 begins', 'a1 ends', 'a2 begins', 'a2 ends']);
});

onEachDatabase('the concurrency limit applies', async (t, database) => {
  const { work, add } = await openTasks(t, database);
  let [running, most, done] = [0, 0, 0];
  const kind: TaskKind<null> = {
    kind: 'busy',
    steps: [
      {
        name: 'busy',
        async run() {
          most = Math.max(most, ++running);
          await new Promise((resolve) => setImmediate(resolve));
          running--;
          done++;
        },
      },
    ],
  };
  for (let n = 0; n < 10; n++) await add(kind, { key: `${n}`, payload: null });
  const worker = await work([kind], { concurrency: 3 });
  await worker.idle();
  assert.deepEqual([most, done], [3, 10]);
});

onEachDatabase(
  'a dated task starts when service time reaches its date, even by a change of the clock',
  async (t, database) => {
    const { work, add, clock, machine } = await openTasks(t, database);
    const events: unknown[] = [];
    const kind = noting(events);
    const worker = await work([kind]);
    const inMinutes = (minutes: number) => new Date(clock.now().getTime() + minutes * 60_000);
    await add(kind, { key: 'a', payload: { name: 'ten' }, runAt: inMinutes(10) });
    await add(kind, { key: 'b', payload: { name: 'thirty' }, runAt: inMinutes(30) });
    await worker.idle();
    machine.advance(9 * 60_000);
    await worker.idle();
    assert.deepEqual(events, []);
    machine.advance(60_000);
    await until(() => events.length === 1);
    await worker.idle();
    clock.set({ at: inMinutes(20).getTime(), since: machine.now(), rate: 0 });
    await until(() => events.length === 2);
    assert.deepEqual(events, ['ten', 'thirty']);
  },
);

onEachDatabase('a task for a host runs only where that host is reachable', async (t, database) => {
  const { work, add, machine } = await openTasks(t, database);
  const events: unknown[] = [];
  const kind = noting(events);
  const hosts = ['near'];
  const worker = await work([kind], { hosts: () => hosts });
  await add(kind, { key: 'a', payload: { name: 'far' }, host: 'far' });
  await add(kind, { key: 'b', payload: { name: 'near' }, host: 'near' });
  await add(kind, { key: 'c', payload: { name: 'anywhere' } });
  await worker.idle();
  assert.deepEqual(events.toSorted(), ['anywhere', 'near']);
  hosts.push('far');
  machine.advance(1000);
  await until(() => events.includes('far'));
});

onEachDatabase('a task of an unknown kind is not run', async (t, database) => {
  const { work, add, rows } = await openTasks(t, database);
  const events: unknown[] = [];
  await add({ ...noting(events), kind: 'newer' }, { key: 'k', payload: { name: 'newer' } });
  const worker = await work([noting(events)]);
  await worker.idle();
  assert.deepEqual(events, []);
  assert.deepEqual(
    (await rows()).map(({ kind, failed }) => [kind, failed]),
    [['newer', 0]],
  );
});

onEachDatabase('a task enqueued by another instance is found within a second', async (t, database) => {
  const { work, machine, other } = await openTasks(t, database);
  const events: unknown[] = [];
  const kind = noting(events);
  const worker = await work([kind]);
  await worker.idle();
  const elsewhere = await other();
  await elsewhere.write((tx) => enqueue(tx, kind, { key: 'k', payload: { name: 'from elsewhere' } }));
  machine.advance(1000);
  await until(() => events.length === 1);
});

onEachDatabase('with two instances each task runs once', async (t, database) => {
  const { work, add, other, rows, store } = await openTasks(t, database);
  const kind: TaskKind<{ name: string }> = {
    kind: 'append',
    steps: [
      {
        name: 'append',
        async commit(tx, { payload }) {
          const list = (await settings.read<string[]>(tx, 'list')) ?? [];
          await settings.write(tx, 'list', [...list, payload.name]);
        },
      },
    ],
  };
  const names = Array.from({ length: 20 }, (_, n) => String(n).padStart(2, '0'));
  for (const name of names) await add(kind, { key: `key ${Number(name) % 7}`, payload: { name } });
  const workers = await Promise.all([work([kind]), work([kind], { store: await other() })]);
  await until(async () => {
    for (const worker of workers) await worker.idle();
    return (await rows()).length === 0;
  });
  const list = (await store.read((tx) => settings.read<string[]>(tx, 'list'))) ?? [];
  assert.deepEqual(list.toSorted(), names);
  for (let key = 0; key < 7; key++) {
    const ofKey = list.filter((name) => Number(name) % 7 === key);
    assert.deepEqual(ofKey, ofKey.toSorted());
  }
});

onEachDatabase('kinds and steps need distinct names', async (t, database) => {
  const { work } = await openTasks(t, database);
  await assert.rejects(work([noting([]), noting([])]), { message: 'Two kinds of task have the same name' });
  await assert.rejects(work([{ kind: 'none', steps: [] }]), {
    message: 'The steps of none need distinct names',
  });
});

onEachDatabase('tasks that await external services delay only each other', async (t, database) => {
  const { work, add } = await openTasks(t, database);
  const events: unknown[] = [];
  const answer = Promise.withResolvers<void>();
  let waiting = 0;
  const asking: TaskKind<null> = {
    kind: 'ask',
    awaitsExternalServices: true,
    steps: [
      {
        name: 'ask',
        async run() {
          waiting++;
          await answer.promise;
        },
      },
    ],
  };
  const kind = noting(events);
  const worker = await work([asking, kind], { concurrency: 2 });
  for (let place = 0; place < 10; place++) await add(asking, { key: `ask ${place}`, payload: null });
  await until(() => waiting === 8);
  await add(kind, { key: 'k', payload: { name: 'done' } });
  await until(() => events.length === 1);
  assert.equal(waiting, 8);
  answer.resolve();
  await worker.idle();
  assert.equal(waiting, 10);
});

onEachDatabase('unlessWaiting reuses a waiting task, but not one that has started', async (t, database) => {
  const { work, store, rows } = await openTasks(t, database);
  const events: unknown[] = [];
  const begun = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const kind: TaskKind<{ name: string }> = {
    kind: 'note',
    steps: [
      {
        name: 'note',
        async run({ payload }) {
          events.push(payload.name);
          begun.resolve();
          await over.promise;
        },
      },
    ],
  };
  const ask = (name: string, key = 'k') =>
    store.write((tx) => enqueue(tx, kind, { key, payload: { name }, unlessWaiting: true }));
  const first = await ask('first');
  assert.equal(await ask('the same'), first);
  await ask('of another line', 'other');
  assert.equal((await rows()).length, 2);
  const worker = await work([kind as TaskKind<never, unknown>]);
  await begun.promise;
  await until(() => events.length === 2);
  assert.notEqual(await ask('later'), first);
  over.resolve();
  await worker.idle();
  assert.deepEqual(events, ['first', 'of another line', 'later']);
});

onEachDatabase('the tasks of one owner leave places for the tasks of others', async (t, database) => {
  const { work, add } = await openTasks(t, database);
  const begun: string[] = [];
  const gate = Promise.withResolvers<void>();
  const kind: TaskKind<{ name: string }> = {
    kind: 'slow',
    awaitsExternalServices: true,
    steps: [
      {
        name: 'wait',
        async run({ payload: { name } }) {
          begun.push(name);
          await gate.promise;
        },
      },
    ],
  };
  const many = Array.from({ length: 20 }, (_, number) => `a${number}`);
  for (const name of many) await add(kind, { key: name, owner: 'a', payload: { name } });
  for (const name of ['b0', 'b1']) await add(kind, { key: name, owner: 'b', payload: { name } });
  await add(kind, { key: 'c', payload: { name: 'without an owner' } });
  // There are eight places, since the tasks wait for an external service.
  const worker = await work([kind], { concurrency: 2 });
  await until(() => begun.includes('without an owner'));
  assert.deepEqual(begun, [...many.slice(0, 4), 'b0', 'b1', 'without an owner']);
  gate.resolve();
  await worker.idle();
  assert.equal(begun.length, 23);
});
