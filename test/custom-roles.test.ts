import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allowAccess, driverFor, newUser, SAILOR } from './support/drivers.ts';
import { expectFault, expectStatus } from './support/expect.ts';
import { onOneSetup } from './support/setups.ts';
import { applied, newCluster, newProject, withoutOrigins } from './support/stage.ts';
import { eventTypes, listed } from './support/users.ts';

const onPorts = { db: 'harbour', collection: 'ports' };
const reading = { roleName: 'reading', actions: [{ action: 'FIND', resources: [onPorts] }] };

onOneSetup('SQLite, one instance', 'custom roles', (setup) => {
  async function made(project: string, role: object = reading) {
    return expectStatus(await setup.owner.post(`${project}/customDBRoles/roles`, role), 200);
  }

  test('a role is created, read, listed, changed and deleted', async () => {
    const project = await newProject(setup);
    const roles = `${project}/customDBRoles/roles`;
    const document = await made(project);
    assert.deepEqual({ ...document, links: [] }, { ...reading, inheritedRoles: [], links: [] });
    expectFault(await setup.owner.post(roles, reading), 409, 'PLATFORM_CUSTOM_ROLE_ALREADY_EXISTS', [
      'reading',
    ]);
    const inheritedRoles = [{ db: 'crew', role: 'read' }];
    expectStatus(await setup.owner.patch(`${roles}/reading`, { inheritedRoles }), 200);
    const read = expectStatus(await setup.owner.get(`${roles}/reading`), 200);
    assert.deepEqual([read.actions, read.inheritedRoles], [reading.actions, inheritedRoles]);
    expectStatus(await setup.owner.patch(`${roles}/reading`, { roleName: 'reading' }), 200);
    const renamed = await setup.owner.patch(`${roles}/reading`, { roleName: 'writing' });
    expectFault(renamed, 400, 'ATTRIBUTE_READ_ONLY', ['roleName']);
    const list = (await setup.owner.get(roles)).json() as unknown as object[];
    assert.equal(list.length, 1);
    expectStatus(await setup.owner.delete(`${roles}/reading`), 204);
    expectFault(await setup.owner.get(`${roles}/reading`), 404, 'PLATFORM_CUSTOM_ROLE_NOT_FOUND', [
      'reading',
    ]);
    const unreachable = await setup.owner.post(roles, { ...reading, roleName: '.' });
    expectFault(unreachable, 400, 'INVALID_ATTRIBUTE', ['roleName']);
    const recorded = await listed<{ customRoleName?: string; eventTypeName: string }>(
      setup.owner,
      `${project}/events`,
    );
    const [deleted] = recorded.filter(({ eventTypeName }) => eventTypeName === 'DB_ROLE_DELETED');
    assert.equal(deleted?.customRoleName, 'reading');
    const events = await eventTypes(setup.owner, project);
    const changed = ['DB_ROLE_ADDED', 'DB_ROLE_UPDATED', 'DB_ROLE_UPDATED', 'DB_ROLE_DELETED'];
    assert.deepEqual(
      events.filter((type) => type.includes('ROLE')),
      changed,
    );
  });

  test('its privileges and their changes apply to drivers', async (t) => {
    const project = await newProject(setup);
    const cluster = await newCluster(setup, project, 'fleet');
    await allowAccess(setup, project, cluster);
    await made(project);
    const roles = [{ roleName: 'reading', databaseName: 'admin' }];
    await newUser(setup, project, 'reader', { roles });
    await applied(setup.owner, cluster);
    const driver = await driverFor(setup, cluster, {
      auth: { username: 'reader', password: SAILOR.password },
    });
    t.after(() => driver.close());
    const ports = driver.db('harbour').collection('ports');
    assert.deepEqual(await ports.find().toArray(), []);
    await assert.rejects(ports.insertOne({}), { code: 13 });
    await assert.rejects(driver.db('harbour').collection('crew').findOne({}), { code: 13 });
    const actions = [...reading.actions, { action: 'INSERT', resources: [onPorts] }];
    expectStatus(await setup.owner.patch(`${project}/customDBRoles/roles/reading`, { actions }), 200);
    await applied(setup.owner, cluster);
    await ports.insertOne({ name: 'Riga' });
    assert.equal((await ports.findOne({}))?.name, 'Riga');
    expectFault(
      await setup.owner.delete(`${project}/customDBRoles/roles/reading`),
      409,
      'PLATFORM_CUSTOM_ROLE_IN_USE',
      ['reading', 'reader'],
    );
  });

  test('rejects invalid roles', async () => {
    const project = await newProject(setup);
    const post = (role: object) => setup.owner.post(`${project}/customDBRoles/roles`, role);
    expectFault(await post({ roleName: 'none' }), 400, 'PLATFORM_CUSTOM_ROLE_EMPTY');
    expectFault(
      await post({ ...reading, roleName: 'readWrite' }),
      400,
      'PLATFORM_CUSTOM_ROLE_NAME_RESERVED',
      ['readWrite'],
    );
    const cluster = { action: 'FIND', resources: [{ cluster: true }] };
    expectFault(
      await post({ roleName: 'r', actions: [cluster] }),
      400,
      'PLATFORM_CUSTOM_ROLE_INVALID_RESOURCE',
      ['FIND', 'resources with the fields db and collection'],
    );
    const heir = { roleName: 'heir', inheritedRoles: [{ db: 'admin', role: 'nobody' }] };
    expectFault(await post(heir), 404, 'PLATFORM_CUSTOM_ROLE_NOT_FOUND', ['nobody']);
    await made(project);
    await made(project, { ...heir, inheritedRoles: [{ db: 'admin', role: 'reading' }] });
    const circle = { inheritedRoles: [{ db: 'admin', role: 'heir' }] };
    expectFault(
      await setup.owner.patch(`${project}/customDBRoles/roles/reading`, circle),
      400,
      'PLATFORM_CUSTOM_ROLE_CYCLE',
      ['reading'],
    );
    const both = [
      { roleName: 'reading', databaseName: 'admin' },
      { roleName: 'read', databaseName: 'harbour' },
    ];
    const user = { username: 'both', password: SAILOR.password, databaseName: 'admin', roles: both };
    expectFault(
      await setup.owner.post(`${project}/databaseUsers`, user),
      400,
      'PLATFORM_INVALID_CUSTOM_ROLE_ASSIGNMENT',
      ['reading'],
    );
  });

  test('a project has as many roles as its limit', async () => {
    const project = await newProject(setup);
    const limit = `${project}/limits/platform.project.security.databaseAccess.customRoles`;
    const shown = expectStatus(await setup.owner.patch(limit, { value: 1 }), 200);
    assert.deepEqual([shown.value, shown.defaultLimit, shown.currentUsage], [1, 100, 0]);
    await made(project);
    const second = { ...reading, roleName: 'second' };
    expectFault(
      await setup.owner.post(`${project}/customDBRoles/roles`, second),
      403,
      'CUSTOM_ROLES_LIMIT_EXCEEDED',
      [1],
    );
    expectStatus(await setup.owner.delete(limit), 204);
    await made(project, second);
    const all = (await setup.owner.get(`${project}/limits`)).json() as unknown as Record<string, unknown>[];
    assert.equal(all.find(({ name }) => limit.endsWith(`/${name}`))?.currentUsage, 2);
    expectFault(await setup.owner.patch(limit, { value: 2_000 }), 400, 'PROJECT_LIMIT_OUT_OF_RANGE', [
      'platform.project.security.databaseAccess.customRoles',
      1_400,
    ]);
    expectFault(await setup.owner.get(`${project}/limits/none`), 404, 'PROJECT_LIMIT_NOT_FOUND', ['none']);
  });

  test('settings of a project are stored', async () => {
    const project = await newProject(setup);
    const before = expectStatus(await setup.owner.get(`${project}/settings`), 200);
    assert.equal(before.isDataExplorerEnabled, true);
    const change = { isDataExplorerEnabled: false };
    const after = expectStatus(await setup.owner.patch(`${project}/settings`, change), 200);
    assert.deepEqual([after.isDataExplorerEnabled, after.isPerformanceAdvisorEnabled], [false, true]);
    assert.deepEqual(
      withoutOrigins(expectStatus(await setup.owner.get(`${project}/settings`), 200)),
      withoutOrigins(after),
    );
  });
});
