import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allowAccess, driverFor } from './support/drivers.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { timed } from './support/setups.ts';
import { idIn, type ListDocument, newCluster, newProject } from './support/stage.ts';

interface Measurement {
  readonly name: string;
  readonly units: string;
  readonly dataPoints: ReadonlyArray<{ readonly value: number | null }>;
}

interface Metric {
  readonly metricName: string;
  readonly units: string;
}

timed.onOneSetup('SQLite, one instance', 'search metrics', (setup) => {
  /**
   * Advances service time by a minute, so that earlier samples are counted. Samples are ten seconds of machine time
   * apart.
   */
  const minutePassed = async (project: string) => {
    const moved = await setup.operator.patch('/operator/v1/clock', { advanceSeconds: 60 });
    const now = Date.parse(expectStatus<{ now: string }>(moved, 200).now);
    await until(
      'processes that were measured',
      () => setup.owner.get(`${project}/processes`),
      (reply) => {
        const { results } = reply.json() as unknown as ListDocument<{ lastPing?: string }>;
        return results.every(({ lastPing }) => lastPing !== undefined && Date.parse(lastPing) >= now);
      },
    );
  };

  /**
   * Repeats until a metric is found, since the next sample may be the first to report a change. Polling without pauses
   * would exceed the rate limit.
   */
  const measured = async <T>(project: string, read: () => Promise<T>, found: (answer: T) => boolean) => {
    for (let round = 1; ; round++) {
      await minutePassed(project);
      const answer = await read();
      if (found(answer)) return answer;
      assert.ok(round < 10, JSON.stringify(answer));
    }
  };

  test('report search threads, and queries, changes and size of each index', async (t) => {
    const project = await newProject(setup);
    const cluster = await newCluster(setup, project, 'library');
    await allowAccess(setup, project, cluster);
    const driver = await driverFor(setup, cluster);
    t.after(() => driver.close());
    const books = driver.db('shop').collection<{ _id: number; title: string }>('books');
    await books.insertMany(
      Array.from({ length: 500 }, (_, _id) => ({ _id, title: `A harbour at night ${_id}` })),
    );
    const body = {
      ...{ collectionName: 'books', database: 'shop', name: 'words' },
      definition: { mappings: { dynamic: true } },
    };
    const { indexID } = expectStatus<{ indexID: string }>(
      await setup.owner.post(`${cluster}/search/indexes`, body),
      201,
    );
    await until(
      'the index to be built',
      () => setup.owner.get(`${cluster}/search/indexes/${indexID}`),
      (answer) => answer.json().status === 'READY',
    );
    const { results } = expectStatus<ListDocument<{ id: string; typeName: string }>>(
      await setup.owner.get(`${project}/processes`),
      200,
    );
    const processId = results.find(({ typeName }) => typeName === 'REPLICA_PRIMARY')?.id;
    const at = `${project}/hosts/${processId}/fts/metrics`;

    const types = expectStatus<{
      hardwareMetrics: Metric[];
      statusMetrics: Metric[];
      indexMetrics: Metric[];
    }>(await setup.owner.get(at), 200);
    const namesOf = (metrics: readonly Metric[]) =>
      Object.fromEntries(metrics.map(({ metricName, units }) => [metricName, units]));
    assert.deepEqual(namesOf(types.statusMetrics), {
      JVM_CURRENT_MEMORY: 'MEGABYTES',
      JVM_MAX_MEMORY: 'MEGABYTES',
      PAGE_FAULTS: 'SCALAR_PER_SECOND',
    });
    const perSecond = 'SCALAR_PER_SECOND';
    assert.deepEqual(namesOf(types.indexMetrics), {
      INDEX_SIZE_ON_DISK: 'MEGABYTES',
      NUMBER_OF_DELETES: perSecond,
      NUMBER_OF_ERROR_QUERIES: perSecond,
      NUMBER_OF_GETMORE_COMMANDS: perSecond,
      NUMBER_OF_INDEX_FIELDS: 'SCALAR',
      NUMBER_OF_INSERTS: perSecond,
      NUMBER_OF_SUCCESS_QUERIES: perSecond,
      NUMBER_OF_UPDATES: perSecond,
      REPLICATION_LAG: 'SECONDS',
      TOTAL_NUMBER_OF_QUERIES: perSecond,
    });
    assert.deepEqual(types.hardwareMetrics.map(({ metricName }) => metricName).toSorted(), [
      ...['FTS_DISK_USAGE', 'FTS_PROCESS_CPU_KERNEL', 'FTS_PROCESS_CPU_USER'],
      ...['FTS_PROCESS_NORMALIZED_CPU_KERNEL', 'FTS_PROCESS_NORMALIZED_CPU_USER'],
      ...['FTS_PROCESS_RESIDENT_MEMORY', 'FTS_PROCESS_SHARED_MEMORY', 'FTS_PROCESS_VIRTUAL_MEMORY'],
    ]);

    const newest = (measurements: readonly Measurement[], name: string) =>
      measurements
        .find((one) => one.name === name)
        ?.dataPoints.map(({ value }) => value)
        .findLast((value) => value !== null);
    const highest = (measurements: readonly Measurement[], name: string) =>
      Math.max(
        ...(measurements.find((one) => one.name === name)?.dataPoints.map(({ value }) => value ?? 0) ?? []),
      );
    const asked = (names: readonly string[]) =>
      `granularity=PT1M&period=PT1H${names.map((name) => `&metrics=${name}`).join('')}`;
    const hardware = async () => {
      const names = ['FTS_DISK_USAGE', 'FTS_PROCESS_CPU_USER', 'FTS_PROCESS_SHARED_MEMORY', 'JVM_MAX_MEMORY'];
      const reply = await setup.owner.get(`${at}/measurements?${asked(names)}`);
      const { hardwareMeasurements, statusMeasurements } = expectStatus<{
        hardwareMeasurements: Measurement[];
        statusMeasurements: Measurement[];
      }>(reply, 200);
      return [...hardwareMeasurements, ...statusMeasurements];
    };

    // Without search nodes, one thread builds the indexes of all clusters. With two search nodes, three threads serve
    // this cluster.
    const alone = await measured(project, hardware, (all) => Boolean(newest(all, 'JVM_MAX_MEMORY')));
    assert.ok((newest(alone, 'FTS_DISK_USAGE') ?? 0) > 10_000);
    assert.equal(newest(alone, 'FTS_PROCESS_SHARED_MEMORY'), undefined);
    const specs = [{ instanceSize: 'S20_HIGHCPU_NVME', nodeCount: 2 }];
    expectStatus(await setup.owner.post(`${cluster}/search/deployment`, { specs }), 201);
    await until(
      'search nodes',
      () => setup.owner.get(`${cluster}/search/deployment`),
      (answer) => answer.json().stateName === 'IDLE',
    );
    const one = newest(alone, 'JVM_MAX_MEMORY') as number;
    const three = await measured(project, hardware, (all) => {
      const most = newest(all, 'JVM_MAX_MEMORY');
      return typeof most === 'number' && Math.round(most / one) === 3;
    });
    assert.ok(highest(three, 'FTS_PROCESS_CPU_USER') > 0);

    const search = (query: string) =>
      books.aggregate([{ $search: { index: 'words', text: { query, path: 'title' } } }]);
    assert.equal((await search('harbour').toArray()).length, 500);
    await assert.rejects(
      books.aggregate([{ $search: { index: 'words', text: { query: 'no path' } } }]).toArray(),
    );
    await books.updateOne({ _id: 1 }, { $set: { title: 'Elsewhere' } });
    await books.deleteOne({ _id: 2 });
    await books.insertOne({ _id: 1000, title: 'More' });

    const names = types.indexMetrics.map(({ metricName }) => metricName);
    const ofIndex = async (path: string) =>
      expectStatus<{ indexIds: string[]; indexStatsMeasurements: Measurement[] }>(
        await setup.owner.get(`${at}/indexes/shop/books${path}/measurements?${asked(names)}`),
        200,
      );
    const counted = await measured(
      project,
      () => ofIndex('/words'),
      ({ indexStatsMeasurements: all }) =>
        names.every((name) =>
          name === 'REPLICATION_LAG' ? newest(all, name) === 0 : highest(all, name) > 0,
        ),
    );
    const { indexStatsMeasurements: all, indexIds } = counted;
    assert.deepEqual(indexIds, [indexID]);
    // Compare minute by minute, since a new minute may begin between the two searches.
    const rates = ['NUMBER_OF_SUCCESS_QUERIES', 'NUMBER_OF_ERROR_QUERIES', 'TOTAL_NUMBER_OF_QUERIES'];
    const [succeeded = [], failed = [], total = []] = rates.map(
      (name) => all.find((one) => one.name === name)?.dataPoints.map(({ value }) => value ?? 0) ?? [],
    );
    assert.deepEqual(
      total.map((value) => value.toFixed(6)),
      succeeded.map((value, minute) => (value + (failed[minute] ?? 0)).toFixed(6)),
    );
    assert.equal(
      newest(all, 'NUMBER_OF_INDEX_FIELDS'),
      newest((await ofIndex('')).indexStatsMeasurements, 'NUMBER_OF_INDEX_FIELDS'),
    );

    const wrong = (path: string) => setup.owner.get(`${at}/${path}`);
    const range = 'granularity=PT1M&period=PT1H';
    expectFault(
      await wrong(`indexes/shop/books/none/measurements?${asked(names)}`),
      404,
      'PLATFORM_FTS_INDEX_NOT_FOUND',
      ['none'],
    );
    expectFault(await wrong(`measurements?${range}&metrics=NOTHING`), 404, 'INVALID_METRIC_NAME', [
      'NOTHING',
    ]);
    expectFault(await wrong(`measurements?${range}`), 400, 'MISSING_QUERY_PARAMETER', ['metrics']);
    expectFault(
      await wrong('measurements?granularity=PT1X&period=PT1H&metrics=PAGE_FAULTS'),
      400,
      'INVALID_GRANULARITY',
      ['PT1X'],
    );
    expectFault(
      await wrong('measurements?granularity=PT1M&period=soon&metrics=PAGE_FAULTS'),
      400,
      'INVALID_PERIOD',
      ['soon'],
    );
    expectFault(
      await setup.owner.get(`${project}/hosts/127.0.0.1:1000/fts/metrics`),
      404,
      'HOSTNAME_AND_PORT_NOT_FOUND',
      ['127.0.0.1:1000', idIn(project)],
    );
  });
});
