import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { MongoClient } from 'mongodb';
import { adopt, DEPLOYMENTS, LATE, newOrigin } from './support/adopted-cluster.ts';
import { ADMINISTRATOR, type OtherServer, otherServer } from './support/adopted-engine.ts';
import { customerCertificate } from './support/customer-certificate.ts';
import { LONG_TIMEOUTS } from './support/drivers.ts';
import { checkLacks } from './support/engine-claims.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { freePort } from './support/ports.ts';
import { runCommand, scopeOf } from './support/service.ts';
import { onOneSetup, openSetup, own } from './support/setups.ts';
import { applied, gone, idIn, idle, type ListDocument, newProject } from './support/stage.ts';
import { replicaSet, standInServer } from './support/stand-in-server.ts';

interface AdoptedDocument {
  readonly id: string;
  readonly hosts: readonly string[];
  readonly missingCapabilities: readonly { readonly name: string; readonly reason: string }[];
  readonly problem?: string;
  readonly stateName: string;
  readonly users?: readonly object[];
}

onOneSetup('PostgreSQL, two instances', 'adopted deployments', (setup) => {
  const scope = scopeOf({ after });
  let server: OtherServer;
  before(async () => {
    server = await otherServer(scope);
    setup.keepOutOfLogs(ADMINISTRATOR.pwd);
    setup.keepOutOfLogs(encodeURIComponent(ADMINISTRATOR.pwd));
  });

  /**
   * For one test, adopts the server as a cluster of a new project. Returns the paths of the cluster and the project,
   * and the deployment.
   */
  async function adopted(t: TestContext, name: string, connectionString = server.uri) {
    const project = await newProject(setup);
    const body = { groupId: idIn(project), name, connectionString };
    const deployment = expectStatus<AdoptedDocument>(await adopt(setup, body), 201);
    const cluster = `${project}/clusters/${name}`;
    t.after(() => setup.operator.delete(`${DEPLOYMENTS}/${deployment.id}`));
    await idle(setup.owner, cluster);
    return { project, cluster, deployment };
  }

  const listed = async <T = Record<string, unknown>>(path: string) =>
    expectStatus<ListDocument<T>>(await setup.owner.get(path), 200).results;

  test('a running deployment becomes a cluster', async (t) => {
    const { project, cluster, deployment } = await adopted(t, 'harbour');
    const {
      id,
      created: _,
      links: _links,
      missingCapabilities,
      ...shown
    } = deployment as AdoptedDocument & Record<string, unknown>;
    assert.deepEqual(shown, {
      accountProblems: [],
      databases: shown.databases,
      groupId: idIn(project),
      hosts: server.hosts,
      name: 'harbour',
      refusedArguments: [],
      replicaSets: ['engine'],
      stateName: 'CREATING',
      topology: 'REPLICA_SET',
      users: shown.users,
      version: '8.2.0',
    });
    assert.ok(shown.users?.some((user) => JSON.stringify(user).includes(ADMINISTRATOR.user)));
    assert.ok(missingCapabilities.some(({ name }) => name === 'pause'));
    const document = expectStatus(await setup.owner.get(cluster), 200);
    const hosts = server.hosts.join(',');
    assert.deepEqual(
      [document.id, document.dbVersion, document.replicationFactor, document.connectionStrings],
      [id, '8.2.0', 3, { standard: `mongodb://${hosts}/?authSource=admin&replicaSet=engine` }],
    );
    // On a busy machine, a member can seem down for a moment.
    const types = 'REPLICA_PRIMARY REPLICA_SECONDARY REPLICA_SECONDARY';
    const processes = await until(
      'one primary and two secondaries',
      () => listed<{ id: string; typeName: string; replicaSetName: string }>(`${project}/processes`),
      (all) =>
        all
          .map(({ typeName }) => typeName)
          .sort()
          .join(' ') === types,
    );
    assert.deepEqual(
      processes.map((one) => one.id),
      server.hosts,
    );
    assert.deepEqual([...new Set(processes.map((one) => one.replicaSetName))], ['engine']);
  });

  test('the operator replaces a connection string whose password has changed', async (t) => {
    const other = await otherServer(scope);
    const driver = await MongoClient.connect(other.uri, LONG_TIMEOUTS);
    t.after(() => driver.close());
    const keeper = { user: 'keeper', pwd: 'first-secret' };
    const rights = ['clusterMonitor', 'readAnyDatabase'].map((role) => ({ role, db: 'admin' }));
    await driver.db('admin').command({ createUser: keeper.user, pwd: keeper.pwd, roles: rights });
    const asKeeper = (password: string) => other.uri.replace(/\/\/[^@]*@/, `//${keeper.user}:${password}@`);
    const { project, cluster, deployment } = await adopted(t, 'buoy', asKeeper(keeper.pwd));
    const path = `${DEPLOYMENTS}/${deployment.id}`;
    await driver.db('admin').command({ updateUser: keeper.user, pwd: 'second-secret' });

    const wrong = await setup.operator.patch(path, { connectionString: asKeeper('third-secret') });
    expectFault(wrong, 400, 'DEPLOYMENT_NOT_USABLE', ['Authentication failed.']);
    const elsewhere = await setup.operator.patch(path, { connectionString: server.uri });
    expectFault(elsewhere, 409, 'DEPLOYMENT_HAS_OTHER_SERVERS', ['buoy', other.hosts.join(', ')]);
    const changed = await setup.operator.patch(path, { connectionString: asKeeper('second-secret') });
    assert.ok(!/mongodb:|-secret/.test(changed.text));
    assert.equal(expectStatus<AdoptedDocument>(changed, 200).id, deployment.id);

    // After a restart of the servers, all instances of the service must log in again.
    const isInState = (state: string) =>
      until(
        state,
        () => setup.operator.get(path),
        (reply) => expectStatus<AdoptedDocument>(reply, 200).stateName === state,
      );
    await other.kill();
    await isInState('REPAIRING');
    await other.start();
    await isInState('IDLE');
    await idle(setup.owner, cluster);
    const events = await listed<{ eventTypeName: string }>(`${project}/events`);
    assert.ok(events.some(({ eventTypeName }) => eventTypeName === 'DEPLOYMENT_CONNECTION_CHANGED'));
  });

  test('the operator sees adopted deployments, and nobody sees their connection strings', async (t) => {
    const { deployment } = await adopted(t, 'lighthouse');
    const path = `${DEPLOYMENTS}/${deployment.id}`;
    const one = await until(
      'IDLE',
      () => setup.operator.get(path),
      (reply) => expectStatus<AdoptedDocument>(reply, 200).stateName === 'IDLE',
    );
    const all = await setup.operator.get(DEPLOYMENTS);
    const found = expectStatus<ListDocument<AdoptedDocument>>(all, 200).results;
    assert.ok(found.some(({ id }) => id === deployment.id));
    for (const { text } of [one, all]) assert.ok(!/mongodb:|anchors/.test(text));
    expectStatus(await setup.owner.get(path), 401);
    expectFault(await setup.operator.get(`${DEPLOYMENTS}/${'0'.repeat(24)}`), 404, 'DEPLOYMENT_NOT_FOUND', [
      '0'.repeat(24),
    ]);
  });

  test('what docs/engines.md says that the engine lacks is rejected with the reason', async (t) => {
    const { project, cluster, deployment } = await adopted(t, 'quay');
    const { owner, operator } = setup;
    const bi = { biConnector: { enabled: true } };
    await checkLacks(
      'adopted',
      [
        () => owner.patch(cluster, { diskSizeGB: 500 }),
        // No value of these fields would be accepted, so invalid values are rejected for the same reason.
        () => owner.patch(cluster, { diskSizeGB: 100_000 }),
        () => owner.patch(cluster, { numShards: 3 }),
        () => owner.patch(cluster, { clusterType: 'GEOSHARDED' }),
        () => owner.patch(cluster, { dbMajorVersion: '7.0' }),
        () => owner.patch(`${cluster}/processArgs`, { oplogMinRetentionHours: 5 }),
        () => owner.patch(cluster, { autoScaling: { diskGBEnabled: true } }),
        () => owner.patch(cluster, bi),
        () => owner.patch(cluster, { versionReleaseSystem: 'CONTINUOUS' }),
        () => owner.patch(cluster, { paused: true }),
        () => owner.patch(`${cluster}/processArgs`, { javascriptEnabled: false }),
        () => owner.patch(`${cluster}/processArgs`, { oplogSizeMB: 2000 }),
        () => owner.post(`${cluster}/outageSimulation`, outage),
        () => owner.patch(cluster, { encryptionAtRestProvider: 'AWS' }),
        () => owner.get(`${project}/clusters/127.0.0.1/logs/db-audit-log.gz`),
        () => owner.get(`${cluster}/fts/analyzers`),
        () => owner.get(`${project}/hosts/${server.hosts[0]}/fts/metrics`),
        () => owner.get(`${cluster}/search/deployment`),
        () => owner.post(`${cluster}/commands`, { database: 'x', command: { ping: 1 } }),
        () => operator.post('/operator/v1/faults', wireFault(idIn(project), 'quay')),
      ],
      UNREACHED,
    );
    const names = deployment.missingCapabilities.map(({ name }) => name);
    assert.ok(names.includes('pause') && !names.includes('snapshots'), String(names));
    assert.equal((await idle(owner, cluster)).stateName, 'IDLE');
  });

  test('settings of the service, sample data and indexes work', async (t) => {
    const { project, cluster } = await adopted(t, 'depot');
    const tags = [{ key: 'berth', value: '7' }];
    expectStatus(await setup.owner.patch(cluster, { tags }), 200);
    assert.deepEqual(((await idle(setup.owner, cluster)) as unknown as { tags: object }).tags, tags);
    const load = expectStatus<{ _id: string }>(
      await setup.owner.post(`${project}/sampleDatasetLoad/depot`, {}),
      201,
    );
    await until(
      'sample data',
      () => setup.owner.get(`${project}/sampleDatasetLoad/${load._id}`),
      (reply) => reply.json().state === 'COMPLETED',
    );
    const index = { db: 'built', collection: 'ships', keys: [{ name: '1' }] };
    expectStatus(await setup.owner.post(`${cluster}/index`, index), 202);
    const client = await MongoClient.connect(server.uri, LONG_TIMEOUTS);
    try {
      const indexes = () =>
        client
          .db('built')
          .collection('ships')
          .indexes()
          .catch(() => []);
      await until('an index', indexes, (found) => found.some(({ name }) => name === 'name_1'));
    } finally {
      await client.close();
    }
  });

  test('a test failover elects another primary', async (t) => {
    const { project, cluster } = await adopted(t, 'relay');
    const primary = async () => {
      const found = await listed<{ id: string; typeName: string }>(`${project}/processes`);
      return found.find(({ typeName }) => typeName === 'REPLICA_PRIMARY')?.id;
    };
    const first = await until('a primary', primary, (id) => id !== undefined);
    expectStatus(await setup.owner.post(`${cluster}/restartPrimaries`, undefined), 200);
    assert.equal((await idle(setup.owner, cluster)).stateName, 'IDLE');
    const isOther = (id: string | undefined) => id !== undefined && id !== first;
    const second = await until('another primary', primary, isOther);
    const elections = `/operator/v1${cluster}/elections`;
    expectStatus(await setup.operator.post(elections, undefined), 204);
    await until('a third primary', primary, (id) => id !== undefined && id !== second);
  });

  test('without the right to manage users, the service applies none, and no task waits for them', async (t) => {
    const client = await MongoClient.connect(server.uri, LONG_TIMEOUTS);
    try {
      const roles = ['clusterMonitor', 'readAnyDatabase'];
      await client.db('admin').command({ createUser: 'observer', pwd: 'spyglass', roles });
      const uri = server.uri.replace(/\/\/[^@]*@/, '//observer:spyglass@');
      const { project, cluster, deployment } = await adopted(t, 'signal', uri);
      const missing = deployment.missingCapabilities.find(({ name }) => name === 'users');
      assert.equal(
        missing?.reason,
        'its servers do not manage users and roles, or the user in the connection string lacks the privileges to do so',
      );
      const user = {
        ...{ username: 'pilot', password: 'a lantern in the fog', databaseName: 'admin' },
        roles: [{ roleName: 'readAnyDatabase', databaseName: 'admin' }],
      };
      expectStatus(await setup.owner.post(`${project}/databaseUsers`, user), 201);
      assert.deepEqual(expectStatus(await setup.owner.get(`${cluster}/status`), 200).changeStatus, 'APPLIED');
      const { users } = await client.db('admin').command({ usersInfo: 'pilot' });
      assert.deepEqual(users, []);
    } finally {
      await client.close();
    }
  });

  test('deployments that cannot be adopted are rejected with the reason', async (t) => {
    const project = await newProject(setup);
    const groupId = idIn(project);
    const [host] = server.hosts;
    const port = await freePort();
    const refused: readonly (readonly [string, RegExp])[] = [
      [`mongodb://127.0.0.1:${port}/`, /ECONNREFUSED/],
      [`mongodb://nobody:wrong@${host}/?replicaSet=engine`, /Authentication failed/],
      [`mongodb://${host}/?replicaSet=engine`, /requires authentication/],
      ['not a connection string', /Invalid scheme/],
      [`mongodb://${host}/?colour=red`, /not supported/],
    ];
    for (const [connectionString, reason] of refused) {
      const body = { groupId, name: 'wreck', connectionString };
      const reply = await adopt(setup, body);
      const { errorCode, parameters } = expectStatus<{ errorCode: string; parameters: string[] }>(reply, 400);
      assert.equal(errorCode, 'DEPLOYMENT_NOT_USABLE');
      assert.match(String(parameters[0]), reason);
    }
    const body = { groupId, name: 'twice', connectionString: server.uri };
    const { id } = expectStatus<AdoptedDocument>(await adopt(setup, body), 201);
    t.after(() => setup.operator.delete(`${DEPLOYMENTS}/${id}`));
    const other = await standInServer(scopeOf(t), replicaSet());
    const again = await adopt(setup, { ...body, connectionString: `mongodb://${other.host}/` });
    assert.equal(expectStatus(again, 409).errorCode, 'DUPLICATE_CLUSTER_NAME');
    const nowhere = { ...body, groupId: '0'.repeat(24) };
    expectFault(await setup.operator.post(DEPLOYMENTS, nowhere), 404, 'GROUP_NOT_FOUND', [nowhere.groupId]);
    expectStatus(await setup.owner.post(DEPLOYMENTS, body), 401);
  });

  test('a server with TLS and authentication is adopted, and its users log in', async (t) => {
    const tls = await customerCertificate('CN=harbour', ['127.0.0.1']);
    const { uri } = await otherServer(scopeOf(t), tls);
    const project = await newProject(setup);
    // The service cannot read the file of the authority, so the request contains the authority.
    const connectionString = uri.replace(/&tlsCAFile=.*$/, '');
    const body = { groupId: idIn(project), name: 'sealed', connectionString };
    const untrusted = expectStatus<{ parameters: string[] }>(await adopt(setup, body), 400);
    assert.match(String(untrusted.parameters), /certificate/);
    const trusted = await adopt(setup, { ...body, caCertificate: tls.authority });
    const { id } = expectStatus<AdoptedDocument>(trusted, 201);
    t.after(() => setup.operator.delete(`${DEPLOYMENTS}/${id}`));
    const cluster = `${project}/clusters/sealed`;
    await idle(setup.owner, cluster);
    const [username, password] = ['sealer', 'wax and a signet ring'];
    const roles = [{ roleName: 'readWrite', databaseName: 'harbour' }];
    const user = { username, password, databaseName: 'admin', roles };
    expectStatus(await setup.owner.post(`${project}/databaseUsers`, user), 201);
    await applied(setup.owner, cluster);
    const client = new MongoClient(uri, { auth: { username, password }, ...LONG_TIMEOUTS });
    try {
      await client.db('harbour').collection('ships').insertOne({ name: 'Endurance' });
    } finally {
      await client.close();
    }
  });

  test('the operator can drop the data of a deployment that is released', async (t) => {
    const { uri } = await otherServer(scopeOf(t));
    const { cluster, deployment } = await adopted(t, 'scuttled', uri);
    const path = `${DEPLOYMENTS}/${deployment.id}?dropDatabases=true`;
    const client = await MongoClient.connect(uri, LONG_TIMEOUTS);
    const names = async () => (await client.db().admin().listDatabases()).databases.map(({ name }) => name);
    try {
      for (const name of ['harbour', 'lost']) await client.db(name).collection('ships').insertOne({ name });
      const users = await client.db('admin').command({ usersInfo: 1 });
      // If the deployment cannot be released, its data stays.
      expectStatus(await setup.owner.patch(cluster, { terminationProtectionEnabled: true }), 200);
      const refused = expectStatus<{ errorCode: string }>(await setup.operator.delete(path), 400);
      assert.equal(refused.errorCode, 'CANNOT_TERMINATE_CLUSTER_WHEN_TERMINATION_PROTECTION_ENABLED');
      assert.ok((await names()).includes('harbour'));
      expectStatus(await setup.owner.patch(cluster, { terminationProtectionEnabled: false }), 200);
      await idle(setup.owner, cluster);
      expectStatus(await setup.operator.delete(path), 204);
      await gone(setup.owner, cluster);
      assert.deepEqual(
        (await names()).filter((name) => ['harbour', 'lost'].includes(name)),
        [],
      );
      assert.deepEqual((await client.db('admin').command({ usersInfo: 1 })).users, users.users);
    } finally {
      await client.close();
    }
  });

  for (const [how, remove] of [
    ['deleting the cluster', (cluster: string) => setup.owner.delete(cluster)],
    ['releasing the deployment', (_: string, id: string) => setup.operator.delete(`${DEPLOYMENTS}/${id}`)],
  ] as const)
    test(`${how} does not change the data`, async (t) => {
      const { cluster, deployment } = await adopted(t, 'released');
      const client = await MongoClient.connect(server.uri, LONG_TIMEOUTS);
      try {
        const ships = client.db('kept').collection<{ _id: string }>('ships');
        await ships.replaceOne({ _id: how }, { name: 'Endurance' }, { upsert: true });
        const reply = await remove(cluster, deployment.id);
        assert.ok(reply.status === 202 || reply.status === 204, reply.text);
        await gone(setup.owner, cluster);
        expectStatus(await setup.operator.get(`${DEPLOYMENTS}/${deployment.id}`), 404);
        assert.equal(await ships.countDocuments({ _id: how }), 1);
      } finally {
        await client.close();
      }
    });

  test('a deployment that hangs is REPAIRING until it responds again', async (t) => {
    const { cluster } = await adopted(t, 'fog');
    const state = async () => String(expectStatus(await setup.owner.get(cluster), 200).stateName);
    server.freeze(true);
    try {
      await until('REPAIRING', state, (found) => found === 'REPAIRING');
    } finally {
      server.freeze(false);
    }
    await until('IDLE', state, (found) => found === 'IDLE');
  });

  test('a deployment that has ended is REPAIRING until it runs again', async (t) => {
    const { project, cluster, deployment } = await adopted(t, 'away');
    const state = async () => String(expectStatus(await setup.owner.get(cluster), 200).stateName);
    await server.kill();
    try {
      await until('REPAIRING', state, (found) => found === 'REPAIRING');
      const path = `${DEPLOYMENTS}/${deployment.id}`;
      const { users, hosts } = await until(
        'the reason',
        async () => expectStatus<AdoptedDocument>(await setup.operator.get(path), 200),
        ({ problem }) => /127\.0\.0\.1:\d+: connect ECONNREFUSED/.test(String(problem)),
      );
      assert.deepEqual([users, hosts], [undefined, server.hosts]);
      const events = await listed(`${project}/events?eventType=CLUSTER_NODES_LOST`);
      // The first failure depends on what the service was doing: a connection may end, or may be refused.
      assert.notEqual(events[0]?.reason ?? '', '');
      await until(
        'processes without data',
        () => listed<{ typeName: string }>(`${project}/processes`),
        (processes) => processes.every(({ typeName }) => typeName === 'NO_DATA'),
      );
    } finally {
      await server.start();
    }
    await until('IDLE', state, (found) => found === 'IDLE');
    // On a busy machine, the deployment may be lost again before all of its members run.
    const count = async (type: string) => (await listed(`${project}/events?eventType=${type}`)).length;
    const counts = async () => [await count('CLUSTER_NODES_LOST'), await count('CLUSTER_REPAIRED')] as const;
    await until('a repair for each loss', counts, ([lost, repaired]) => lost > 0 && repaired === lost);
  });
});

