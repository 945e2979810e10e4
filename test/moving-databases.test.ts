import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { adopt } from './support/adopted-cluster.ts';
import { ADMINISTRATOR, otherServer } from './support/adopted-engine.ts';
import { allowAccess, driverFor, LONG_TIMEOUTS } from './support/drivers.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import type { Reply } from './support/http.ts';
import { keepLogbook } from './support/logbook.ts';
import { startReplicatedPostgres } from './support/postgres.ts';
import { end, isAlive } from './support/processes.ts';
import { type Scope, scopeOf } from './support/service.ts';
import { own } from './support/setups.ts';
import {
  type ClusterDocument,
  clusterBody,
  idIn,
  idle,
  type ListDocument,
  newProject,
} from './support/stage.ts';

/** Loopback addresses stand for machines. Each machine runs a service with its engine host, and a database server. */
const machines = ['127.0.0.1', '127.0.0.2'];
const servers = await startReplicatedPostgres('harbour');
after(() => servers.stop());

/** How many changes each service must have acknowledged before a process is killed. */
const CHANGES = 10;
/** The highest limit of entries in the access list that a project may have. */
const MAX_ENTRIES = 1_000;
/** The pause between two changes, so that a long run does not fill the access list. */
const PAUSE_MS = 500;

own.onSetup(
  'PostgreSQL, two instances',
  'services of two machines',
  (setup) => {
    const at = (machine: number) => setup.accountAt(machine);

    /** Writes one entry after another with one service, until it is stopped. Each attempt writes a different entry. */
    function changesBy(machine: number, path: string) {
      const acknowledged: string[] = [];
      let [tried, isWriting] = [0, true];
      async function attempt(): Promise<Reply | undefined> {
        const ipAddress = `10.${machine}.${tried >> 8}.${tried & 255}`;
        tried++;
        const reply = await at(machine)
          .post(path, [{ ipAddress }])
          .catch(() => undefined);
        if (reply?.status === 201) acknowledged.push(ipAddress);
        else if (reply !== undefined) expectFault(reply, 503, 'SERVICE_UNAVAILABLE');
        return reply;
      }
      const written = (async () => {
        const done = (reply: Reply | undefined) => !isWriting || reply?.status === 201;
        while (isWriting) {
          await until('a change', attempt, done);
          await setTimeout(PAUSE_MS);
        }
      })();
      return {
        acknowledged,
        /** Resolves when this many more changes are acknowledged. */
        async more(count: number): Promise<void> {
          const before = acknowledged.length;
          const enough = (now: number) => now >= before + count;
          const reached = until('more changes', async () => acknowledged.length, enough);
          // If a change is refused, `written` rejects, so that the test fails at once.
          await Promise.race([reached, written]);
          await reached;
        },
        async stop(): Promise<void> {
          isWriting = false;
          await written;
        },
      };
    }

    /**
     * Creates a cluster on the second machine, and adopts a deployment. Starts a driver that writes to each of them.
     */
    async function writingDrivers(scope: Scope, project: string) {
      const near = `${project}/clusters/near`;
      expectStatus(await at(1).post(`${project}/clusters`, clusterBody('near')), 201);
      const { connectionStrings } = await idle(at(1), near);
      assert.match(connectionStrings.standard ?? '', /^mongodb:\/\/127\.0\.0\.2:/);
      await allowAccess(setup, project, near);
      const server = await otherServer(scope);
      for (const text of [ADMINISTRATOR.pwd, encodeURIComponent(ADMINISTRATOR.pwd)])
        setup.keepOutOfLogs(text);
      const adopting = { groupId: idIn(project), name: 'adopted', connectionString: server.uri };
      expectStatus(await adopt(setup, adopting), 201);
      await idle(at(0), `${project}/clusters/adopted`);
      const drivers = [
        await driverFor(setup, near, LONG_TIMEOUTS),
        await MongoClient.connect(server.uri, LONG_TIMEOUTS),
      ];
      scope.after(() => Promise.all(drivers.map((driver) => driver.close())));
      return { near, server, logbooks: drivers.map((driver) => keepLogbook(scope, driver)) };
    }

    /** Waits until a service answers, and prints how long this took. */
    async function answers(t: TestContext, machine: number, after: string): Promise<void> {
      const began = performance.now();
      const read = () =>
        at(machine)
          .get('/groups')
          .catch(() => undefined);
      await until(`an answer after the ${after}`, read, (reply) => reply?.status === 200);
      const ms = Math.round(performance.now() - began);
      t.diagnostic(`service ${machine + 1} answered ${ms} ms after the ${after}`);
    }

    test('continue without the primary of the database, and then without one service', async (t) => {
      const scope = scopeOf(t);
      const project = await newProject(setup);
      const { near, logbooks } = await writingDrivers(scope, project);
      expectStatus(await at(0).post(`${project}/clusters`, clusterBody('far')), 201);
      await idle(at(0), `${project}/clusters/far`);
      const entries = `${project}/accessList`;
      const limit = `${project}/limits/platform.project.security.networkAccess.entries`;
      expectStatus(await at(0).patch(limit, { value: MAX_ENTRIES }), 200);
      const writers = machines.map((_, machine) => changesBy(machine, entries));
      scope.after(() => Promise.all(writers.map((writer) => writer.stop())));
      await Promise.all(writers.map((writer) => writer.more(CHANGES)));
      // The service may apply this change before or after the other database server takes over.
      expectStatus(await at(0).patch(`${project}/clusters/far`, { replicationFactor: 5 }), 200);

      const killed = performance.now();
      await servers.killPrimary();
      await servers.promote();
      const promoted = performance.now();
      await Promise.all(
        writers.map(async (writer, machine) => {
          await writer.more(1);
          const [since, before] = [performance.now() - promoted, promoted - killed];
          t.diagnostic(
            `service ${machine + 1} wrote ${Math.round(since)} ms after the promotion, which took ${Math.round(before)} ms`,
          );
        }),
      );
      await Promise.all(writers.map((writer) => writer.more(CHANGES)));
      const far = await idle(at(1), `${project}/clusters/far`);
      assert.equal(far.connectionStrings.standard?.match(/127\.0\.0\.1:/g)?.length, 5);

      await setup.instances[0]?.kill();
      await writers[1]?.more(CHANGES);
      expectStatus(await at(1).patch(near, { replicationFactor: 5 }), 200);
      await idle(at(1), near);
      await Promise.all(writers.slice(1).map((writer) => writer.stop()));
      for (const logbook of logbooks) {
        assert.ok((await logbook.close()) > 0);
        assert.deepEqual(logbook.errors, []);
      }

      await setup.start();
      await writers[0]?.stop();
      const acknowledged = writers.flatMap((writer) => writer.acknowledged);
      for (const machine of machines.keys()) {
        const list = await at(machine).get(`${entries}?itemsPerPage=500`);
        const { totalCount = 0 } = expectStatus<ListDocument>(list, 200);
        const there: string[] = [];
        for (let page = 1; there.length < totalCount; page++) {
          const reply = await at(machine).get(`${entries}?itemsPerPage=500&pageNum=${page}`);
          const { results } = expectStatus<ListDocument<{ ipAddress?: string }>>(reply, 200);
          there.push(...results.map(({ ipAddress = '' }) => ipAddress));
        }
        assert.deepEqual(
          acknowledged.filter((address) => !there.includes(address)),
          [],
        );
      }
      const clusters = expectStatus<ListDocument<ClusterDocument>>(
        await at(0).get(`${project}/clusters`),
        200,
      ).results;
      assert.deepEqual(clusters.map(({ name }) => name).toSorted(), ['adopted', 'far', 'near']);
    });

    test('continue without an engine host, the adopted servers or the other service', async (t) => {
      const scope = scopeOf(t);
      const project = await newProject(setup);
      const { near, server, logbooks } = await writingDrivers(scope, project);
      const [ofNear, ofAdopted] = logbooks;
      const far = `${project}/clusters/far`;
      expectStatus(await at(0).post(`${project}/clusters`, clusterBody('far')), 201);
      await idle(at(0), far);
      const stateOf = async (cluster: string) => (await at(1).get(cluster)).json().stateName;
      const bothAnswer = (killed: string) =>
        Promise.all(machines.map((_, machine) => answers(t, machine, killed)));

      const host = setup.instances[0]?.hostPid() ?? assert.fail();
      end(host);
      await bothAnswer('end of an engine host');
      const running = async () => setup.instances[0]?.hostPid() ?? host;
      await until('another engine host', running, (pid) => pid !== host && isAlive(pid));
      await idle(at(1), far);

      assert.ok(((await ofAdopted?.close()) ?? 0) > 0);
      await server.kill('SIGKILL');
      await bothAnswer('end of the adopted servers');
      const adopted = `${project}/clusters/adopted`;
      await until(
        'REPAIRING',
        () => stateOf(adopted),
        (state) => state === 'REPAIRING',
      );
      assert.equal(await stateOf(near), 'IDLE');
      await server.start();
      await idle(at(0), adopted);

      await setup.instances[1]?.kill();
      await answers(t, 0, 'end of the other service');
      const entries = `${project}/accessList`;
      expectStatus(await at(0).post(entries, [{ ipAddress: '10.9.9.9' }]), 201);
      assert.ok(((await ofNear?.close()) ?? 0) > 0);
      assert.deepEqual([ofNear?.errors, ofAdopted?.errors], [[], []]);
      await setup.start();
      const list = expectStatus<ListDocument<{ ipAddress?: string }>>(await at(1).get(entries), 200);
      assert.ok(list.results.some(({ ipAddress }) => ipAddress === '10.9.9.9'));
    });
  },
  {
    database: servers.url,
    instanceSettings: machines.map((address) => ({
      listen: `${address}:0`,
      'engine-listen': address,
      'control-listen': `${address}:0`,
    })),
    // The services log these errors while the database is unavailable.
    expectedErrors: /./,
  },
);
