import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { MongoClient } from 'mongodb';
import { adopt as adoption, newOrigin } from './support/adopted-cluster.ts';
import { type OtherServer, otherServer } from './support/adopted-engine.ts';
import { LONG_TIMEOUTS } from './support/drivers.ts';
import { expectStatus, until } from './support/expect.ts';
import { scopeOf } from './support/service.ts';
import { openSetup, own, type Setup } from './support/setups.ts';
import { idIn, idle, type ListDocument, moveClock, newProject } from './support/stage.ts';

interface ProcessDocument {
  readonly id: string;
  readonly typeName: string;
  readonly lastPing?: string;
}

interface Measured {
  readonly measurements: readonly {
    readonly name: string;
    readonly dataPoints: readonly { readonly value: number | null }[];
  }[];
}

interface Alert {
  readonly eventTypeName: string;
  readonly hostnameAndPort?: string;
  readonly metricName?: string;
  readonly replicaSetName?: string;
}

own.onOneSetup('SQLite, one instance', 'monitoring of adopted deployments', (setup) => {
  const scope = scopeOf({ after });
  let server: OtherServer;
  let driver: MongoClient;
  let project: string;
  before(async () => {
    server = await otherServer(scope);
    driver = await MongoClient.connect(server.uri, LONG_TIMEOUTS);
    scope.after(() => driver.close());
    project = await newProject(setup);
    await adopt(project, 'harbour', server.uri);
  });

  async function adopt(into: string, name: string, connectionString: string): Promise<void> {
    const body = { groupId: idIn(into), name, connectionString };
    expectStatus(await adoption(setup, body), 201);
    await idle(setup.owner, `${into}/clusters/${name}`);
  }

  const get = async <T>(path: string) => expectStatus<T>(await setup.owner.get(path), 200);
  const processes = async () => (await get<ListDocument<ProcessDocument>>(`${project}/processes`)).results;

  async function primary(): Promise<string> {
    const find = async () => (await processes()).find(({ typeName }) => typeName === 'REPLICA_PRIMARY');
    // On a busy machine, the members can seem down for a moment.
    const found = await until('a primary', find, (one) => one !== undefined);
    return `${project}/processes/${found?.id}`;
  }

  /** Moves service time by a minute, so that members are sampled and earlier samples are counted. */
  async function measured(): Promise<void> {
    const now = await moveClock(setup, 60);
    const isMeasured = ({ lastPing = '' }: ProcessDocument) => Date.parse(lastPing) >= now;
    await until('measured processes', processes, (all) => all.every(isMeasured));
  }

  const valuesOf = ({ measurements }: Measured, name: string) => {
    const found = measurements.find((one) => one.name === name);
    return (found?.dataPoints ?? []).map(({ value }) => value).filter((value) => value !== null);
  };

  test('measurements follow the activity of its databases', async () => {
    await measured();
    const ships = driver.db('fleet').collection('ships');
    await ships.insertMany(Array.from({ length: 300 }, (_, number) => ({ number, name: `ship ${number}` })));
    await measured();
    await measured();
    const path = await primary();
    const names = ['OPCOUNTER_INSERT', 'CONNECTIONS', 'OPLOG_SLAVE_LAG_MASTER_TIME', 'OPLOG_MASTER_TIME'];
    const query = `granularity=PT1M&period=PT1H&${names.map((name) => `m=${name}`).join('&')}`;
    const found = await get<Measured>(`${path}/measurements?${query}`);
    assert.ok(
      valuesOf(found, 'OPCOUNTER_INSERT').some((value) => value > 0),
      JSON.stringify(found),
    );
    assert.ok(valuesOf(found, 'CONNECTIONS').every((value) => value > 0));
    assert.ok(valuesOf(found, 'OPLOG_SLAVE_LAG_MASTER_TIME').every((value) => value >= 0));
    assert.ok(valuesOf(found, 'OPLOG_SLAVE_LAG_MASTER_TIME').length > 0);
    const unknown = await get<Measured>(
      `${path}/measurements?granularity=PT1M&period=PT1H&m=SYSTEM_CPU_USER`,
    );
    assert.deepEqual(valuesOf(unknown, 'SYSTEM_CPU_USER'), []);
  });

  test('databases and disks are listed and measured', async () => {
    await driver.db('cargo').collection('crates').insertOne({ weight: 3 });
    const path = await primary();
    await until(
      'the database',
      async () => {
        await measured();
        return get<ListDocument<{ databaseName: string }>>(`${path}/databases`);
      },
      ({ results }) => results.some(({ databaseName }) => databaseName === 'cargo'),
    );
    const stored = await get<Measured>(
      `${path}/databases/cargo/measurements?granularity=PT1M&period=PT1H&m=DATABASE_OBJECT_COUNT`,
    );
    assert.ok(valuesOf(stored, 'DATABASE_OBJECT_COUNT').includes(1));
    const disks = await get<ListDocument<{ partitionName: string }>>(`${path}/disks`);
    assert.deepEqual(
      disks.results.map(({ partitionName }) => partitionName),
      ['data'],
    );
  });

  test('its log shows slow operations and logins', async () => {
    const lost = server.uri.replace(/\/\/[^@]*@/, '//stowaway:wrong@');
    await assert.rejects(MongoClient.connect(lost, LONG_TIMEOUTS), { code: 18 });
    const fleet = driver.db('fleet');
    await fleet.collection('tugs').insertMany(Array.from({ length: 50 }, (_, number) => ({ number })));
    await fleet.command({ profile: 0, slowms: -1 });
    await fleet
      .collection('tugs')
      .find({ number: { $gt: 48 } })
      .toArray();
    await fleet.command({ profile: 0, slowms: 100 });
    await moveClock(setup, 1);
    const path = await primary();
    const advisor = `${path}/performanceAdvisor`;
    interface Advice {
      readonly suggestedIndexes: readonly { readonly namespace: string; readonly index: readonly object[] }[];
    }
    const { suggestedIndexes } = await get<Advice>(`${advisor}/suggestedIndexes?namespaces=fleet.tugs`);
    assert.deepEqual(
      suggestedIndexes.map(({ namespace, index }) => [namespace, index]),
      [['fleet.tugs', [{ number: 1 }]]],
    );
    const slow = await get<{ slowQueries: { namespace: string }[] }>(
      `${advisor}/slowQueryLogs?namespaces=fleet.tugs`,
    );
    assert.ok(slow.slowQueries.length > 0);
    const log = await setup.owner.get(`${project}/clusters/127.0.0.1/logs/mongodb.gz`);
    assert.equal(log.status, 200);
    const lines = gunzipSync(log.bytes).toString().trim().split('\n');
    assert.ok(lines.every((line) => line.startsWith('{"t":')));
    const history = await get<{ accessLogs: Record<string, unknown>[] }>(
      `${project}/dbAccessHistory/clusters/harbour?authResult=false`,
    );
    const attempt = history.accessLogs.find(({ username }) => username === 'stowaway');
    assert.ok(attempt);
    assert.partialDeepStrictEqual(attempt, {
      authResult: false,
      authSource: 'admin',
      ipAddress: '127.0.0.1',
    });
  });

  test('alerts open for stopped members, lost primaries and metrics, and close again', async () => {
    const other = await openSetup(scope, 'SQLite, one instance');
    const uri = await monitored(other);
    const into = await newProject(setup);
    await adopt(into, 'convoy', uri.connection);
    const notifications = [{ typeName: 'EMAIL', emailAddress: 'watch@example.org', delayMin: 0 }];
    const above = { operator: 'GREATER_THAN', threshold: 0, units: 'RAW', mode: 'AVERAGE' };
    const metrics = [
      { metricName: 'CONNECTIONS', ...above },
      { metricName: 'DISK_PARTITION_SPACE_USED_DATA', ...above },
      {
        metricName: 'OPLOG_SLAVE_LAG_MASTER_TIME',
        ...above,
        operator: 'LESS_THAN',
        threshold: 9,
        units: 'HOURS',
      },
    ];
    for (const body of [
      { eventTypeName: 'HOST_DOWN' },
      { eventTypeName: 'NO_PRIMARY' },
      ...metrics.map((metricThreshold) => ({ eventTypeName: 'OUTSIDE_METRIC_THRESHOLD', metricThreshold })),
    ])
      expectStatus(
        await setup.owner.post(`${into}/alertConfigs`, { ...body, enabled: true, notifications }),
        201,
      );
    const open = async () => {
      await moveClock(setup, 1);
      const { results } = await get<ListDocument<Alert>>(`${into}/alerts?status=OPEN`);
      return results;
    };
    const types = (all: readonly Alert[]) => new Set(all.map(({ eventTypeName }) => eventTypeName));
    await until('the metrics', open, (all) =>
      metrics.every(({ metricName }) => all.some((one) => one.metricName === metricName)),
    );
    await until('a primary', open, (all) => !types(all).has('NO_PRIMARY'));
    await uri.stop(0, false);
    // On a busy machine, other members can seem down for a moment.
    const downIn = (all: readonly Alert[]) =>
      all.flatMap((one) => (one.eventTypeName === 'HOST_DOWN' ? one.hostnameAndPort : [])).join();
    await until('one host', open, (all) => downIn(all) === uri.hosts[0]);
    await uri.stop(1, false);
    const second = await until('no primary', open, (all) => types(all).has('NO_PRIMARY'));
    const lost = second.find(({ eventTypeName }) => eventTypeName === 'NO_PRIMARY');
    assert.match(String(lost?.replicaSetName), /^platform-\w{6}-shard-0$/);
    await idle(setup.owner, `${into}/clusters/convoy`);
    await uri.stop(0, true);
    await uri.stop(1, true);
    await until('all well', open, (all) => !types(all).has('NO_PRIMARY') && !types(all).has('HOST_DOWN'));
  });

  /** Creates a cluster of another service, whose members the test can stop. */
  async function monitored(other: Setup) {
    const { path, uri } = await newOrigin(other);
    const hosts = uri.replace(/^.*@/, '').replace(/\/.*$/, '').split(',');
    return {
      connection: uri,
      hosts,
      async stop(index: number, running: boolean): Promise<void> {
        const body = { hostnameAndPort: hosts[index], running };
        const reply = await other.operator.post(`/operator/v1${path}/instances`, body);
        assert.ok(reply.status < 300, reply.text);
      },
    };
  }
});