/**
 * Capabilities that no request reports as missing. A change that needs one of them also needs another missing
 * capability, which is reported first. Requests for the access list of the project concern no cluster, and the list has
 * no effect on the servers.
 */
const UNREACHED = [
  'Disks whose size the service determines',
  'Free, flex and serverless clusters',
  'More than seven electable and analytics nodes in a shard',
  'Nodes at several providers',
  'Provisioned volumes',
  'Reducing the size of disks',
  'Regions of a shard with different numbers of electable, read-only or analytics nodes',
  'Restores while a snapshot is taken, and snapshots during a restore',
  'Several zones in a cluster',
  'Sizes with local disks',
  'The access list of the project',
  'Turning a replica set into a sharded cluster, and removing shards',
  'Version 5.0',
];

const outage = { outageFilters: [{ cloudProvider: 'AWS', regionName: 'US_EAST_1', type: 'REGION' }] };
const wireFault = (groupId: string, clusterName: string) => ({
  ...{ groupId, clusterName },
  wire: { commands: ['insert'], errorCode: 91 },
});

own.onOneSetup('SQLite, one instance', 'portolan adopt', (setup) => {
  const scope = scopeOf({ after });

  test('adopts servers with TLS, such as a cluster of another service', async () => {
    const other = await openSetup(scope, 'SQLite, one instance', { settings: { 'engine-tls': true } });
    const { uri, connectionStrings } = await newOrigin(other);
    const { dataDirectory } = setup.instances[0] ?? { dataDirectory: '' };
    const project = await newProject(setup);
    const flags = `--name origin --project ${idIn(project)}`;
    const authority = other.bootstrap.caCertificate ?? '';
    // Run the command again if the servers responded too late, as on a busy machine.
    const adopted = (more: string) =>
      until(
        'a timely response of the servers',
        () => runCommand(`adopt ${uri} ${flags}${more}`, { 'data-dir': dataDirectory }),
        ({ err }) => !LATE.test(err),
      );
    const untrusted = await adopted('');
    assert.equal(untrusted.code, 1);
    assert.match(untrusted.err, /cannot be used: .*certificate/);
    const run = await adopted(` --ca-file ${authority}`);
    assert.equal(run.code, 0, run.err);
    assert.match(run.out, /^adopted origin .*\nREPLICA_SET of version 8\.0\./);
    assert.match(
      run.out,
      /^not supported: failover, since it has no replica sets, or the user in the connection string lacks/m,
    );
    assert.match(
      run.out,
      /^not supported: restores, since it is a standalone server, its servers have no transactions, or the user in/m,
    );
    assert.match(run.out, /^not supported: pause, since its servers are managed outside Portolan$/m);
    const cluster = await idle(setup.owner, `${project}/clusters/origin`);
    assert.deepEqual(cluster.connectionStrings, connectionStrings);
  });
});
