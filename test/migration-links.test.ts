import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { SAILOR } from './support/drivers.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { startMigrationHost } from './support/migration-host.ts';
import {
  availableProjects,
  caOf,
  fillSource,
  linked,
  migrate,
  migrationBody,
  newLinkToken,
  newTarget,
  projectOf,
  READER,
  reportedProject,
  type SourceCluster,
  sourceCluster,
  targetDriver,
  untilMigration,
  untilReady,
  type Validation,
  validated,
} from './support/migrations.ts';
import { type Scope, scopeOf } from './support/service.ts';
import { onOneSetup, openSetup, type Setup } from './support/setups.ts';
import { clusterBody, idIn, idle, newOrganization } from './support/stage.ts';

const scope: Scope = scopeOf({ after });
let origin: Setup;
let source: SourceCluster;

before(async () => {
  origin = await openSetup(scope, 'SQLite, one instance');
  source = await sourceCluster(scope, origin, 'old');
  await fillSource(source.driver);
});

onOneSetup('SQLite, one instance', 'links of migrations', (setup) => {
  const tokens = () => `/orgs/${setup.bootstrap.orgId}/liveMigrations/linkTokens`;

  test('nothing is available before a migration host reports, and no token can be deleted', async () => {
    assert.deepEqual(await availableProjects(setup), []);
    expectFault(await setup.owner.delete(tokens()), 404, 'UNEXPECTED_ERROR', null);
    expectFault(
      await setup.owner.post(tokens(), { accessListIps: ['harbour'] }),
      400,
      'INVALID_IP_ADDRESS_OR_CIDR_NOTATION',
      ['harbour'],
    );
  });

  test('only organization owners can create tokens', async () => {
    const { key } = await newOrganization(setup, 'ORG_MEMBER');
    for (const reply of [
      await key.post(tokens(), {}),
      await key.delete(tokens()),
      await key.get(`/orgs/${setup.bootstrap.orgId}/liveMigrations/availableProjects`),
    ])
      assert.ok([401, 403].includes(reply.status), reply.text);
  });

  test('a token works only from its addresses, for one organization, until it is deleted', async () => {
    const elsewhere = await newLinkToken(setup, {
      accessListIps: ['192.0.2.1', '192.0.2.1/32', '198.51.100.0/24'],
    });
    const refused = startMigrationHost(scope, elsewhere, [source.uri], caOf(setup));
    assert.equal(await refused.ended, 1);
    assert.match(refused.log(), /403.*may not be used from the address 127\.0\.0\.1/);

    const both = [`one=${source.uri}`, `other=${source.uri}`];
    const twice = startMigrationHost(scope, elsewhere, both, caOf(setup));
    assert.equal(await twice.ended, 1);
    assert.match(
      twice.log(),
      /The sources (one and other|other and one) are the same deployment: specify it only once/,
    );

    const token = await newLinkToken(setup, { accessListIps: ['127.0.0.0/8'] });
    const named = [
      ...caOf(setup),
      '--organization',
      'Old Harbour',
      '--project',
      'Docks',
      '--host',
      'mover.example.org',
    ];
    const host = startMigrationHost(scope, token, [`fleet=${source.uri}`], named);
    await host.ready();
    const { deployments, ...project } = await reportedProject(setup);
    assert.match(project.projectId, /^[a-f0-9]{24}$/);
    assert.deepEqual(project, {
      projectId: project.projectId,
      name: 'Docks',
      migrationHosts: ['mover.example.org'],
    });
    const [deployment] = deployments;
    assert.ok(deployment);
    const { clusterId, dbSizeBytes, oplogSizeMB, ...rest } = deployment;
    assert.match(clusterId, /^[a-f0-9]{24}$/);
    assert.ok(dbSizeBytes > 10_000, dbSizeBytes);
    assert.ok(Number.isInteger(oplogSizeMB) && oplogSizeMB > 0, oplogSizeMB);
    assert.deepEqual(rest, {
      agentVersion: '0.1.0',
      dbVersion: '8.0.29',
      featureCompatibilityVersion: '8.0',
      managed: false,
      name: 'fleet',
      sharded: false,
      shardsSize: 1,
      tlsEnabled: false,
    });

    const other = startMigrationHost(
      scope,
      await newLinkToken(setup),
      [source.uri],
      [...caOf(setup), '--organization', 'New'],
    );
    assert.equal(await other.ended, 1);
    assert.match(other.log(), /409.*already linked to the source organization Old Harbour/);

    expectStatus(await setup.owner.delete(tokens()), 204);
    assert.equal(await host.ended, 1);
    assert.match(host.log(), /401.*link token is unknown/);
    assert.deepEqual(await availableProjects(setup), []);
  });

  test('an unavailable source is reported once it is available again', async () => {
    const away = await sourceCluster(scope, origin, 'away');
    const { setName } = await away.driver.db('admin').command({ hello: 1 });
    await away.driver.close();
    const alike = [away.uri, `${setName}=${source.uri}`];
    const clash = startMigrationHost(scope, await newLinkToken(setup), alike, caOf(setup));
    assert.equal(await clash.ended, 1);
    assert.match(clash.log(), /are both called platform-\w+-shard-0: give them names/);
    const pause = (paused: boolean) => origin.owner.patch(away.path, { paused });
    expectStatus(await pause(true), 200);
    await idle(origin.owner, away.path);
    await linked(scope, setup, [`away=${away.uri}`]);
    const { projectId } = await reportedProject(setup, 0);
    const target = await newTarget(setup, 'waiting');
    const wanted = migrationBody(target, { projectId, name: 'away' });
    const { status, errorMessage } = await validated(setup, target, wanted);
    assert.equal(status, 'FAILED');
    assert.match(
      String(errorMessage),
      /^No migration host reports a deployment away in .* 127\.0\.0\.1 does not report away: The source cannot be reached: /,
    );
    expectStatus(await pause(false), 200);
    await reportedProject(setup, 1);
    expectStatus(await setup.owner.delete(tokens()), 204);
  });

  test('a validation reports obstacles', async () => {
    await linked(scope, setup, [`fleet=${source.uri}`]);
    const { projectId } = await reportedProject(setup);
    const target = await newTarget(setup, 'new');
    const body = (change: { source?: object; destination?: object; more?: object }) => {
      const whole = migrationBody(target, { projectId, name: 'fleet' });
      return {
        ...whole,
        source: { ...whole.source, ...change.source },
        destination: { ...whole.destination, ...change.destination },
        ...change.more,
      };
    };
    const own = { managedAuthentication: false, ...READER };
    assert.deepEqual(await validated(setup, target, body({})), {
      errorMessage: null,
      groupId: idIn(projectOf(target)),
      sourceGroupId: projectId,
      status: 'SUCCESS',
    } satisfies Validation);
    assert.equal((await validated(setup, target, body({ source: own }))).status, 'SUCCESS');
    const sharding = { createSupportingIndexes: true, shardingEntries: [] };
    const problems: readonly (readonly [object, RegExp])[] = [
      [{ source: { ...own, password: 'another' } }, /rejects the user name or password/],
      [{ source: { ssl: true } }, /TLS options do not match/],
      [
        { source: { ssl: true, caCertificatePath: '/no/such/file.pem' } },
        /\/no\/such\/file\.pem .* cannot be read/,
      ],
      // The service refuses a device file, since reading it would never end.
      [{ source: { ssl: true, caCertificatePath: '/dev/zero' } }, /\/dev\/zero .* cannot be read/],
      [{ source: { clusterName: 'armada' } }, /No migration host reports a deployment armada/],
      [{ more: { migrationHosts: ['192.0.2.9'] } }, /migration host 192\.0\.2\.9 is not connected/],
      [{ more: { sharding } }, /`sharding` is allowed only for a replica set source/],
      [
        { destination: { hostnameSchemaType: 'PRIVATE_LINK', privateLinkId: 'pl-1' } },
        /no private endpoint pl-1/,
      ],
      [{ destination: { hostnameSchemaType: 'VPC_PEERING' } }, /no peering connection/],
    ];
    for (const [change, message] of problems) {
      const { status, errorMessage } = await validated(setup, target, body(change));
      assert.equal(status, 'FAILED', JSON.stringify(change));
      assert.match(String(errorMessage), message);
    }
    expectStatus(await setup.owner.delete(tokens()), 204);
  });

  test('nothing is dropped if the source is the destination', async () => {
    const target = await newTarget(setup, 'own');
    const driver = await targetDriver(scope, setup, target);
    await driver.db('harbour').collection('ships').insertOne({ name: 'Argo' });
    const shard = await newTarget(setup, 'spread', { clusterType: 'SHARDED', numShards: 2 });
    await targetDriver(scope, setup, shard);
    const uriOf = async (path: string) => {
      const { connectionStrings } = await idle(setup.owner, path);
      return `${connectionStrings.standard}`.replace('//', `//${SAILOR.username}:${SAILOR.password}@`);
    };
    await linked(scope, setup, [`own=${await uriOf(target)}`, `spread=${await uriOf(shard)}`]);
    const { projectId, deployments } = await reportedProject(setup, 2);
    assert.equal(new Set(deployments.map(({ clusterId }) => clusterId)).size, 2);
    for (const [path, name] of [
      [target, 'own'],
      [shard, 'spread'],
    ] as const) {
      const body = migrationBody(path, { projectId, name }, { dropDestinationData: true });
      const { status, errorMessage } = await validated(setup, path, body);
      assert.deepEqual(
        [status, errorMessage],
        ['FAILED', 'The source and the destination are the same deployment.'],
      );
    }
    const body = migrationBody(target, { projectId, name: 'own' }, { dropDestinationData: true });
    const path = await migrate(setup, target, body);
    await untilMigration(setup, path, 'failed', ({ status }) => status === 'FAILED');
    assert.equal(await driver.db('harbour').collection('ships').countDocuments(), 1);
    expectStatus(await setup.owner.delete(tokens()), 204);
  });

  test('deleting the link ends a migration whose destination is unavailable', async () => {
    const target = await newTarget(setup, 'lost');
    const driver = await targetDriver(scope, setup, target);
    await linked(scope, setup, [`fleet=${source.uri}`]);
    const { projectId } = await reportedProject(setup);
    const path = await migrate(setup, target, migrationBody(target, { projectId, name: 'fleet' }));
    await untilReady(setup, path);
    const outage = `${target}/outageSimulation`;
    const outageIs = (state: string) =>
      until(
        `the outage ${state}`,
        async () => (await setup.owner.get(outage)).json(),
        (found) => found.state === state,
      );
    const outageFilters = [{ cloudProvider: 'AWS', regionName: 'US_EAST_1', type: 'REGION' }];
    expectStatus(await setup.owner.post(outage, { outageFilters }), 200);
    await outageIs('SIMULATING');
    expectStatus(await setup.owner.delete(tokens()), 204);
    await untilMigration(setup, path, 'failed', ({ status }) => status === 'FAILED');
    expectStatus(await setup.owner.delete(outage), 200);
    await outageIs('COMPLETE');
    expectStatus(await setup.owner.patch(target, { tags: [{ key: 'moved', value: 'no' }] }), 200);
    const left = async () => {
      const { databases } = await driver.db('admin').command({ listDatabases: 1, nameOnly: true });
      return (databases as { name: string }[]).map(({ name }) => name);
    };
    await until('nothing left behind', left, (names) => !names.includes('portolan_migration'));
  });

  test('rejects requests with incompatible fields', async () => {
    const target = await newTarget(setup, 'ruled');
    const project = projectOf(target);
    const id = '0123456789abcdef01234567';
    const whole = migrationBody(target, { projectId: id, name: 'fleet' });
    const refused = async (change: object, code: string, parameters: readonly unknown[], status = 400) => {
      for (const path of ['liveMigrations/validate', 'liveMigrations'])
        expectFault(
          await setup.owner.post(`${project}/${path}`, { ...whole, ...change }),
          status,
          code,
          parameters,
        );
    };
    const source = (change: object) => ({ source: { ...whole.source, ...change } });
    const destination = (change: object) => ({ destination: { ...whole.destination, ...change } });
    await refused(destination({ groupId: id }), 'GROUP_MISMATCH', [id]);
    await refused(destination({ clusterName: 'none' }), 'CLUSTER_NOT_FOUND', ['none', idIn(project)], 404);
    await refused(destination({ hostnameSchemaType: 'PRIVATE_LINK' }), 'MISSING_ATTRIBUTE', [
      'destination.privateLinkId',
    ]);
    await refused(source({ username: 'reader' }), 'INVALID_ATTRIBUTE', ['source.username']);
    await refused(source({ managedAuthentication: false, username: 'reader' }), 'MISSING_ATTRIBUTE', [
      'source.password',
    ]);
    await refused(source({ caCertificatePath: '/ca.pem' }), 'INVALID_ATTRIBUTE', [
      'source.caCertificatePath',
    ]);
    const keyed = (...key: readonly object[]) => ({
      sharding: {
        createSupportingIndexes: false,
        shardingEntries: [{ database: 'harbour', collection: 'ships', shardCollection: { key } }],
      },
    });
    const key = 'sharding.shardingEntries.0.shardCollection.key';
    await refused(keyed({}), 'VALIDATION_ERROR', [`${key}.0 must NOT have fewer than 1 properties`]);
    await refused(keyed({ name: 2 }), 'INVALID_ATTRIBUTE', [key]);
    await refused(keyed({ name: 1 }, { name: 'hashed' }), 'INVALID_ATTRIBUTE', [key]);
    await refused(keyed({ name: 'hashed' }, { port: 'hashed' }), 'INVALID_ATTRIBUTE', [key]);
    await refused({ sharding: {} }, 'MISSING_ATTRIBUTE', ['sharding.createSupportingIndexes']);
    await refused({ migrationHosts: [] }, 'VALIDATION_ERROR', [
      'migrationHosts must NOT have fewer than 1 items',
    ]);
    const tenant = {
      providerName: 'TENANT',
      backingProviderName: 'AWS',
      instanceSizeName: 'M0',
      regionName: 'US_EAST_1',
    };
    expectStatus(
      await setup.owner.post(`${project}/clusters`, clusterBody('free', { providerSettings: tenant })),
      201,
    );
    await refused(destination({ clusterName: 'free' }), 'INSUFFICIENT_INSTANCE_SIZE', ['M10']);
    const region = { backingProviderName: 'AWS', regionName: 'US_EAST_1' };
    for (const [clusterName, family, code] of [
      ['bend', 'flexClusters', 'CANNOT_USE_FLEX_CLUSTER_IN_CLUSTER_API'],
      ['air', 'serverless', 'CANNOT_USE_SERVERLESS_INSTANCE_IN_CLUSTER_API'],
    ] as const) {
      const body = { name: clusterName, providerSettings: region };
      expectStatus(await setup.owner.post(`${project}/${family}`, body), 201);
      await refused(destination({ clusterName }), code, [clusterName]);
    }
    expectFault(await setup.owner.get(`${project}/liveMigrations/${id}`), 404, 'RESOURCE_NOT_FOUND', [
      `the live migration ${id}`,
    ]);
    expectFault(
      await setup.owner.get(`${project}/liveMigrations/validate/${id}`),
      404,
      'RESOURCE_NOT_FOUND',
      [`the validation ${id}`],
    );
  });

  test('the first version accepts dropEnabled', async () => {
    const target = await newTarget(setup, 'former');
    const body = migrationBody(target, { projectId: '0123456789abcdef01234567', name: 'fleet' });
    const former = { accept: 'application/vnd.service.2023-01-01+json' };
    const path = `${projectOf(target)}/liveMigrations/validate`;
    expectFault(await setup.owner.post(path, body, former), 400, 'MISSING_ATTRIBUTE', ['dropEnabled']);
    expectFault(await setup.owner.post(path, { ...body, dropEnabled: true }), 400, 'INVALID_ATTRIBUTE', [
      'dropEnabled',
    ]);
    expectStatus(await setup.owner.post(path, { ...body, dropEnabled: true }, former), 200);
  });
});
