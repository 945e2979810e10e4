import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { type Document, MongoClient } from 'mongodb';
import { adopt, DEPLOYMENTS } from './support/adopted-cluster.ts';
import { ADMINISTRATOR, type OtherServer, otherServer } from './support/adopted-engine.ts';
import { LONG_TIMEOUTS } from './support/drivers.ts';
import { expectStatus, until } from './support/expect.ts';
import { scopeOf } from './support/service.ts';
import { onOneSetup } from './support/setups.ts';
import { idIn, idle, type ListDocument, newProject } from './support/stage.ts';

interface IndexDocument {
  readonly indexID: string;
  readonly name: string;
  readonly status: string;
  readonly queryable: boolean;
  readonly latestDefinition: Document;
  readonly latestDefinitionVersion: { readonly version: number };
}

onOneSetup('PostgreSQL, two instances', 'search indexes of adopted deployments', (setup) => {
  const scope = scopeOf({ after });
  let server: OtherServer;
  let administrator: MongoClient;
  before(async () => {
    server = await otherServer(scope);
    administrator = new MongoClient(server.uri, LONG_TIMEOUTS);
    for (const form of [ADMINISTRATOR.pwd, encodeURIComponent(ADMINISTRATOR.pwd)]) setup.keepOutOfLogs(form);
  });
  after(() => administrator.close());

  /** For one test, adopts the server as a cluster of a new project. */
  async function adopted(t: TestContext, name: string, connectionString = server.uri) {
    const project = await newProject(setup);
    const body = { groupId: idIn(project), name, connectionString };
    const { id } = expectStatus<{ id: string }>(await adopt(setup, body), 201);
    t.after(() => setup.operator.delete(`${DEPLOYMENTS}/${id}`));
    const cluster = `${project}/clusters/${name}`;
    await idle(setup.owner, cluster);
    return { project, cluster, path: `${cluster}/search/indexes` };
  }

  /** For one test, creates a collection with two documents. */
  async function filled(t: TestContext, database: string) {
    const ships = administrator.db(database).collection<Document>('ships');
    await ships.insertMany([{ name: 'Endurance' }, { name: 'Erebus' }]);
    t.after(() => administrator.db(database).dropDatabase());
    return ships;
  }

  const shown = async (path: string) => expectStatus<IndexDocument>(await setup.owner.get(path), 200);
  const ready = (path: string, version = 0) =>
    until(
      'READY',
      () => shown(path),
      ({ status, latestDefinitionVersion }) =>
        status === 'READY' && latestDefinitionVersion.version === version,
    );
  const count = async (project: string, type: string) =>
    expectStatus<ListDocument>(await setup.owner.get(`${project}/events?eventType=${type}`), 200).results
      .length;
  /**
   * Waits until the service has recorded the ends of this number of builds. The cluster can show an index as READY
   * earlier.
   */
  const recordedBuilds = (project: string, number: number) =>
    until(
      `${number} events of builds`,
      () => count(project, 'FTS_INDEX_BUILD_COMPLETE'),
      (recorded) => recorded === number,
    );
  const dynamic = { mappings: { dynamic: true } };
  const fields = { mappings: { dynamic: false, fields: { name: { type: 'string' } } } };

  test('an index is created, queried, changed and deleted on the servers', async (t) => {
    const { project, path } = await adopted(t, 'lookout');
    const ships = await filled(t, 'lookout');
    const body = { database: 'lookout', collectionName: 'ships', name: 'names', definition: dynamic };
    const { indexID } = expectStatus<IndexDocument>(await setup.owner.post(path, body), 201);
    const index = `${path}/${indexID}`;
    await ready(index);
    await recordedBuilds(project, 1);
    const search = [{ $search: { index: 'names', text: { query: 'erebus', path: 'name' } } }];
    const found = await until(
      'a document',
      () => ships.aggregate(search).toArray(),
      ({ length }) => length > 0,
    );
    assert.deepEqual(
      found.map(({ name }) => name),
      ['Erebus'],
    );
    const again = expectStatus<{ errorCode: string }>(await setup.owner.post(path, body), 409);
    assert.equal(again.errorCode, 'PLATFORM_FTS_DUPLICATE_INDEX');
    expectStatus(await setup.owner.patch(index, { definition: fields }), 200);
    const changed = await ready(index, 1);
    await recordedBuilds(project, 2);
    assert.deepEqual([changed.indexID, changed.latestDefinition], [indexID, fields]);
    const [there, ...others] = await ships.listSearchIndexes().toArray();
    // Servers list the default options of fields, too.
    const name = { ...fields.mappings.fields.name, indexOptions: 'offsets', norms: 'include', store: true };
    assert.deepEqual(
      [others, there?.name, (there as Document | undefined)?.latestDefinition],
      [[], 'names', { mappings: { dynamic: false, fields: { name } } }],
    );
    const all = expectStatus<IndexDocument[]>(await setup.owner.get(`${path}/lookout/ships`), 200);
    assert.deepEqual(
      all.map((one) => [one.indexID, one.status, one.queryable]),
      [[indexID, 'READY', true]],
    );
    expectStatus(await setup.owner.delete(index), 204);
    await until(
      'no index',
      () => ships.listSearchIndexes().toArray(),
      ({ length }) => length === 0,
    );
    await until(
      'the end of the row',
      () => setup.owner.get(index),
      ({ status }) => status === 404,
    );
    for (const type of ['FTS_INDEX_CREATED', 'FTS_INDEX_UPDATED', 'FTS_INDEX_CLEANED_UP'])
      assert.equal(await count(project, type), 1, type);
  });

  test('indexes of other clients are listed, and can be changed and deleted', async (t) => {
    const { project, path } = await adopted(t, 'buoy');
    const ships = await filled(t, 'buoy');
    await ships.createSearchIndex({ name: 'theirs', definition: dynamic });
    const list = async () => expectStatus<IndexDocument[]>(await setup.owner.get(`${path}/buoy/ships`), 200);
    const [theirs] = await until('the index', list, ([one]) => one?.status === 'READY');
    const index = `${path}/${theirs?.indexID}`;
    expectStatus(await setup.owner.patch(`${path}/buoy/ships/theirs`, { definition: fields }), 200);
    await ready(`${path}/buoy/ships/theirs`, 1);
    // A change by another client also increases the version of the definition.
    await ships.updateSearchIndex('theirs', dynamic);
    await ready(index, 2);
    expectStatus(await setup.owner.patch(index, { definition: fields }), 200);
    await ready(index, 3);
    await ships.dropSearchIndex('theirs');
    await until(
      'the drop',
      () => count(project, 'FTS_INDEX_CLEANED_UP'),
      (dropped) => dropped === 1,
    );
    expectStatus(await setup.owner.get(index), 404);
  });

  test('an index that the servers reject fails with their reason, and the next change is applied', async (t) => {
    const { path } = await adopted(t, 'reef');
    await filled(t, 'reef');
    const create = async (name: string) => {
      const body = { database: 'reef', collectionName: 'ships', name, definition: dynamic };
      return setup.owner.post(path, body);
    };
    const { indexID } = expectStatus<IndexDocument>(await create('shoal'), 201);
    await ready(`${path}/${indexID}`);
    // The service validates definitions, but only the servers know this collection is a view.
    await administrator.db('reef').createCollection('seen', { viewOn: 'ships', pipeline: [] });
    const body = { database: 'reef', collectionName: 'seen', name: 'view', definition: dynamic };
    const { indexID: other } = expectStatus<IndexDocument>(await setup.owner.post(path, body), 201);
    const failed = await until(
      'FAILED',
      () => shown(`${path}/${other}`),
      ({ status }) => status === 'FAILED',
    );
    assert.match(JSON.stringify(failed), /view/);
  });

  test('without the privileges, search indexes are rejected with the reason', async (t) => {
    const roles = ['clusterMonitor', 'readAnyDatabase'];
    await administrator.db('admin').command({ createUser: 'watcher', pwd: 'spyglass', roles });
    const { path } = await adopted(t, 'fogged', server.uri.replace(/\/\/[^@]*@/, '//watcher:spyglass@'));
    const reply = await setup.owner.get(path);
    const { errorCode, parameters } = expectStatus<{ errorCode: string; parameters: string[] }>(reply, 400);
    const reason =
      'its servers have no search indexes, or the user in the connection string may not change them';
    assert.deepEqual([errorCode, parameters.at(-1)], ['NOT_SUPPORTED_BY_ENGINE', reason]);
  });
});
