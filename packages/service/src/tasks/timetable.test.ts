import assert from 'node:assert/strict';
import { onEachDatabase } from '@portolan/test-support/databases';
import type { TaskKind } from './kind.ts';
import { openTasks, until } from './testing.ts';
import { every, recurring, startTimetable } from './timetable.ts';

const MINUTE = 60_000;
const kind: TaskKind<{ of: string }> = { kind: 'recur', steps: [{ name: 'recur', run: async () => {} }] };
const entry = recurring({ name: 'minutely', kind, payload: { of: 'the clock' }, next: every(MINUTE) });

onEachDatabase('a task is created at each of its times, and not before', async (t, database) => {
  const { store, machine, clock, log, rows } = await openTasks(t, database);
  const timetable = await startTimetable({ store, machine, clock, log, entries: [entry] });
  t.after(() => timetable.stop());
  machine.advance(MINUTE - 1);
  await timetable.idle();
  assert.deepEqual(await rows(), []);
  machine.advance(1);
  await timetable.idle();
  const [row, ...more] = await rows();
  assert.deepEqual(
    [row?.kind, row?.key, row?.payload],
    ['recur', 'timetable:minutely', '{"of":"the clock"}'],
  );
  assert.deepEqual(more, []);
});

onEachDatabase('a run is skipped while the previous one is in progress', async (t, database) => {
  const { store, machine, clock, log, rows, work } = await openTasks(t, database);
  const timetable = await startTimetable({ store, machine, clock, log, entries: [entry] });
  t.after(() => timetable.stop());
  for (let minute = 0; minute < 3; minute++) {
    machine.advance(MINUTE);
    await timetable.idle();
  }
  assert.equal((await rows()).length, 1);
  const worker = await work([kind]);
  await worker.idle();
  assert.equal((await rows()).length, 0);
  machine.advance(MINUTE);
  await timetable.idle();
  await worker.idle();
  await until(async () => (await rows()).length === 0);
});

onEachDatabase('runs missed while no service was running are made up for once', async (t, database) => {
  const { store, machine, clock, log, rows } = await openTasks(t, database);
  const start = () => startTimetable({ store, machine, clock, log, entries: [entry] });
  await (await start()).stop();
  machine.advance(10.5 * MINUTE);
  const again = await start();
  t.after(() => again.stop());
  await again.idle();
  assert.equal((await rows()).length, 1);
});

onEachDatabase('runs follow changes of service time', async (t, database) => {
  const { store, machine, clock, log, rows } = await openTasks(t, database);
  const timetable = await startTimetable({ store, machine, clock, log, entries: [entry] });
  t.after(() => timetable.stop());
  const { at } = { at: clock.now().getTime() + MINUTE };
  clock.set({ at, since: machine.now(), rate: 0 });
  await timetable.idle();
  assert.equal((await rows()).length, 1);
});

onEachDatabase('runs continue from an earlier service time', async (t, database) => {
  const { store, machine, clock, log, rows } = await openTasks(t, database);
  const real = clock.setting();
  clock.set({ at: machine.now() + 1000 * MINUTE, since: machine.now(), rate: 1 });
  const timetable = await startTimetable({ store, machine, clock, log, entries: [entry] });
  t.after(() => timetable.stop());
  await timetable.idle();
  clock.set(real);
  await timetable.idle();
  assert.deepEqual(await rows(), []);
  machine.advance(MINUTE);
  await timetable.idle();
  assert.equal((await rows()).length, 1);
});

onEachDatabase('with two instances each run happens once', async (t, database) => {
  const { store, other, machine, clock, log, rows } = await openTasks(t, database);
  const stores = [store, await other()];
  const timetables = await Promise.all(
    stores.map((store) => startTimetable({ store, machine, clock, log, entries: [entry] })),
  );
  t.after(() => Promise.all(timetables.map((timetable) => timetable.stop())));
  await Promise.all(timetables.map((timetable) => timetable.idle()));
  machine.advance(MINUTE);
  await Promise.all(timetables.map((timetable) => timetable.idle()));
  assert.equal((await rows()).length, 1);
});

onEachDatabase('two entries cannot have the same name', async (t, database) => {
  const { store, machine, clock, log } = await openTasks(t, database);
  await assert.rejects(startTimetable({ store, machine, clock, log, entries: [entry, entry] }), {
    message: 'Two entries of the timetable have the same name',
  });
});
