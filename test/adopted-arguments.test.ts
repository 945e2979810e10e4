import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { type Document, MongoClient } from 'mongodb';
import { adopt, DEPLOYMENTS } from './support/adopted-cluster.ts';
import { ADMINISTRATOR, type OtherServer, otherServer } from './support/adopted-engine.ts';
import { LONG_TIMEOUTS } from './support/drivers.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { scopeOf } from './support/service.ts';
import { onOneSetup } from './support/setups.ts';
import { idIn, idle, type ListDocument, newProject } from './support/stage.ts';

onOneSetup('PostgreSQL, two instances', 'process arguments of adopted deployments', (setup) => {
  const scope = scopeOf({ after });
  let server: OtherServer;
  let administrator: MongoClient;
  before(async () => {
    server = await otherServer(scope);
    administrator = new MongoClient(server.uri, LONG_TIMEOUTS);
    for (const form of [ADMINISTRATOR.pwd, encodeURIComponent(ADMINISTRATOR.pwd)]) setup.keepOutOfLogs(form);
  });
  after(() => administrator.close());

  const run = (command: Document) => administrator.db('admin').command(command);

  /** For one test, adopts the server as a cluster of a new project. */
  async function adopted(t: TestContext, name: string, connectionString = server.uri) {
    const project = await newProject(setup);
    const body = { groupId: idIn(project), name, connectionString };
    const { id } = expectStatus<{ id: string }>(await adopt(setup, body), 201);
    t.after(() => setup.operator.delete(`${DEPLOYMENTS}/${id}`));
    const cluster = `${project}/clusters/${name}`;
    await idle(setup.owner, cluster);
    return { project, id, cluster, path: `${cluster}/processArgs` };
  }

  /** Changes arguments. Returns the response, after the change has been applied. */
  async function change(cluster: string, body: object): Promise<Document> {
    const reply = await setup.owner.patch(`${cluster}/processArgs`, body);
    const shown = expectStatus<Document>(reply, 200);
    await idle(setup.owner, cluster);
    return shown;
  }

  async function requireShown(path: string, expected: Document): Promise<void> {
    const { links: _, ...shown } = expectStatus<Document>(await setup.owner.get(path), 200);
    assert.deepEqual(shown, expected);
  }

  const valueOnServers = async (name: string) => (await run({ getParameter: 1, [name]: 1 }))[name];

  test('process arguments are those of the servers, and changes reach them', async (t) => {
    const { project, cluster, path } = await adopted(t, 'windlass');
    const { links: _, ...before } = expectStatus<Document>(await setup.owner.get(path), 200);
    assert.deepEqual(
      [before.noTableScan, before.transactionLifetimeLimitSeconds, before.defaultWriteConcern],
      [false, 60, 'majority'],
    );
    // The servers do not report this argument, so its value is unknown.
    assert.equal('javascriptEnabled' in before, false);
    const body = { transactionLifetimeLimitSeconds: 30, defaultMaxTimeMS: 5000, defaultWriteConcern: '2' };
    const submitted = await change(cluster, body);
    assert.equal(submitted.transactionLifetimeLimitSeconds, 30);
    assert.equal(await valueOnServers('transactionLifetimeLimitSeconds'), 30);
    const { clusterParameters } = await run({ getClusterParameter: 'defaultMaxTimeMS' });
    assert.equal(Number(clusterParameters[0].readOperations), 5000);
    assert.equal((await run({ getDefaultRWConcern: 1 })).defaultWriteConcern.w, 2);
    await requireShown(path, { ...before, ...body });
    const types = expectStatus<ListDocument<{ eventTypeName: string }>>(
      await setup.owner.get(`${project}/events`),
      200,
    ).results.map(({ eventTypeName }) => eventTypeName);
    assert.ok(types.includes('CLUSTER_PROCESS_ARGS_UPDATE_SUBMITTED'), String(types));
    assert.ok(types.includes('CLUSTER_UPDATE_COMPLETED'));
    // Null sets the default value.
    await change(cluster, {
      transactionLifetimeLimitSeconds: null,
      defaultMaxTimeMS: null,
      defaultWriteConcern: null,
    });
    assert.equal(await valueOnServers('transactionLifetimeLimitSeconds'), 60);
    await requireShown(path, before);
  });

  test('an argument that a restart of the servers resets is set again', async (t) => {
    const { cluster } = await adopted(t, 'bilge');
    await change(cluster, { transactionLifetimeLimitSeconds: 45 });
    await run({ setParameter: 1, transactionLifetimeLimitSeconds: 90 });
    await until(
      'the argument of the cluster',
      () => valueOnServers('transactionLifetimeLimitSeconds'),
      (value) => value === 45,
    );
    await change(cluster, { transactionLifetimeLimitSeconds: null });
  });

  test('changes of arguments that no caller has set are shown, and stay', async (t) => {
    const { cluster, path } = await adopted(t, 'capstan');
    await run({ setParameter: 1, notablescan: true });
    await until(
      'the value of the servers',
      async () => expectStatus<Document>(await setup.owner.get(path), 200).noTableScan,
      (value) => value === true,
    );
    await change(cluster, { defaultMaxTimeMS: 1000 });
    assert.equal(await valueOnServers('notablescan'), true);
    await run({ setParameter: 1, notablescan: false });
    await change(cluster, { defaultMaxTimeMS: null });
  });

  test('arguments that running servers do not accept are rejected with the reason', async (t) => {
    const { cluster, path } = await adopted(t, 'hawser');
    for (const body of [{ javascriptEnabled: false }, { oplogSizeMB: 2000 }, { queryStatsLogVerbosity: 1 }]) {
      const reply = await setup.owner.patch(path, body);
      const { errorCode, parameters } = expectStatus<{ errorCode: string; parameters: string[] }>(reply, 400);
      const reason = 'its servers are configured outside Portolan';
      assert.deepEqual([errorCode, parameters.at(-1)], ['NOT_SUPPORTED_BY_ENGINE', reason]);
    }
    assert.equal((await idle(setup.owner, cluster)).stateName, 'IDLE');
  });

  test('a pinned feature compatibility version is kept on the servers until the pin ends', async (t) => {
    const [low, high] = ['8.0', '8.2'];
    const setOnServers = (version: string) => run({ setFeatureCompatibilityVersion: version, confirm: true });
    const versionOnServers = async () => (await valueOnServers('featureCompatibilityVersion')).version;
    await setOnServers(low);
    const { cluster } = await adopted(t, 'rudder');
    const shownVersion = async () =>
      expectStatus<Document>(await setup.owner.get(cluster), 200).featureCompatibilityVersion;
    expectStatus(await setup.owner.post(`${cluster}:pinFeatureCompatibilityVersion`, {}), 204);
    await idle(setup.owner, cluster);
    assert.equal(await shownVersion(), low);
    await setOnServers(high);
    await until('the pinned version', versionOnServers, (version) => version === low);
    expectStatus(await setup.owner.post(`${cluster}:unpinFeatureCompatibilityVersion`, {}), 204);
    await until('the version of the release', versionOnServers, (version) => version === high);
    // Without a pin, the service does not change the version.
    await idle(setup.owner, cluster);
    await setOnServers(low);
    await until('the version of the servers', shownVersion, (version) => version === low);
    await change(cluster, { defaultMaxTimeMS: 1000 });
    assert.equal(await versionOnServers(), low);
    await change(cluster, { defaultMaxTimeMS: null });
    await setOnServers(high);
  });

  test('refused arguments are reported, and the cluster stays IDLE', async (t) => {
    const { project, id, cluster } = await adopted(t, 'anchor');
    // The servers accept at most 2,147,483,647.
    await change(cluster, { transactionLifetimeLimitSeconds: 2_147_483_648 });
    const { refusedArguments } = expectStatus<Document>(
      await setup.operator.get(`${DEPLOYMENTS}/${id}`),
      200,
    );
    assert.equal(
      refusedArguments[0]?.name,
      'transactionLifetimeLimitSeconds',
      JSON.stringify(refusedArguments),
    );
    const events = `${project}/events?eventType=CLUSTER_PROCESS_ARGS_NOT_APPLIED`;
    const { results } = expectStatus<ListDocument<Document>>(await setup.owner.get(events), 200);
    assert.match(String(results[0]?.reason), /^transactionLifetimeLimitSeconds: /);
    await change(cluster, { transactionLifetimeLimitSeconds: null });
    const { refusedArguments: none } = expectStatus<Document>(
      await setup.operator.get(`${DEPLOYMENTS}/${id}`),
      200,
    );
    assert.deepEqual(none, []);
  });

  test('a user with some of the privileges changes some of the arguments', async (t) => {
    const privileges = [{ resource: { cluster: true }, actions: ['setParameter', 'getParameter'] }];
    const roles = ['clusterMonitor', 'readAnyDatabase'];
    await run({ createRole: 'tuner', privileges, roles: [] });
    await run({ createUser: 'tuner', pwd: 'spyglass', roles: [...roles, 'tuner'] });
    await run({ createUser: 'watcher', pwd: 'spyglass', roles });
    const as = (user: string) => server.uri.replace(/\/\/[^@]*@/, `//${user}:spyglass@`);
    const { id, path, cluster } = await adopted(t, 'tuned', as('tuner'));
    const parameters = ['defaultMaxTimeMS', 'tuned'];
    const refused = await setup.owner.patch(path, { defaultMaxTimeMS: 10 });
    expectFault(refused, 400, 'PROCESS_ARGUMENT_NOT_ACCEPTED', parameters);
    await change(cluster, { noTableScan: false });
    expectStatus(await setup.operator.delete(`${DEPLOYMENTS}/${id}`), 204);
    const watched = await adopted(t, 'watched', as('watcher'));
    for (const reply of [
      await setup.owner.get(watched.path),
      await setup.owner.patch(watched.path, { noTableScan: true }),
    ])
      assert.equal(expectStatus<{ errorCode: string }>(reply, 400).errorCode, 'NOT_SUPPORTED_BY_ENGINE');
  });

  test('the feature compatibility version is that of the servers', async (t) => {
    const { cluster } = await adopted(t, 'keel');
    const shown = async () =>
      expectStatus<Document>(await setup.owner.get(cluster), 200).featureCompatibilityVersion;
    assert.equal(await shown(), '8.2');
    await run({ setFeatureCompatibilityVersion: '8.0', confirm: true });
    try {
      await until('the version', shown, (version) => version === '8.0');
    } finally {
      await run({ setFeatureCompatibilityVersion: '8.2', confirm: true });
    }
    await until('the version', shown, (version) => version === '8.2');
  });
});
