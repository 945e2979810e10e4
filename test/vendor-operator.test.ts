import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { onOneSetup } from './support/setups.ts';
import { newCluster, newProject, uniqueName } from './support/stage.ts';

/** Tests what the vendor's Kubernetes operator sends, and what it expects in responses. */

type Document = Record<string, unknown>;

onOneSetup('SQLite, one instance', "requests of the vendor's Kubernetes operator", (setup) => {
  const call = (method: string, path: string, body?: object, version = '2024-11-13') =>
    setup.owner.send(method, `/api/atlas/v2${path}`, body, {
      accept: `application/vnd.atlas.${version}+json`,
    });

  test('a project is created after a request for its name has found none', async () => {
    const name = uniqueName('Port');
    const missing = await call('GET', `/groups/byName/${name}`);
    assert.deepEqual([missing.status, missing.json().errorCode], [404, 'NOT_IN_GROUP']);
    const project = { name, orgId: setup.bootstrap.orgId, regionUsageRestrictions: 'NONE' };
    const made = expectStatus<Document>(await call('POST', '/groups', project), 201);
    const found = expectStatus<Document>(await call('GET', `/groups/byName/${name}`), 200);
    assert.deepEqual([found.id, found.regionUsageRestrictions], [made.id, undefined]);
    expectFault(
      await setup.owner.post('/groups', { ...project, name: `${name} 2` }),
      400,
      'INVALID_ENUM_VALUE',
      ['NONE'],
    );
  });

  test('a cluster that is not global has no zones', async () => {
    const cluster = await newCluster(setup, await newProject(setup), 'quay');
    const zones = expectStatus<Document>(await call('GET', `${cluster}/globalWrites`), 200);
    assert.deepEqual(zones, { customZoneMapping: {}, managedNamespaces: [], selfManagedSharding: false });
  });

  test('the status of a flex cluster shows that the users are applied', async () => {
    const project = await newProject(setup);
    const providerSettings = { backingProviderName: 'AWS', regionName: 'US_EAST_1' };
    expectStatus(await call('POST', `${project}/flexClusters`, { name: 'skiff', providerSettings }), 201);
    const status = async () =>
      expectStatus<Document>(await call('GET', `${project}/clusters/skiff/status`), 200).changeStatus;
    await until('APPLIED', status, (changeStatus) => changeStatus === 'APPLIED');
  });
});
