import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allowAccess, driverFor, expectRefused, LONG_TIMEOUTS } from './support/drivers.ts';
import { expectStatus, until } from './support/expect.ts';
import { keepLogbook } from './support/logbook.ts';
import { end, isAlive } from './support/processes.ts';
import { own } from './support/setups.ts';
import { clusterBody, gone, idle, type ListDocument, newCluster, newProject } from './support/stage.ts';

const DUPLICATE_KEY = 11_000;

own.onOneSetup(
  'PostgreSQL, two instances',
  'killed engine hosts',
  (setup) => {
    /** Kills the engine hosts of all instances, and waits until each instance has started a new one. */
    async function killHosts(): Promise<void> {
      const running = async () => setup.instances.map((instance) => instance.hostPid());
      const killed = await until('engine hosts', running, (pids) => pids.every(isAlive));
      for (const pid of killed) end(pid);
      await until('other engine hosts', running, (now) =>
        now.every((pid, index) => pid !== killed[index] && isAlive(pid)),
      );
    }

    test('restart with every acknowledged write', async (t) => {
      const project = await newProject(setup);
      const cluster = await newCluster(setup, project, 'sturdy');
      const paused = await newCluster(setup, project, 'paused');
      expectStatus(await setup.account.patch(paused, { paused: true }), 200);
      await idle(setup.account, paused);
      await allowAccess(setup, project, cluster);
      const driver = await driverFor(setup, cluster, LONG_TIMEOUTS);
      t.after(() => driver.close());
      const logbook = keepLogbook(t, driver);
      for (let round = 0; round < 2; round++) {
        const before = logbook.acknowledged.length;
        await until(
          'a write before the kill',
          async () => logbook.acknowledged.length,
          (now) => now > before,
        );
        await killHosts();
        await until(
          'a write after the kill',
          async () => driver.db('ship').collection('rounds').insertOne({ round }).catch(String),
          (answer) => typeof answer !== 'string',
        );
      }
      assert.ok((await logbook.close()) > 0);
      // A write that the driver retries after the kill is applied only once. Otherwise, it would fail with a duplicate
      // key.
      assert.deepEqual(
        logbook.errors.filter((error) => Object(error).code === DUPLICATE_KEY),
        [],
      );
      assert.equal((await idle(setup.account, cluster)).paused, false);
      await expectRefused((await idle(setup.account, paused)).connectionStrings.standard);
    });

    test('are reported while they are suspended, and resume', async (t) => {
      const project = await newProject(setup);
      const cluster = await newCluster(setup, project, 'still');
      await allowAccess(setup, project, cluster);
      const driver = await driverFor(setup, cluster, LONG_TIMEOUTS);
      t.after(() => driver.close());
      const cargo = driver.db('harbour').collection<{ _id: number }>('cargo');
      await cargo.insertOne({ _id: 1 });
      const hosts = setup.instances.map((instance) => instance.hostPid());
      const goOn = () => {
        for (const pid of hosts.filter(isAlive)) process.kill(pid, 'SIGCONT');
      };
      t.after(goOn);
      for (const pid of hosts) process.kill(pid, 'SIGSTOP');
      const state = async () => expectStatus(await setup.owner.get(cluster), 200).stateName;
      await until('REPAIRING', state, (found) => found === 'REPAIRING');
      const query = '?eventType=CLUSTER_NODES_LOST';
      const { results } = expectStatus<ListDocument>(await setup.owner.get(`${project}/events${query}`), 200);
      // On a busy machine, the cluster may have been lost and repaired once before. The newest event comes first.
      assert.equal(results[0]?.reason, 'the engine host does not respond: its process hangs');
      const ready = async () => setup.connections[0]?.send({ method: 'GET', target: '/readyz' });
      // Wait, since another instance may have noticed the suspended host before this one.
      await until('503', ready, (reply) => reply?.status === 503);
      expectStatus(await setup.owner.get('/clusters'), 200);
      goOn();
      await idle(setup.account, cluster);
      await until('200', ready, (reply) => reply?.status === 200);
      assert.deepEqual(
        setup.instances.map((instance) => instance.hostPid()),
        hosts,
      );
      await cargo.insertOne({ _id: 2 });
      assert.equal(await cargo.countDocuments(), 2);
    });

    test('make the readiness check fail', async () => {
      const ready = async () => setup.connections[0]?.send({ method: 'GET', target: '/readyz' });
      // Try again: a new host starts within half a second, so on a busy machine the test may miss the time without a
      // host.
      const missed = async () => {
        end(setup.instances[0]?.hostPid() ?? 0);
        return ready();
      };
      await until('503', missed, (reply) => reply?.status === 503);
      await until('200', ready, (reply) => reply?.status === 200);
    });

    test('finish their tasks', async () => {
      const project = await newProject(setup);
      const names = ['a', 'b', 'c', 'd'];
      for (const name of names) {
        expectStatus(await setup.account.post(`${project}/clusters`, clusterBody(name)), 201);
      }
      await killHosts();
      for (const name of names) await idle(setup.account, `${project}/clusters/${name}`);
      for (const name of names) expectStatus(await setup.account.delete(`${project}/clusters/${name}`), 202);
      await killHosts();
      for (const name of names) await gone(setup.account, `${project}/clusters/${name}`);
    });
  },
  { expectedErrors: /the engine host cannot be reached or started/ },
);
