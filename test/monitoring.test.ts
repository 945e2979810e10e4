import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allowAccess, driverFor } from './support/drivers.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { own } from './support/setups.ts';
import { type ListDocument, moveClock, newCluster, newProject } from './support/stage.ts';
import { eventTypes } from './support/users.ts';

interface ProcessDocument {
  id: string;
  hostname: string;
  port: number;
  typeName: string;
  lastPing?: string;
  [field: string]: unknown;
}

interface Measured {
  start: string;
  end: string;
  measurements: {
    name: string;
    units: string;
    dataPoints: { timestamp: string; value: number | null }[];
  }[];
  [field: string]: unknown;
}

const M40 = {
  providerSettings: { providerName: 'AWS', instanceSizeName: 'M40', regionName: 'US_EAST_1' },
};
const FREE = {
  providerSettings: {
    ...{
      providerName: 'TENANT',
      backingProviderName: 'AWS',
      instanceSizeName: 'M0',
      regionName: 'US_EAST_1',
    },
  },
};
const EVENT_DAYS = 30;

own.onOneSetup(
  'PostgreSQL, two instances',
  'monitoring',
  (setup) => {
    const listed = async (project: string) =>
      expectStatus<ListDocument<ProcessDocument>>(await setup.owner.get(`${project}/processes`), 200).results;
    const valuesOf = ({ measurements }: Measured, name: string) => {
      const found = measurements.find((one) => one.name === name);
      assert.ok(found, name);
      return found.dataPoints.map(({ value }) => value).filter((value) => value !== null);
    };

    /**
     * Advances service time by a minute, so that earlier samples are counted. Samples are ten seconds of machine time
     * apart.
     */
    const measuredAgain = async (project: string) => {
      const now = await moveClock(setup, 60);
      await until(
        'processes that were measured',
        () => listed(project),
        (all) => all.every(({ lastPing }) => lastPing !== undefined && Date.parse(lastPing) >= now),
      );
    };

    test('measurements follow the activity of databases', async (t) => {
      const project = await newProject(setup);
      const cluster = await newCluster(setup, project, 'fleet', M40);
      await allowAccess(setup, project, cluster);
      const driver = await driverFor(setup, cluster);
      t.after(() => driver.close());
      // A rate needs two samples.
      await measuredAgain(project);
      const ports = driver.db('harbour').collection('ports');
      await ports.insertMany(Array.from({ length: 500 }, (_, number) => ({ number })));

      const processes = await listed(project);
      const types = processes.map(({ typeName }) => typeName).sort();
      assert.deepEqual(types, ['REPLICA_PRIMARY', 'REPLICA_SECONDARY', 'REPLICA_SECONDARY']);
      const primary = processes.find(({ typeName }) => typeName === 'REPLICA_PRIMARY');
      assert.ok(primary);
      const path = `${project}/processes/${encodeURIComponent(primary.id)}`;
      const {
        links: _,
        lastPing: __,
        ...shown
      } = expectStatus<ProcessDocument>(await setup.owner.get(path), 200);
      const { created, replicaSetName, userAlias, version, ...rest } = shown;
      assert.deepEqual(rest, {
        groupId: project.split('/').at(-1),
        ...{ id: `${primary.hostname}:${primary.port}`, hostname: primary.hostname, port: primary.port },
        typeName: 'REPLICA_PRIMARY',
      });
      assert.match(
        `${replicaSetName} ${userAlias} ${version}`,
        /^platform-\w{6}-shard-0 fleet-shard-00-0\d \d\.0\.\d+$/,
      );
      assert.ok(Date.parse(String(created)) > 0);

      await measuredAgain(project);
      const measured = (query: string, below = '') =>
        setup.owner.get(`${path}${below}/measurements?${query}`);
      const inserts = 'granularity=PT1H&period=PT2H&m=OPCOUNTER_INSERT&m=CONNECTIONS';
      const stored = 'granularity=PT1M&period=PT1H&m=DATABASE_OBJECT_COUNT';
      const isTold = async () => {
        const counts = expectStatus<Measured>(await measured(inserts), 200);
        const sizes = await measured(stored, '/databases/harbour');
        return (
          valuesOf(counts, 'OPCOUNTER_INSERT').some((value) => value > 0) &&
          sizes.status === 200 &&
          valuesOf(sizes.json<Measured>(), 'DATABASE_OBJECT_COUNT').at(-1) === 500
        );
      };
      // The next sample may be the first to report a change. Polling without pauses would exceed the rate limit.
      for (let round = 0; round < 10 && !(await isTold()); round++) await measuredAgain(project);
      const found = expectStatus<Measured>(await measured(inserts), 200);
      assert.ok(valuesOf(found, 'OPCOUNTER_INSERT').some((value) => value > 0));
      const names = found.measurements.map(({ name, units }) => [name, units]);
      assert.deepEqual(names, [
        ['OPCOUNTER_INSERT', 'SCALAR_PER_SECOND'],
        ['CONNECTIONS', 'SCALAR'],
      ]);
      const { granularity, groupId, hostId, processId } = found;
      assert.deepEqual(
        [granularity, groupId, hostId, processId],
        ['PT1H', shown.groupId, primary.id, primary.id],
      );
      assert.ok(valuesOf(found, 'CONNECTIONS').some((value) => value >= 1));
      for (const each of ['PT10S', 'PT1M', 'PT5M', 'PT30M', 'P1D']) {
        const answer = expectStatus<Measured>(await measured(`granularity=${each}&period=PT1H`), 200);
        assert.ok(answer.measurements.length > 130);
        assert.ok(
          valuesOf(answer, 'OPCOUNTER_INSERT').some((value) => value > 0),
          each,
        );
        assert.deepEqual(valuesOf(answer, 'CACHE_USED_BYTES'), []);
      }
      assert.ok((await listed(project)).every(({ lastPing }) => lastPing !== undefined));

      const databases = expectStatus<ListDocument<{ databaseName: string }>>(
        await setup.owner.get(`${path}/databases`),
        200,
      ).results.map(({ databaseName }) => databaseName);
      assert.ok(databases.includes('harbour'), `${databases}`);
      const one = expectStatus(await setup.owner.get(`${path}/databases/harbour`), 200);
      assert.equal(one.databaseName, 'harbour');
      const objects = expectStatus<Measured>(await measured(stored, '/databases/harbour'), 200);
      expectStatus(await measured(stored, '/databases/config'), 200);
      assert.equal(objects.databaseName, 'harbour');
      assert.equal(valuesOf(objects, 'DATABASE_OBJECT_COUNT').at(-1), 500);

      const disks = expectStatus<ListDocument<{ partitionName: string }>>(
        await setup.owner.get(`${path}/disks`),
        200,
      );
      assert.deepEqual(
        disks.results.map(({ partitionName }) => partitionName),
        ['data'],
      );
      assert.equal(expectStatus(await setup.owner.get(`${path}/disks/data`), 200).partitionName, 'data');
      const space = expectStatus<Measured>(
        await measured('granularity=PT1M&period=PT1H', '/disks/data'),
        200,
      );
      assert.equal(space.partitionName, 'data');
      const [used = 0] = valuesOf(space, 'MAX_DISK_PARTITION_SPACE_USED');
      assert.ok(used > 10_000);

      const period = 'period=PT1H';
      expectFault(await measured(period), 400, 'MISSING_QUERY_PARAMETER', ['granularity']);
      expectFault(await measured(`granularity=PT2M&${period}`), 400, 'INVALID_GRANULARITY', ['PT2M']);
      expectFault(await measured(`granularity=PT1M&${period}&m=KNOTS`), 404, 'INVALID_METRIC_NAME', [
        'KNOTS',
      ]);
      const strange = `${project}/processes/${encodeURIComponent('nowhere:27017')}`;
      expectFault(await setup.owner.get(strange), 404, 'HOSTNAME_AND_PORT_NOT_FOUND', [
        'nowhere:27017',
        project.split('/').at(-1),
      ]);
      expectFault(await setup.owner.get(`${path}/databases/nowhere`), 404, 'RESOURCE_NOT_FOUND', ['nowhere']);
      expectFault(await setup.owner.get(`${path}/disks/nowhere`), 404, 'RESOURCE_NOT_FOUND', ['nowhere']);
    });

    test('shared-tier clusters report few metrics', async () => {
      const project = await newProject(setup);
      await newCluster(setup, project, 'small', FREE);
      const [process] = await listed(project);
      assert.ok(process);
      const path = `${project}/processes/${encodeURIComponent(process.id)}`;
      const query = 'granularity=PT1M&period=PT1H';
      const { measurements } = expectStatus<Measured>(
        await setup.owner.get(`${path}/measurements?${query}`),
        200,
      );
      assert.deepEqual(
        measurements
          .map(({ name }) => name.replace(/_.*/, ''))
          .filter((name, at, all) => all.indexOf(name) === at),
        ['CONNECTIONS', 'LOGICAL', 'NETWORK', 'OPCOUNTER'],
      );
      const refused = [
        '/databases',
        '/databases/a',
        '/disks',
        '/disks/data',
        `/disks/data/measurements?${query}`,
      ];
      for (const below of [
        ...refused,
        `/databases/a/measurements?${query}`,
        `/measurements?${query}&m=MEMORY_RESIDENT`,
      ])
        expectFault(await setup.owner.get(path + below), 400, 'INSUFFICIENT_INSTANCE_SIZE', ['M10']);
      expectFault(
        await setup.owner.get(`${path}/measurements?granularity=PT10S&period=PT1H`),
        400,
        'INVALID_GRANULARITY',
        ['PT10S'],
      );
    });

    test('activity without a running service is measured, and old points are deleted', async (t) => {
      const project = await newProject(setup);
      const cluster = await newCluster(setup, project, 'lonely');
      await allowAccess(setup, project, cluster);
      const driver = await driverFor(setup, cluster);
      t.after(() => driver.close());
      await measuredAgain(project);
      await Promise.all(setup.instances.map((one) => one.kill()));
      const ports = driver.db('harbour').collection('ports');
      await ports.insertMany(Array.from({ length: 500 }, (_, number) => ({ number })));
      await setup.start();
      await measuredAgain(project);
      const primary = (await listed(project)).find(({ typeName }) => typeName === 'REPLICA_PRIMARY');
      const path = `${project}/processes/${encodeURIComponent(primary?.id ?? '')}/measurements`;
      /** Returns the times of the inserts, as points of this granularity. */
      const inserts = async (granularity: string) => {
        const query = `granularity=${granularity}&period=P100D&m=OPCOUNTER_INSERT`;
        const [found] = expectStatus<Measured>(await setup.owner.get(`${path}?${query}`), 200).measurements;
        return found?.dataPoints.filter(({ value }) => (value ?? 0) > 0) ?? [];
      };
      const kept = {
        minutes: async () => (await inserts('PT1M')).length > 0,
        hours: async () => (await inserts('PT1H')).length > 0,
        days: async () => (await inserts('P1D')).length > 0,
        events: async () => (await eventTypes(setup.owner, project)).includes('CLUSTER_CREATED'),
      };
      const all = ['minutes', 'hours', 'days', 'events'] as const;
      /** Waits for deletions before it queries. Sends one query after another, since all queries share a rate limit. */
      const after = async (days: number, ...left: (typeof all)[number][]) => {
        // The instance that owns the schedule checks once a day. It may notice the new time later than the caller.
        const steps = days > 2 ? [days - 2, 1, 1] : [days];
        for (const step of steps) await moveClock(setup, step * 86_400);
        const going = all.filter((each) => !left.includes(each));
        for (const what of [...going, ...left]) {
          const wanted = left.includes(what);
          await until(`${what} after ${days} days`, kept[what], (isKept) => isKept === wanted);
        }
      };
      await after(0, ...all);
      await after(3, 'hours', 'days', 'events');
      await after(EVENT_DAYS, 'hours', 'days');
      await after(40, 'days');
    });
  },
  { settings: { 'event-days': String(EVENT_DAYS) } },
);
