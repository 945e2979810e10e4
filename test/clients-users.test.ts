import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { before, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { onOneSetup } from './support/setups.ts';
import { newOrganization } from './support/stage.ts';
import { newStage, newUser, userBody } from './support/users.ts';

/** The calls of the public API client that concern users. The client is unmodified. */

const connectApi = createRequire(import.meta.url)(
  'mongodb-atlas-api-client',
) as typeof import('mongodb-atlas-api-client').default;

onOneSetup('SQLite, one instance', 'users through the public API client', (setup) => {
  before(() => {
    const authorities = setup.instances.map(({ authority }) => authority ?? '');
    setDefaultCACertificates([...getCACertificates('default'), ...authorities]);
  });

  async function api() {
    const { key, pair, orgId, groupId, org } = await newStage(setup);
    const baseUrl = `${setup.bootstrap.url}/api/service/v1.0`;
    return { key, orgId, groupId, org, ...connectApi({ ...pair, baseUrl, projectId: groupId }) };
  }

  test('it creates users and finds them', async () => {
    const { atlasUser, orgId, groupId } = await api();
    const body = userBody();
    setup.keepOutOfLogs(body.password);
    const roles = [
      { orgId, roleName: 'ORG_MEMBER' },
      { groupId, roleName: 'GROUP_READ_ONLY' },
    ];
    type Create = (user: object) => Promise<unknown>;
    const made = (await (atlasUser.create as unknown as Create).call(atlasUser, {
      ...body,
      emailAddress: body.username,
      roles,
    })) as { id: string; password?: string };
    assert.partialDeepStrictEqual(made, { username: body.username, roles });
    assert.equal(made.password, undefined);
    assert.deepEqual(await atlasUser.getById(made.id), made);
    assert.deepEqual(await atlasUser.getByName(body.username), made);
    const changed = [
      { orgId, roleName: 'ORG_READ_ONLY' },
      { groupId, roleName: 'GROUP_OWNER' },
    ];
    const update = { firstName: 'Joan', roles: changed };
    const after = (await (atlasUser.update as (id: string, body: object) => Promise<unknown>).call(
      atlasUser,
      made.id,
      update,
    )) as object;
    assert.partialDeepStrictEqual(after, { firstName: 'Joan', lastName: body.lastName, roles: changed });
    assert.deepEqual(await atlasUser.getById(made.id), after);
    await atlasUser.update(made.id, { firstName: body.firstName, roles } as never);
    assert.partialDeepStrictEqual(await atlasUser.getAll(), {
      results: [{ id: made.id, roles }],
      totalCount: 1,
    });
  });

  test('it invites to an organization, lists its users and removes one from a project', async () => {
    const { key, organization, project, orgId, groupId } = await api();
    const user = await newUser(setup, key, [{ groupId, roleName: 'GROUP_OWNER' }]);
    const { username } = userBody();
    type Invite = (id: string, body: object) => Promise<unknown>;
    const invite = (organization.invite as unknown as Invite).bind(organization);
    const invited = await invite(orgId, { username, roles: ['ORG_MEMBER'] });
    assert.partialDeepStrictEqual(invited, { username, orgId, roles: ['ORG_MEMBER'], teamIds: [] });
    const all = { results: [{ id: user.id, emailAddress: user.username }], totalCount: 1 };
    assert.partialDeepStrictEqual(await organization.getAllUsersForOrganization(orgId), all);
    assert.equal(await project.removeUserFromProject(groupId, user.id), true);
    assert.partialDeepStrictEqual(await organization.getById(orgId), { id: orgId });
    const roles = [{ orgId, roleName: 'ORG_MEMBER' }];
    assert.partialDeepStrictEqual(await organization.getAllUsersForOrganization(orgId), {
      results: [{ roles }],
    });
  });

  test('it grants teams roles in a project', async () => {
    const { key, project, org, groupId } = await api();
    const team = await key.post(`${org}/teams`, { name: 'crew', usernames: [] });
    const teamId = String(team.json().id);
    const teams = { results: [{ teamId, roleNames: ['GROUP_READ_ONLY'] }], totalCount: 1 };
    type Assign = (id: string, body: object) => Promise<unknown>;
    const assign = (project.assignTeams as unknown as Assign).bind(project);
    assert.partialDeepStrictEqual(await assign(groupId, [{ teamId, roleNames: ['GROUP_READ_ONLY'] }]), teams);
    assert.partialDeepStrictEqual(await project.getTeamsByProjectId(groupId), teams);
  });

  test('it renames, lists and deletes organizations', async () => {
    const { organization, orgId, groupId, project } = await api();
    const other = await newOrganization(setup, 'ORG_OWNER');
    assert.partialDeepStrictEqual(await organization.rename(orgId, { name: 'Renamed' }), { name: 'Renamed' });
    assert.partialDeepStrictEqual(await organization.getAll(), { results: [{ id: orgId }], totalCount: 1 });
    assert.partialDeepStrictEqual(await organization.getAllProjectsForOrganization(orgId), {
      results: [{ id: groupId }],
    });
    assert.partialDeepStrictEqual(await organization.getById(other.id), {
      errorCode: 'USER_CANNOT_ACCESS_ORG',
    });
    assert.equal(await project.delete(groupId), true);
    assert.equal(await organization.delete(orgId), true);
  });
});
