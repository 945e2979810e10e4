import assert from 'node:assert/strict';
import { test } from 'node:test';
import { driverFor, newUser } from './support/drivers.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { onOneSetup } from './support/setups.ts';
import { applied, type ListDocument, newCluster, newProject } from './support/stage.ts';

interface SlowQueries {
  readonly slowQueries: ReadonlyArray<{ readonly line: string; readonly namespace: string }>;
}

interface Suggestions {
  readonly shapes: ReadonlyArray<{ readonly id: string; readonly operations: readonly unknown[] }>;
  readonly suggestedIndexes: ReadonlyArray<Record<string, unknown>>;
}

onOneSetup('SQLite, one instance', 'slow operations', (setup) => {
  const get = async <T>(path: string) => expectStatus<T>(await setup.owner.get(path), 200);

  test('slow operations of a process are listed, and an index is suggested until it exists', async (t) => {
    const project = await newProject(setup);
    const cluster = await newCluster(setup, project, 'harbour');
    // The nodes may not be running yet.
    assert.deepEqual(await get(`${cluster}/performanceAdvisor/schemaAdvice`), {
      content: { recommendations: [] },
    });
    const none = { hiddenIndexes: [], redundantIndexes: [], unusedIndexes: [] };
    assert.deepEqual(await get(`${cluster}/performanceAdvisor/dropIndexSuggestions`), { content: none });
    const roles = ['readWriteAnyDatabase', 'dbAdminAnyDatabase'].map((roleName) => ({
      roleName,
      databaseName: 'admin',
    }));
    await newUser(setup, project, 'sailor', { roles });
    expectStatus(await setup.owner.post(`${project}/accessList`, [{ ipAddress: '127.0.0.1' }]), 201);
    await applied(setup.owner, cluster);
    const driver = await driverFor(setup, cluster);
    t.after(() => driver.close());
    const database = driver.db('harbour');
    const ships = database.collection('ships');
    await ships.insertMany(Array.from({ length: 50 }, (_, n) => ({ name: `ship ${n}`, length: n })));
    await database.command({ profile: 0, slowms: -1 });
    const filter = { name: 'ship 49', length: { $gt: 3 } };
    await ships.find(filter).sort({ length: -1 }).toArray();
    await database.command({ profile: 0, slowms: 100 });

    const { results } = await get<ListDocument<{ id: string; typeName: string }>>(`${project}/processes`);
    const primary = results.find(({ typeName }) => typeName === 'REPLICA_PRIMARY');
    assert.ok(primary);
    const path = `${project}/processes/${primary.id}/performanceAdvisor`;
    const logs = `${path}/slowQueryLogs?namespaces=harbour.ships`;
    const { slowQueries } = await until(
      'the log line',
      () =>
        get<SlowQueries>(`${logs}&includeMetrics=true&includeOpType=true&includeReplicaState=true&nLogs=1`),
      (found) => found.slowQueries.length > 0,
    );
    const [{ line, ...slow } = assert.fail()] = slowQueries;
    assert.partialDeepStrictEqual(JSON.parse(line), { msg: 'Slow query', attr: { ns: 'harbour.ships' } });
    assert.partialDeepStrictEqual(slow, {
      metrics: {
        docsExamined: 50,
        docsExaminedReturnedRatio: 50,
        docsReturned: 1,
        fromUserConnection: true,
        hasIndexCoverage: false,
        hasSort: true,
        keysExamined: 0,
      },
      namespace: 'harbour.ships',
      opType: 'find',
      replicaState: 'PRIMARY',
    });
    assert.deepEqual(await get(`${path}/slowQueryLogs?namespaces=harbour.boats`), { slowQueries: [] });
    assert.deepEqual(await get(`${logs}&since=0&duration=1`), { slowQueries: [] });
    assert.deepEqual(await get(`${path}/namespaces`), {
      namespaces: [{ namespace: 'harbour.ships', type: 'collection' }],
    });
    const suggestions = () => get<Suggestions>(`${path}/suggestedIndexes?nExamples=1`);
    const { shapes, suggestedIndexes } = await suggestions();
    const [{ id, operations } = assert.fail()] = shapes;
    assert.partialDeepStrictEqual(operations, [
      { predicates: [filter], stats: { nReturned: 1, nScanned: 50 } },
    ]);
    assert.partialDeepStrictEqual(suggestedIndexes, [
      { impact: [id], index: [{ name: 1 }, { length: -1 }], namespace: 'harbour.ships' },
    ]);
    const whole = await get<{ content: Suggestions }>(`${cluster}/performanceAdvisor/suggestedIndexes`);
    assert.deepEqual(whole.content.suggestedIndexes, suggestedIndexes);
    const rolling = { db: 'harbour', collection: 'ships', keys: [{ name: '1' }, { length: '-1' }] };
    const built = await setup.owner.post(`${cluster}/index`, { ...rolling, options: { sparse: true } });
    assert.deepEqual(expectStatus(built, 202), {});
    const indexes = await until(
      'the index',
      () => ships.indexes(),
      (found) => found.length > 1,
    );
    const { v: _, ...index } = indexes[1] ?? assert.fail();
    assert.deepEqual(index, { key: { name: 1, length: -1 }, name: 'name_1_length_-1', sparse: true });
    await ships.createIndex({ name: 1 });
    await ships.createIndex({ name: 1, built: 1 });
    await ships.createIndex({ length: 1 }, { hidden: true });
    const { content } = await get<{ content: Record<string, Record<string, unknown>[]> }>(
      `${cluster}/performanceAdvisor/dropIndexSuggestions`,
    );
    const found = Object.entries(content).map(([reason, list]) => [reason, ...list.map(({ name }) => name)]);
    assert.deepEqual(found, [
      ['hiddenIndexes', 'length_1'],
      ['redundantIndexes', 'name_1'],
      ['unusedIndexes'],
    ]);
    await database.collection('crews').insertOne({ names: new Array(10_001).fill('') });
    const advice = await get<{ content: { recommendations: Record<string, unknown>[] } }>(
      `${cluster}/performanceAdvisor/schemaAdvice`,
    );
    assert.partialDeepStrictEqual(advice.content.recommendations, [
      { affectedNamespaces: [{ namespace: 'harbour.crews' }], recommendation: 'AVOID_UNBOUNDED_ARRAY' },
    ]);
    const impossible = { ...rolling, keys: [{ name: 'nonsense' }] };
    expectStatus(await setup.owner.post(`${cluster}/index`, impossible), 202);
    const failures = `${project}/events?eventType=ROLLING_INDEX_FAILED_INDEX_BUILD`;
    const failed = await until(
      'the failure',
      () => get<ListDocument>(failures),
      (found) => found.results.length > 0,
    );
    assert.equal(failed.results[0]?.clusterName, 'harbour');
    assert.deepEqual(await suggestions(), { shapes: [], suggestedIndexes: [] });
    await ships.drop();
    assert.deepEqual(await suggestions(), { shapes: [], suggestedIndexes: [] });
    const missing = await setup.owner.get(`${project}/processes/nowhere:1/performanceAdvisor/namespaces`);
    const parameters = ['nowhere:1', project.slice('/groups/'.length)];
    expectFault(missing, 404, 'HOSTNAME_AND_PORT_NOT_FOUND', parameters);
  });

  test('the managed threshold of a project can be turned off and on', async () => {
    const path = `${await newProject(setup)}/managedSlowMs`;
    assert.equal(await get(path), true);
    for (const _ of [1, 2]) expectStatus(await setup.owner.delete(`${path}/disable`), 204);
    assert.equal(await get(path), false);
    for (const _ of [1, 2]) expectStatus(await setup.owner.post(`${path}/enable`, undefined), 204);
    assert.equal(await get(path), true);
  });
});
