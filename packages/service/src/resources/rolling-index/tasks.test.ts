import assert from 'node:assert/strict';
import { silentLog } from '@portolan/foundation/log';
import { testClock } from '@portolan/foundation/testing';
import { onEachDatabase } from '@portolan/test-support/databases';
import type { TaskContext, TaskProgress } from '../../tasks/index.ts';
import { makeCluster, openClusters } from '../clusters/testing.ts';
import type { Services } from '../services.ts';
import type { IndexWork } from './changes.ts';
import { buildIndex } from './tasks.ts';

type Command = Readonly<Record<string, unknown>>;

onEachDatabase('a build reports how many documents it has read', async (t, database) => {
  const { store, groupId } = await openClusters(t, database);
  const { id: clusterId } = await store.write((tx) => makeCluster(tx, groupId));
  const machine = testClock(Date.UTC(2025, 3, 1));
  const built = Promise.withResolvers<Command>();
  const looks = [
    () => Promise.reject(new Error('not now')),
    async () => ({ ok: 1, inprog: [] }),
    async () => ({ ok: 1, inprog: [{ progress: { done: 3, total: 9 } }] }),
  ];
  const asked: Command[] = [];
  const engine = {
    run(_: string, command: Command) {
      if ('createIndexes' in command) return built.promise;
      asked.push(command);
      return looks.shift()?.() ?? assert.fail();
    },
  };
  const reports: TaskProgress[] = [];
  const context = {
    ...{ store, services: { engines: { at: () => engine }, machine }, log: silentLog() },
    payload: { clusterId, index: { db: 'harbour', collection: 'ports', keys: [{ name: '1' }] } },
    progress: (report: TaskProgress) => void reports.push(report),
  } as unknown as TaskContext<Services, IndexWork>;
  const running = buildIndex.steps[0]?.run?.(context);
  // Query the progress several times. Each query must have ended before the test advances the time for the next query.
  while (looks.length > 0) {
    machine.advance(1000);
    await new Promise(setImmediate);
  }
  built.resolve({ ok: 1 });
  assert.deepEqual(await running, {});
  assert.deepEqual(reports, [{ unit: 'documents', done: 3, total: 9 }]);
  assert.deepEqual(asked[0], {
    ...{ currentOp: 1, $db: 'admin', ns: 'harbour.ports' },
    ...{ 'command.createIndexes': 'ports', progress: { $exists: true } },
  });
});

onEachDatabase('a build that a restart interrupts runs again', async (t, database) => {
  const { store, groupId } = await openClusters(t, database);
  const { id: clusterId } = await store.write((tx) => makeCluster(tx, groupId));
  const machine = testClock(Date.UTC(2025, 3, 1));
  const build = (reply: Command) => {
    const engine = { run: async () => reply };
    const index = { db: 'harbour', collection: 'ports', keys: [{ name: '1' }] };
    const services = { engines: { at: () => engine }, machine };
    const context = { store, services, log: silentLog(), payload: { clusterId, index } };
    return buildIndex.steps[0]?.run?.(context as unknown as TaskContext<Services, IndexWork>);
  };
  await assert.rejects(async () => build({ ok: 0, code: 11_600, errmsg: 'shutdown' }), {
    message: 'shutdown',
  });
  assert.deepEqual(await build({ ok: 0, code: 85, errmsg: 'other options' }), { error: 'other options' });
});
