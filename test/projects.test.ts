import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { onEachSetup, onSetup } from './support/setups.ts';
import {
  idIn,
  type ListDocument,
  newOrganization,
  newProject,
  type ProjectDocument,
  uniqueName,
  withoutOrigins,
} from './support/stage.ts';

const ABSENT = 'f'.repeat(24);

onEachSetup('projects', (setup) => {
  const create = (body: object, query = '') =>
    setup.owner.post(`/groups${query}`, { orgId: setup.bootstrap.orgId, ...body });

  test('a project is created, and returned as it was created', async () => {
    const name = uniqueName("Pier (3) & 'quay', 4: x+y@z");
    const tags = [{ key: 'berth', value: 'north' }];
    const reply = await create({ name, tags, regionUsageRestrictions: 'GOV_REGIONS_ONLY' });
    const { links, created, id, ...rest } = expectStatus(reply, 200);
    assert.deepEqual(rest, {
      clusterCount: 0,
      name,
      orgId: setup.bootstrap.orgId,
      regionUsageRestrictions: 'GOV_REGIONS_ONLY',
      tags,
    });
    assert.match(String(created), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const names = (links as { rel: string }[]).map(({ rel }) => rel.replace(/^https:.*\//, ''));
    const others = `accessList alertConfigs alerts apiKeys auditLog awsCustomDNS backupCompliancePolicy byName cloudProviderAccess clusters containers customRoles databaseUsers
      dbVersions encryptionAtRest events exportBuckets flexClusters integrations invites ipAddresses limits maintenanceWindow organization privateIpMode processes providerRegions
      serverless serviceAccounts settings teams users`;
    assert.deepEqual(names, ['self', ...others.split(/\s+/)]);
    const expected = withoutOrigins(reply.json());
    assert.deepEqual(withoutOrigins(expectStatus(await setup.owner.get(`/groups/${id}`), 200)), expected);
    const byName = await setup.owner.get(`/groups/byName/${encodeURIComponent(name)}`);
    assert.deepEqual(withoutOrigins(expectStatus(byName, 200)), expected);
  });

  test('an invalid body creates nothing', async () => {
    const name = uniqueName('nothing');
    const cases: [body: object, status: number, code: string, parameters: unknown[]][] = [
      [{}, 400, 'MISSING_ATTRIBUTE', ['name']],
      [{ orgId: undefined }, 400, 'MISSING_ATTRIBUTES', ['name, orgId']],
      [{ name: '' }, 400, 'INVALID_GROUP_NAME', ['']],
      [{ name: 'a/b' }, 400, 'INVALID_GROUP_NAME', ['a/b']],
      [{ name: 'tail ' }, 400, 'INVALID_GROUP_NAME', ['tail ']],
      [{ name: 'x'.repeat(65) }, 400, 'INVALID_GROUP_NAME', ['x'.repeat(65)]],
      [{ name, id: ABSENT }, 400, 'ATTRIBUTE_READ_ONLY', ['id']],
      [{ name, clusterCount: 1 }, 400, 'ATTRIBUTE_READ_ONLY', ['clusterCount']],
      [{ name, regionUsageRestrictions: 'NONE' }, 400, 'INVALID_ENUM_VALUE', ['NONE']],
      [{ name, orgId: ABSENT }, 401, 'NOT_ORG_GROUP_CREATOR', [ABSENT]],
      [{ name, tags: [{ key: 'k' }] }, 400, 'MISSING_ATTRIBUTE', ['tags.0.value']],
      [{ name, tags: [{ key: 'k', value: 1 }] }, 400, 'INVALID_JSON_ATTRIBUTE', ['tags.0.value']],
      [{ name, tags: 'k' }, 400, 'INVALID_JSON_ATTRIBUTE', ['tags']],
    ];
    for (const [body, status, code, parameters] of cases) {
      expectFault(await create(body), status, code, parameters);
    }
    for (const tag of [
      { key: '', value: 'v' },
      { key: 'k', value: 'x'.repeat(256) },
    ]) {
      assert.equal(expectStatus(await create({ name, tags: [tag] }), 400).errorCode, 'VALIDATION_ERROR');
    }
    expectFault(await create({ name }, `?projectOwnerId=${ABSENT}`), 404, 'USER_NOT_FOUND', [ABSENT]);
    expectFault(await create({ name }, '?projectOwnerId=x'), 400, 'INVALID_QUERY_PARAMETER', [
      'projectOwnerId',
    ]);
    expectFault(await setup.owner.get(`/groups/byName/${name}`), 404, 'GROUP_NAME_NOT_FOUND', [name]);
  });

  test('a name is unique in an organization, even with concurrent requests', async () => {
    const name = uniqueName('contested');
    const replies = await Promise.all(Array.from({ length: 8 }, () => create({ name })));
    assert.equal(replies.filter(({ status }) => status === 200).length, 1);
    for (const reply of replies.filter(({ status }) => status !== 200)) {
      expectFault(reply, 409, 'GROUP_ALREADY_EXISTS', [name]);
    }
    const { id, key } = await newOrganization(setup, 'ORG_OWNER');
    expectStatus(await key.post('/groups', { name, orgId: id }), 200);
    const other = await newProject(setup);
    expectFault(await setup.owner.patch(other, { name }), 409, 'GROUP_ALREADY_EXISTS', [name]);
  });

  test('name and tags change separately, with an event each', async () => {
    const path = await newProject(setup);
    const name = uniqueName('renamed');
    const tags = [{ key: 'berth', value: 'south' }];
    const before = withoutOrigins(expectStatus(await setup.owner.get(path), 200)) as object;
    const links = JSON.parse(JSON.stringify(before).replaceAll(/byName\/[^"]+/g, `byName/${name}`)).links;
    const renamed = expectStatus(await setup.owner.patch(path, { name }), 200);
    assert.deepEqual(withoutOrigins(renamed), { ...before, name, links });
    assert.deepEqual(expectStatus(await setup.owner.patch(path, { tags }), 200).tags, tags);
    assert.deepEqual(expectStatus(await setup.owner.patch(path, {}), 200).tags, tags);
    assert.deepEqual(expectStatus(await setup.owner.patch(path, { tags: [] }), 200).name, name);
    const { results } = expectStatus<ListDocument>(await setup.owner.get(`${path}/events`), 200);
    const types = results.map(({ eventTypeName }) => eventTypeName).toSorted();
    const tagged = ['GROUP_TAGS_MODIFIED', 'GROUP_TAGS_MODIFIED'];
    assert.deepEqual(types, ['GROUP_CREATED', 'GROUP_NAME_CHANGED', ...tagged]);
    expectFault(await setup.owner.patch(path, { name: 'a/b' }), 400, 'INVALID_GROUP_NAME', ['a/b']);
    expectFault(await setup.owner.patch(path, { orgId: ABSENT }), 400, 'INVALID_ATTRIBUTE', ['orgId']);
  });

  test('a malformed id and an unknown id', async () => {
    for (const below of ['', '/clusters', '/databaseUsers', '/accessList', '/events']) {
      expectFault(await setup.owner.get(`/groups/x1${below}`), 404, 'INVALID_GROUP_ID', ['x1']);
      expectFault(await setup.owner.get(`/groups/${ABSENT}${below}`), 404, 'GROUP_NOT_FOUND', [ABSENT]);
    }
    expectFault(await setup.owner.patch(`/groups/${ABSENT}`, {}), 404, 'GROUP_NOT_FOUND', [ABSENT]);
    expectFault(await setup.owner.delete(`/groups/${ABSENT}`), 404, 'GROUP_NOT_FOUND', [ABSENT]);
  });

  test('deleting a project deletes its contents', async () => {
    const path = await newProject(setup);
    expectStatus(await setup.owner.post(`${path}/accessList`, [{ ipAddress: '192.0.2.7' }]), 201);
    expectStatus(await setup.owner.delete(path), 204);
    for (const below of ['', '/accessList/192.0.2.7']) {
      expectFault(await setup.owner.get(path + below), 404, 'GROUP_NOT_FOUND', [idIn(path)]);
    }
    expectFault(await setup.owner.delete(path), 404, 'GROUP_NOT_FOUND', [idIn(path)]);
    const { orgId } = setup.bootstrap;
    const events = await setup.owner.get(`/orgs/${orgId}/events?eventType=GROUP_DELETED`);
    const [last] = expectStatus<ListDocument>(events, 200).results;
    assert.equal(last?.groupId, idIn(path));
  });

  test('a list shows every project of the organization, once', async () => {
    const { id, key } = await newOrganization(setup, 'ORG_OWNER');
    const names = Array.from({ length: 7 }, () => uniqueName('listed'));
    for (const name of names) expectStatus(await key.post('/groups', { name, orgId: id }), 200);
    const { results, totalCount } = expectStatus<ListDocument<ProjectDocument>>(
      await key.get('/groups'),
      200,
    );
    assert.deepEqual(results.map((project) => project.name).toSorted(), names.toSorted());
    assert.equal(totalCount, names.length);
  });

  test('a project can be moved to another organization, with the key of its owner', async () => {
    const [from, to, stranger] = await Promise.all(
      ['ORG_OWNER', 'ORG_OWNER', 'ORG_OWNER'].map((role) => newOrganization(setup, role)),
    );
    assert.ok(from && to && stranger);
    const name = uniqueName('moving');
    const made = await from.key.post('/groups', { name, orgId: from.id });
    const project = `/groups/${expectStatus<ProjectDocument>(made, 200).id}`;
    expectStatus(await from.key.get(project), 200);
    const agreed = {
      destinationOrgId: to.id,
      destinationOrgPublicApiKey: to.pair.publicKey,
      destinationOrgPrivateApiKey: to.pair.privateKey,
    };
    const move = (body: object) => from.key.post(`${project}:migrate`, body);
    expectFault(await move({}), 400, 'MISSING_ATTRIBUTE', ['destinationOrgId']);
    expectFault(await move({ destinationOrgId: ABSENT }), 404, 'ORG_NOT_FOUND', [ABSENT]);
    expectFault(await move({ destinationOrgId: to.id }), 400, 'MISSING_ATTRIBUTE', [
      'destinationOrgPublicApiKey',
    ]);
    const { publicKey, privateKey } = stranger.pair;
    const wrong = [
      { destinationOrgPublicApiKey: publicKey, destinationOrgPrivateApiKey: privateKey },
      { destinationOrgPrivateApiKey: privateKey },
    ];
    for (const pair of wrong) {
      expectFault(await move({ ...agreed, ...pair }), 401, 'USER_UNAUTHORIZED');
    }
    expectStatus(await to.key.post('/groups', { name, orgId: to.id }), 200);
    expectFault(await move(agreed), 409, 'GROUP_ALREADY_EXISTS', [name]);
    expectStatus(await from.key.patch(project, { name: `${name} away` }), 200);
    assert.equal(expectStatus<ProjectDocument>(await move(agreed), 200).orgId, to.id);
    // Other instances notice the move within a second.
    await until(
      'the end of access',
      async () => [await from.key.get(project), await from.key.get(project)],
      (replies) => replies.every(({ status }) => status === 401),
    );
    assert.equal(expectStatus<ProjectDocument>(await to.key.get(project), 200).name, `${name} away`);
    const count = async ({ id, key }: typeof from) =>
      expectStatus<ListDocument>(await key.get(`/orgs/${id}/groups`), 200).totalCount;
    assert.deepEqual([await count(from), await count(to)], [0, 2]);
  });
});

onSetup('PostgreSQL, two instances', 'a project that another instance has just deleted', (setup) => {
  test('rejects changes at once, even if caches are a second old', async () => {
    const [first, second] = [setup.accountAt(0), setup.accountAt(1)];
    for (const [path, body] of [
      ['/settings', { isDataExplorerEnabled: false }],
      ['/privateIpMode', { enabled: true }],
      ['/limits/platform.project.deployment.clusters', { value: 20 }],
    ] as const) {
      const project = await newProject(setup);
      expectStatus(await second.get(project), 200);
      expectStatus(await first.delete(project), 204);
      expectFault(await second.patch(project + path, body), 404, 'GROUP_NOT_FOUND', [idIn(project)]);
    }
  });
});
