import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { Document } from 'mongodb';
import { allowAccess, driverFor } from './support/drivers.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { timed } from './support/setups.ts';
import { newCluster, newProject } from './support/stage.ts';
import { eventTypes } from './support/users.ts';

interface OnHost {
  readonly status: string;
  readonly message?: string;
  readonly definitionVersion: { readonly version: number };
}

interface Index {
  readonly indexID: string;
  readonly status: string;
  readonly queryable: boolean;
  readonly synonymMappingStatus?: string;
  readonly synonymMappingStatusDetail?: unknown;
  readonly statusDetail?: ReadonlyArray<{
    readonly status: string;
    readonly mainIndex?: OnHost;
    readonly stagedIndex?: OnHost;
  }>;
}

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
const dynamic = { mappings: { dynamic: true } };
/** How long to wait for the engine to complete a write. */
const BUSY_MS = 120_000;

/** Turns off alerts, since alerts about processors would record events that depend on the load of the machine. */
const WITHOUT_ALERTS = { withDefaultAlertsSettings: false };
const body = (name: string, definition: object = dynamic, more: object = {}) => {
  return { collectionName: 'books', database: 'shop', name, definition, ...more };
};

timed.onOneSetup('SQLite, one instance', 'the states of search indexes', (setup) => {
  const stage = async () => {
    const project = await newProject(setup, WITHOUT_ALERTS);
    const cluster = await newCluster(setup, project, 'library');
    await allowAccess(setup, project, cluster);
    const driver = await driverFor(setup, cluster);
    const at = `${cluster}/search/indexes`;
    const path = (name: string) => `${at}/shop/books/${name}`;
    const state = async (name: string) => expectStatus<Index>(await setup.owner.get(path(name)), 200);
    const inState = (name: string, fits: (index: Index) => boolean) => until(name, () => state(name), fits);
    return { project, cluster, driver, shop: driver.db('shop'), at, path, state, inState };
  };
  /**
   * Moves the clock, which triggers a check at once, and waits for events. Polls slowly, since the rate limit permits
   * only a hundred requests per minute.
   */
  const toldOf = (project: string, fits: (types: readonly string[]) => boolean) =>
    until(
      'the events',
      async () => {
        expectStatus(await setup.operator.patch('/operator/v1/clock', { advanceSeconds: 1 }), 200);
        return (await eventTypes(setup.owner, project)).filter((type) => type.startsWith('FTS_'));
      },
      fits,
      undefined,
      500,
    );
  const eventsOf = (project: string, ...wanted: string[]) =>
    toldOf(project, (types) => wanted.every((type) => types.includes(type)));
  const countOf = (wanted: string, types: readonly string[]) =>
    types.filter((type) => type === wanted).length;

  test('changes by drivers produce the same events as changes through the API', async (t) => {
    const { project, driver, shop, path, inState } = await stage();
    t.after(() => driver.close());
    const books = shop.collection<Document>('books');
    await books.insertOne({ title: 'A harbour' });
    await books.createSearchIndex({ name: 'own', definition: dynamic });
    await eventsOf(project, 'FTS_INDEX_CREATED', 'FTS_INDEX_BUILD_COMPLETE');
    await inState('own', ({ status, queryable }) => status === 'READY' && queryable);
    await books.updateSearchIndex('own', { analyzer: 'lib.english', ...dynamic });
    await eventsOf(project, 'FTS_INDEX_UPDATED');
    await books.dropSearchIndex('own');
    const types = await eventsOf(project, 'FTS_INDEX_DELETED', 'FTS_INDEX_CLEANED_UP');
    assert.equal(types.filter((type) => type === 'FTS_INDEX_CREATED').length, 1);
    expectFault(await setup.owner.get(path('own')), 404, 'PLATFORM_FTS_INDEX_NOT_FOUND', ['own']);
  });

  test('an index without a collection waits for it, and ends when the collection is dropped', async (t) => {
    const { cluster, driver, shop, at, inState } = await stage();
    t.after(() => driver.close());
    const { indexID } = expectStatus<Index>(await setup.owner.post(at, body('early')), 201);
    const missing = await inState('early', ({ status }) => status === 'DOES_NOT_EXIST');
    assert.equal(missing.queryable, false);
    assert.deepEqual(
      missing.statusDetail?.map(({ status, mainIndex }) => [status, mainIndex?.message]),
      Array.from({ length: 3 }, () => ['DOES_NOT_EXIST', 'the collection does not exist']),
    );
    await shop.collection('books').insertOne({ title: 'A harbour' });
    await setup.operator.patch('/operator/v1/clock', { advanceSeconds: 10 });
    await inState('early', ({ status }) => status === 'READY');
    await shop.dropCollection('books');
    const dropped = await inState('early', ({ status }) => status === 'DOES_NOT_EXIST');
    assert.equal(dropped.queryable, false);
    const former = `/api/service/v1.0${cluster.replace(/^\/api\/service\/v2/, '')}/fts/indexes/${indexID}`;
    assert.equal(expectStatus(await setup.owner.get(former), 200).status, 'FAILED');
    expectStatus(await setup.owner.patch(cluster, { paused: true }), 200);
    assert.equal(expectStatus(await setup.owner.get(former), 200).status, 'PAUSED');
  });

  test('the previous version serves queries while the new one is staged', async (t) => {
    const { driver, shop, at, path, state, inState } = await stage();
    t.after(() => driver.close());
    const books = shop.collection<Document>('books');
    const text = 'a harbour at night '.repeat(20);
    await books.insertMany(Array.from({ length: 4_000 }, (_, n) => ({ title: `${text}${n}` })));
    expectStatus(await setup.owner.post(at, body('words')), 201);
    await inState('words', ({ status }) => status === 'READY');
    const staged = ({ statusDetail }: Index) => statusDetail?.[0]?.stagedIndex !== undefined;
    const serves = ({ statusDetail }: Index, version: number) =>
      statusDetail?.[0]?.mainIndex?.definitionVersion.version === version;
    let building: Index | undefined;
    let version = 0;
    // If the staged version was ready before the service noticed it, repeat with another version.
    while (building === undefined || !staged(building)) {
      const definition = { analyzer: version % 2 === 0 ? 'lib.english' : 'lib.german', ...dynamic };
      expectStatus(await setup.owner.patch(path('words'), { definition }), 200);
      version++;
      building = await inState('words', (index) => staged(index) || serves(index, version));
    }
    const [host] = building.statusDetail ?? [];
    assert.deepEqual([building.status, building.queryable], ['BUILDING', true]);
    assert.deepEqual(
      [host?.mainIndex?.status, host?.mainIndex?.definitionVersion.version],
      ['READY', version - 1],
    );
    assert.deepEqual(
      [host?.stagedIndex?.status, host?.stagedIndex?.definitionVersion.version],
      ['BUILDING', version],
    );
    const search = { index: 'words', text: { query: 'harbour', path: 'title' } };
    assert.equal((await books.aggregate([{ $search: search }, { $limit: 1 }]).toArray()).length, 1);
    await inState('words', ({ status }) => status === 'READY');
    const [after] = (await state('words')).statusDetail ?? [];
    assert.deepEqual([after?.mainIndex?.definitionVersion.version, after?.stagedIndex], [version, undefined]);
  });

  test('the status of synonyms follows their source documents', async (t) => {
    const { project, driver, shop, at, inState } = await stage();
    t.after(() => driver.close());
    await shop.collection('books').insertOne({ title: 'A harbour' });
    const words = shop.collection<{ _id: number; [field: string]: unknown }>('words');
    await words.insertMany([
      { _id: 1, mappingType: 'equivalent', synonyms: ['harbour', 'port'] },
      { _id: 2, mappingType: 'explicit', synonyms: ['quay'] },
    ]);
    const synonyms = [{ name: 'ports', analyzer: 'lib.standard', source: { collection: 'words' } }];
    expectStatus(await setup.owner.post(at, body('alike', { ...dynamic, synonyms })), 201);
    const bad = await inState('alike', ({ status }) => status === 'READY');
    const message = 'document 2: "input" must be a list of words that is not empty';
    assert.equal(bad.synonymMappingStatus, 'FAILED');
    assert.deepEqual(bad.synonymMappingStatusDetail, [
      { ports: { message, queryable: false, status: 'FAILED' } },
    ]);
    await eventsOf(project, 'FTS_INDEX_BUILD_COMPLETE', 'FTS_INDEXES_SYNONYM_MAPPING_INVALID');
    await words.updateOne({ _id: 2 }, { $set: { input: ['pier'] } });
    const good = await inState('alike', ({ synonymMappingStatus }) => synonymMappingStatus === 'READY');
    assert.deepEqual(good.synonymMappingStatusDetail, [{ ports: { queryable: true, status: 'READY' } }]);
    await words.deleteMany({});
    // The test does not know whether the service noticed the index while it was valid. Drop it, and create another one.
    await shop.collection('books').dropSearchIndex('alike');
    await shop.collection('books').createSearchIndex({ name: 'later', definition: { ...dynamic, synonyms } });
    await toldOf(project, (types) => countOf('FTS_INDEX_BUILD_COMPLETE', types) === 2);
    await words.insertOne({ _id: 3 });
    await toldOf(project, (types) => countOf('FTS_INDEXES_SYNONYM_MAPPING_INVALID', types) === 2);
  });

  test('an index whose file cannot be written stays searchable, and catches up when it can', async (t) => {
    const { project, cluster, driver, shop, at, inState } = await stage();
    t.after(() => driver.close());
    const books = shop.collection<Document>('books');
    await books.insertOne({ title: 'A harbour' });
    expectStatus(await setup.owner.post(at, body('words')), 201);
    await inState('words', ({ status }) => status === 'READY');
    const { id } = expectStatus<{ id: string }>(await setup.owner.get(cluster), 200);
    const [folder = ''] = setup.instances.map(({ dataDirectory }) => dataDirectory);
    const path = join(folder, 'engine/clusters', id, 'search.db');
    const file = new DatabaseSync(path, { timeout: BUSY_MS });
    t.after(() => file.close());
    file.exec('BEGIN IMMEDIATE');
    await books.insertOne({ title: 'Another harbour' });
    await eventsOf(project, 'FTS_INDEX_STALE');
    const { queryable, statusDetail } = await inState('words', ({ status }) => status === 'STALE');
    assert.equal(queryable, true);
    assert.match(statusDetail?.[0]?.mainIndex?.message ?? '', /search\.db is in use/);
    const search = { index: 'words', text: { query: 'harbour', path: 'title' } };
    const found = async () => (await books.aggregate([{ $search: search }]).toArray()).length;
    assert.equal(await found(), 1);
    file.exec('ROLLBACK');
    await inState('words', ({ status }) => status === 'READY');
    await until('the other one', found, (count) => count === 2);
  });

  test('shared-tier clusters have a limited number of indexes, and old versions have no vector indexes', async () => {
    const project = await newProject(setup);
    const [free, old] = await Promise.all([
      newCluster(setup, project, 'free', FREE),
      newCluster(setup, project, 'old', { dbMajorVersion: '5.0' }),
    ]);
    const at = `${free}/search/indexes`;
    const synonyms = ['a', 'b'].map((name) => {
      return { name, analyzer: 'lib.standard', source: { collection: 'words' } };
    });
    expectFault(
      await setup.owner.post(at, body('alike', { ...dynamic, synonyms })),
      400,
      'INVALID_ATTRIBUTE',
      ['definition.synonyms'],
    );
    for (const name of ['one', 'two', 'three']) expectStatus(await setup.owner.post(at, body(name)), 201);
    expectFault(await setup.owner.post(at, body('four')), 400, 'INVALID_ATTRIBUTE', ['name']);
    const fields = [{ type: 'vector', path: 'v', numDimensions: 2, similarity: 'cosine' }];
    const vectors = body('near', { fields }, { type: 'vectorSearch' });
    expectFault(
      await setup.owner.post(`${old}/search/indexes`, vectors),
      400,
      'UNSUPPORTED_DB_VERSION_FOR_FTS',
      ['5.0', '6.0'],
    );
  });
});
