import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allowAccess, driverFor, newUser, SAILOR } from './support/drivers.ts';
import { expectDuplicate } from './support/duplicate-names.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { onOneSetup } from './support/setups.ts';
import { clusterBody, gone, idIn, idle, type ListDocument, newCluster, newProject } from './support/stage.ts';
import { eventTypes } from './support/users.ts';

const place = { backingProviderName: 'AWS', regionName: 'US_EAST_1' };
const shared = (instanceSizeName: string) => ({
  providerSettings: { ...place, providerName: 'TENANT', instanceSizeName },
});

onOneSetup('PostgreSQL, two instances', 'flex clusters and serverless instances', (setup) => {
  const names = async (path: string) => {
    const { results, totalCount } = expectStatus<ListDocument>(await setup.owner.get(path), 200);
    assert.equal(totalCount, results.length);
    return results.map(({ name }) => name);
  };

  const active = (project: string) =>
    until(
      'addresses ACTIVE',
      () => setup.owner.get(`${project}/accessList/127.0.0.1/status`),
      (answer) => answer.json().STATUS === 'ACTIVE',
    );

  test('a flex cluster is created, connected to, changed and deleted', async (t) => {
    const project = await newProject(setup);
    const flex = `${project}/flexClusters`;
    const made = expectStatus(await setup.owner.post(flex, { name: 'bend', providerSettings: place }), 201);
    assert.deepEqual(
      [made.providerSettings, made.backupSettings, made.stateName],
      [{ ...place, diskSizeGB: 5, providerName: 'FLEX' }, { enabled: true }, 'CREATING'],
    );
    await newUser(setup, project, SAILOR.username);
    expectStatus(await setup.owner.post(`${project}/accessList`, [{ ipAddress: '127.0.0.1' }]), 201);
    const document = await idle(setup.owner, `${flex}/bend`);
    assert.match(String(document.connectionStrings.standard), /^mongodb:\/\//);
    await active(project);
    const driver = await driverFor(setup, `${flex}/bend`);
    t.after(() => driver.close());
    await driver.db('harbour').collection('ports').insertOne({ name: 'Riga' });
    expectFault(
      await setup.owner.get(`${project}/clusters/bend`),
      400,
      'CANNOT_USE_FLEX_CLUSTER_IN_CLUSTER_API',
      ['bend'],
    );
    assert.deepEqual([await names(flex), await names(`${project}/clusters`)], [['bend'], []]);
    const protection = { terminationProtectionEnabled: true };
    assert.equal(
      expectStatus(await setup.owner.patch(`${flex}/bend`, protection), 200).terminationProtectionEnabled,
      true,
    );
    const [submitted, ...done] = (await eventTypes(setup.owner, project)).filter((type) =>
      /UPDATE/.test(type),
    );
    assert.equal(submitted, 'CLUSTER_UPDATE_SUBMITTED');
    assert.deepEqual(done.toSorted(), ['CLUSTER_UPDATE_COMPLETED', 'CLUSTER_UPDATE_STARTED']);
    expectFault(
      await setup.owner.delete(`${flex}/bend`),
      400,
      'CANNOT_TERMINATE_CLUSTER_WHEN_TERMINATION_PROTECTION_ENABLED',
      ['bend', idIn(project)],
    );
    expectStatus(await setup.owner.patch(`${flex}/bend`, { terminationProtectionEnabled: false }), 200);
    expectStatus(await setup.owner.delete(`${flex}/bend`), 204);
    await gone(setup.owner, `${flex}/bend`);
  });

  test('a flex cluster has search indexes, but nothing that requires dedicated nodes', async () => {
    const project = await newProject(setup);
    const body = { name: 'bend', providerSettings: { backingProviderName: 'AWS', regionName: 'US_EAST_1' } };
    expectStatus(await setup.owner.post(`${project}/flexClusters`, body), 201);
    await idle(setup.owner, `${project}/flexClusters/bend`);
    const cluster = `${project}/clusters/bend`;
    const names = { collectionName: 'ports', database: 'harbour', name: 'words' };
    const analyzer = { name: 'whole', tokenizer: { type: 'keyword' } };
    const definition = { mappings: { dynamic: true } };
    const indexes = `${cluster}/search/indexes`;
    const undefinable = ['TENANT_CANNOT_DEFINE_ANALYZERS'] as const;
    expectFault(await setup.owner.put(`${cluster}/fts/analyzers`, [analyzer]), 404, ...undefinable);
    const analyzed = { ...definition, analyzers: [analyzer] };
    expectFault(await setup.owner.post(indexes, { ...names, definition: analyzed }), 404, ...undefinable);
    expectStatus(await setup.owner.post(indexes, { ...names, definition }), 201);
    expectStatus(await setup.owner.get(`${indexes}/harbour/ports/words`), 200);
    const outageFilters = [{ cloudProvider: 'AWS', regionName: 'US_EAST_1' }];
    for (const reply of [
      await setup.owner.post(`${cluster}/outageSimulation`, { outageFilters }),
      await setup.owner.get(`${project}/dbAccessHistory/clusters/bend`),
      await setup.owner.get(`${cluster}/search/deployment`),
    ])
      expectFault(reply, 400, 'INSUFFICIENT_INSTANCE_SIZE', ['M10']);
  });

  test('M2 and M5 create a flex cluster, which both groups of operations return', async () => {
    const project = await newProject(setup);
    const made = expectStatus(
      await setup.owner.post(`${project}/clusters`, clusterBody('small', shared('M5'))),
      201,
    );
    const settings = made.providerSettings as Record<string, unknown>;
    assert.deepEqual([settings.effectiveInstanceSizeName, settings.instanceSizeName], ['FLEX', 'M5']);
    await idle(setup.owner, `${project}/clusters/small`);
    assert.deepEqual(await names(`${project}/clusters`), ['small']);
    assert.deepEqual(await names(`${project}/flexClusters`), ['small']);
    expectStatus(await setup.owner.get(`${project}/flexClusters/small`), 200);
    await newCluster(setup, project, 'large');
    expectFault(
      await setup.owner.get(`${project}/flexClusters/large`),
      400,
      'CANNOT_USE_NON_FLEX_CLUSTER_IN_FLEX_API',
      ['large'],
    );
  });

  test('a serverless instance is created, listed and deleted', async () => {
    const project = await newProject(setup);
    const all = `${project}/serverless`;
    const made = expectStatus(await setup.owner.post(all, { name: 'cloud', providerSettings: place }), 201);
    assert.deepEqual(made.serverlessBackupOptions, { serverlessContinuousBackupEnabled: true });
    await idle(setup.owner, `${all}/cloud`);
    assert.deepEqual([await names(all), await names(`${project}/clusters`)], [['cloud'], []]);
    expectFault(
      await setup.owner.get(`${project}/clusters/cloud`),
      400,
      'CANNOT_USE_SERVERLESS_INSTANCE_IN_CLUSTER_API',
      ['cloud'],
    );
    // Names that differ only by case are equal.
    for (const name of ['cloud', 'CLOUD']) await expectDuplicate(setup, project, name);
    expectStatus(await setup.owner.delete(`${all}/cloud`), 202);
    await gone(setup.owner, `${all}/cloud`);
    const absent = await setup.owner.get(`${all}/cloud`);
    expectFault(absent, 404, 'SERVERLESS_INSTANCE_NOT_FOUND', ['cloud', idIn(project)]);
  });

  test('an upgrade keeps name and data', async (t) => {
    const project = await newProject(setup);
    const free = await newCluster(setup, project, 'rising', shared('M0'));
    await allowAccess(setup, project, free);
    const before = await driverFor(setup, free);
    await before.db('harbour').collection('ports').insertOne({ name: 'Riga' });
    await before.close();
    const upgraded = expectStatus(
      await setup.owner.post(`${project}/clusters/tenantUpgrade`, clusterBody('rising')),
      200,
    );
    assert.deepEqual([upgraded.diskSizeGB, upgraded.stateName], [10, 'UPDATING']);
    const driver = await driverFor(setup, free);
    t.after(() => driver.close());
    assert.equal((await driver.db('harbour').collection('ports').findOne({}))?.name, 'Riga');
    expectFault(
      await setup.owner.post(`${project}/clusters/tenantUpgrade`, clusterBody('rising')),
      400,
      'CLUSTER_ALREADY_DEDICATED',
      ['rising'],
    );
  });

  test('a flex cluster becomes dedicated, a free one serverless', async () => {
    const project = await newProject(setup);
    expectStatus(
      await setup.owner.post(`${project}/flexClusters`, { name: 'one', providerSettings: place }),
      201,
    );
    await idle(setup.owner, `${project}/flexClusters/one`);
    expectStatus(await setup.owner.post(`${project}/flexClusters:tenantUpgrade`, clusterBody('one')), 200);
    await idle(setup.owner, `${project}/clusters/one`);
    assert.deepEqual(
      [await names(`${project}/flexClusters`), await names(`${project}/clusters`)],
      [[], ['one']],
    );
    await newCluster(setup, project, 'two', shared('M0'));
    const body = { name: 'two', providerSettings: place };
    expectStatus(await setup.owner.post(`${project}/clusters/tenantUpgradeToServerless`, body), 200);
    await idle(setup.owner, `${project}/serverless/two`);
    assert.deepEqual(await names(`${project}/clusters`), ['one']);
  });
});
