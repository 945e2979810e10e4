import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allowAccess, driverFor, LONG_TIMEOUTS } from './support/drivers.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { keepLogbook } from './support/logbook.ts';
import { own } from './support/setups.ts';
import { idle, newCluster, newProject, type ProjectDocument, uniqueName } from './support/stage.ts';

own.onEachSetup('stopped services', (setup) => {
  test('finish requests in progress, exit cleanly, and keep acknowledged writes', async () => {
    const { orgId } = setup.bootstrap;
    const made: string[] = [];
    let stopping = false;
    const caller = async () => {
      while (!stopping) {
        const name = uniqueName('load');
        const reply = await setup.account.post('/groups', { name, orgId }).catch(() => undefined);
        if (reply === undefined) return;
        if (reply.status === 503) return expectFault(reply, 503, 'SERVICE_UNAVAILABLE');
        made.push(expectStatus<ProjectDocument>(reply, 200).name);
      }
    };
    const callers = Promise.all(Array.from({ length: 16 }, caller));
    await until(
      'some load',
      async () => made.length,
      (count) => count > 40,
    );
    await setup.stop();
    stopping = true;
    await callers;
    await setup.start();
    for (const name of made) expectStatus(await setup.account.get(`/groups/byName/${name}`), 200);
  });
});

own.onSetup(
  'SQLite, one instance',
  'clusters during a restart',
  (setup) => {
    test('drivers are not affected by a restart of the service', async (t) => {
      const project = await newProject(setup);
      const cluster = await newCluster(setup, project, 'kept');
      await allowAccess(setup, project, cluster);
      const driver = await driverFor(setup, cluster, LONG_TIMEOUTS);
      t.after(() => driver.close());
      const logbook = keepLogbook(t, driver);
      const [instance] = setup.instances;
      const host = instance?.hostPid();
      await setup.stop();
      await setup.start();
      await idle(setup.account, cluster);
      assert.equal(setup.instances[0]?.hostPid(), host);
      assert.ok((await logbook.close()) > 0);
      assert.deepEqual(logbook.errors, []);
    });
  },
  { settings: { 'keep-clusters': true } },
);
