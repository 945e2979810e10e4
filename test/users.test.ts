import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectFault, expectStatus } from './support/expect.ts';
import { onOneSetup, type Setup } from './support/setups.ts';
import {
  type ListDocument,
  linksTo,
  newOrganization,
  type ProjectDocument,
  withoutOrigins,
} from './support/stage.ts';
import {
  eventTypes as events,
  listed,
  type MemberDocument,
  named,
  newStage,
  newUser,
  type UserDocument,
  userBody,
} from './support/users.ts';

const ABSENT = 'f'.repeat(24);
const FORMER = { accept: 'application/vnd.service.2023-01-01+json' };

onOneSetup('SQLite, one instance', 'users', (setup) => {
  accounts(setup);
  organizationMembers(setup);
  projectMembers(setup);
  ownersFromTheStart(setup);
});

function accounts(setup: Setup): void {
  test('a user is created with roles, and found by id and by name in any case', async () => {
    const { key, orgId, groupId } = await newStage(setup);
    const body = userBody();
    const roles = [
      { orgId, roleName: 'ORG_READ_ONLY' },
      { groupId, roleName: 'GROUP_CLUSTER_MANAGER' },
    ];
    setup.keepOutOfLogs(body.password);
    const sent = { ...body, emailAddress: body.username, roles };
    const made = expectStatus<UserDocument>(await key.post('/users', sent), 200);
    const { password: _, ...known } = sent;
    const { id, links, createdAt, ...shown } = made;
    assert.deepEqual(shown, { ...known, teamIds: [] });
    assert.match(String(createdAt), /^\d{4}-/);
    assert.ok(links?.some(({ href }) => href.endsWith(`/users/${id}`)));
    assert.deepEqual(expectStatus(await key.get(`/users/${id}`), 200).roles, roles);
    const byName = await key.get(`/users/byName/${encodeURIComponent(body.username.toUpperCase())}`);
    assert.equal(expectStatus(byName, 200).id, id);
    expectFault(await key.post('/users', body), 409, 'USER_ALREADY_EXISTS', [body.username]);
  });

  test('an invalid body creates nothing', async () => {
    const { key, orgId, groupId } = await newStage(setup);
    const body = userBody();
    const other = await newOrganization(setup, 'ORG_OWNER');
    const role = (assignment: object) => ({ ...body, roles: [assignment] });
    const cases: [body: object, status: number, code: string, parameters: unknown[]][] = [
      [{ ...body, username: undefined }, 400, 'MISSING_ATTRIBUTE', ['username']],
      [{ ...body, emailAddress: 'other@example.org' }, 400, 'ATTRIBUTE_READ_ONLY', ['emailAddress']],
      [role({ orgId, roleName: 'ORG_KING' }), 400, 'INVALID_ENUM_VALUE', ['ORG_KING']],
      [role({ groupId, roleName: 'ORG_OWNER' }), 400, 'ROLE_NEEDS_ORG_ID', ['ORG_OWNER']],
      [role({ orgId, roleName: 'GROUP_OWNER' }), 400, 'ROLE_NEEDS_GROUP_ID', ['GROUP_OWNER']],
      [role({ orgId: other.id, roleName: 'ORG_MEMBER' }), 401, 'NOT_ORG_OWNER', [other.id]],
      [role({ groupId: ABSENT, roleName: 'GROUP_OWNER' }), 404, 'GROUP_NOT_FOUND', [ABSENT]],
    ];
    for (const [sent, status, code, parameters] of cases) {
      expectFault(await key.post('/users', sent), status, code, parameters);
    }
    expectFault(await key.post('/users', { ...body, username: 'nobody' }), 400, 'INVALID_EMAIL_ADDRESS');
    for (const wrong of [{ password: 'short' }, { country: 'usa' }, { mobileNumber: 'none' }]) {
      const reply = expectStatus(await key.post('/users', { ...body, ...wrong }), 400);
      assert.equal(reply.errorCode, 'VALIDATION_ERROR');
    }
    expectFault(await key.get(`/users/byName/${body.username}`), 404, 'USERNAME_NOT_FOUND', [body.username]);
  });

  test('a user is visible to callers who share an organization, with the roles there', async () => {
    const [here, there] = [await newStage(setup), await newStage(setup)];
    const user = await newUser(setup, here.key, [{ orgId: here.orgId, roleName: 'ORG_MEMBER' }]);
    expectFault(await there.key.get(`/users/${user.id}`), 404, 'USER_NOT_FOUND', [user.id]);
    const { username } = user;
    expectFault(await there.key.get(`/users/byName/${username}`), 404, 'USERNAME_NOT_FOUND', [username]);
    expectFault(await here.key.get(`/users/${ABSENT}`), 404, 'USER_NOT_FOUND', [ABSENT]);
    expectFault(await here.key.get('/users/x1'), 404, 'INVALID_USER_ID', ['x1']);
  });
}

function organizationMembers(setup: Setup): void {
  test('members of an organization are listed with their roles, before invited users', async () => {
    const { key, orgId, org, groupId } = await newStage(setup);
    const user = await newUser(setup, key, [
      { orgId, roleName: 'ORG_OWNER' },
      { groupId, roleName: 'GROUP_OWNER' },
    ]);
    const guest = userBody().username;
    const roles = {
      orgRoles: ['ORG_MEMBER'],
      groupRoleAssignments: [{ groupId, groupRoles: ['GROUP_READ_ONLY'] }],
    };
    const invited = expectStatus(await key.post(`${org}/users`, { username: guest, roles }), 201);
    assert.partialDeepStrictEqual(invited, {
      username: guest,
      orgMembershipStatus: 'PENDING',
      roles,
      teamIds: [],
    });
    const lifetime =
      Date.parse(String(invited.invitationExpiresAt)) - Date.parse(String(invited.invitationCreatedAt));
    assert.equal(lifetime, 30 * 24 * 3600 * 1000);
    assert.match(String(invited.inviterUsername), /^[a-z]{8}$/);
    const all = await listed(key, `${org}/users`);
    assert.deepEqual(named(all), [user.username, guest]);
    assert.partialDeepStrictEqual(all[0], {
      id: user.id,
      firstName: user.firstName,
      orgMembershipStatus: 'ACTIVE',
      roles: { orgRoles: ['ORG_OWNER'], groupRoleAssignments: [{ groupId, groupRoles: ['GROUP_OWNER'] }] },
    });
    assert.deepEqual(named(await listed(key, `${org}/users?orgMembershipStatus=PENDING`)), [guest]);
    assert.deepEqual(named(await listed(key, `${org}/users?orgMembershipStatus=ACTIVE`)), [user.username]);
    assert.deepEqual(named(await listed(key, `${org}/users?username=${guest.toUpperCase()}`)), [guest]);
    const first = expectStatus<ListDocument<MemberDocument>>(
      await key.get(`${org}/users?itemsPerPage=1`),
      200,
    );
    assert.deepEqual([named(first.results), first.totalCount], [[user.username], 2]);
    assert.deepEqual(expectStatus(await key.get(`${org}/users/${invited.id}`), 200).id, invited.id);
    expectFault(await key.post(`${org}/users`, { username: guest, roles }), 409, 'USER_ALREADY_EXISTS', [
      guest,
    ]);
    assert.deepEqual(await events(key, org), [
      ...['ORG_CREATED', 'API_KEY_CREATED', 'GROUP_CREATED', 'JOINED_ORG', 'JOINED_GROUP'],
      ...['INVITED_TO_ORG', 'INVITED_TO_GROUP'],
    ]);
  });

  test('the first version lists only users, in its own shape', async () => {
    const { key, orgId, org, groupId, group } = await newStage(setup);
    const roles = [
      { orgId, roleName: 'ORG_MEMBER' },
      { groupId, roleName: 'GROUP_OWNER' },
    ];
    const user = await newUser(setup, key, roles);
    const guest = { username: userBody().username, roles: ['GROUP_READ_ONLY'] };
    expectStatus(await key.post(`${group}/users`, guest), 201);
    for (const path of [`${org}/users`, `${group}/users`, `/api/service/v1.0${org}/users`]) {
      const options = path.startsWith('/api') ? {} : FORMER;
      const { results } = expectStatus<ListDocument<UserDocument>>(await key.get(path, options), 200);
      assert.partialDeepStrictEqual(results, [{ id: user.id, emailAddress: user.username, roles }]);
      assert.match(results[0]?.links?.[0]?.href ?? '', /\/users\/[a-f0-9]{24}$/);
    }
  });

  test('roles of a member are added, removed and replaced; at least one remains', async () => {
    const { key, orgId, org, groupId } = await newStage(setup);
    await newUser(setup, key, [{ orgId, roleName: 'ORG_OWNER' }]);
    const { id } = await newUser(setup, key, [{ orgId, roleName: 'ORG_MEMBER' }]);
    const path = `${org}/users/${id}`;
    const rolesNow = async () => expectStatus<MemberDocument>(await key.get(path), 200).roles;
    expectStatus(await key.post(`${path}:addRole`, { orgRole: 'ORG_READ_ONLY' }), 200);
    expectStatus(await key.post(`${path}:addRole`, { orgRole: 'ORG_READ_ONLY' }), 200);
    assert.deepEqual((await rolesNow()).orgRoles, ['ORG_MEMBER', 'ORG_READ_ONLY']);
    expectStatus(await key.post(`${path}:removeRole`, { orgRole: 'ORG_MEMBER' }), 200);
    const last = await key.post(`${path}:removeRole`, { orgRole: 'ORG_READ_ONLY' });
    expectFault(last, 403, 'CANNOT_REMOVE_ALL_USER_ROLES');
    const put = await key.send('PUT', `${path}/roles`, { orgRoles: ['ORG_OWNER'] });
    assert.deepEqual(withoutOrigins(expectStatus(put, 200)), {
      links: linksTo(path),
      orgRoles: ['ORG_OWNER'],
    });
    const groupRoleAssignments = [{ groupId, groupRoles: ['GROUP_OWNER'] }];
    const roles = { orgRoles: ['ORG_MEMBER'], groupRoleAssignments };
    assert.deepEqual(expectStatus(await key.patch(path, { roles }), 200).roles, roles);
    expectStatus(await key.patch(path, { roles: { orgRoles: ['ORG_MEMBER'] } }), 200);
    assert.deepEqual((await rolesNow()).groupRoleAssignments, groupRoleAssignments);
    expectStatus(
      await key.patch(path, { roles: { orgRoles: ['ORG_MEMBER'], groupRoleAssignments: [] } }),
      200,
    );
    assert.deepEqual(await rolesNow(), { orgRoles: ['ORG_MEMBER'], groupRoleAssignments: [] });
    const foreign = {
      orgRoles: ['ORG_MEMBER'],
      groupRoleAssignments: [{ groupId: ABSENT, groupRoles: ['GROUP_OWNER'] }],
    };
    expectFault(await key.patch(path, { roles: foreign }), 404, 'GROUP_NOT_FOUND', [ABSENT]);
    const empty = { orgRoles: ['ORG_MEMBER'], groupRoleAssignments: [{ groupId }] };
    expectFault(await key.patch(path, { roles: empty }), 403, 'NO_ROLES_IN_ASSIGNMENT');
    expectFault(await key.patch(path, { teamIds: [ABSENT] }), 404, 'TEAM_NOT_FOUND', [ABSENT]);
  });

  test('an organization keeps its last owner', async () => {
    const { key, orgId, org } = await newStage(setup);
    const [first, second] = [
      await newUser(setup, key, [{ orgId, roleName: 'ORG_OWNER' }]),
      await newUser(setup, key, [{ orgId, roleName: 'ORG_OWNER' }]),
    ];
    const roles = `${org}/users/${first.id}/roles`;
    expectStatus(await key.delete(`${org}/users/${second.id}`), 204);
    const demoted = await key.send('PUT', roles, { orgRoles: ['ORG_MEMBER'] });
    expectFault(demoted, 403, 'CANNOT_DEMOTE_LAST_ORG_OWNER');
    expectFault(await key.delete(`${org}/users/${first.id}`), 403, 'CANNOT_DELETE_LAST_ADMIN');
    expectFault(await key.get(`${org}/users/${second.id}`), 404, 'USER_NOT_IN_ORG', [second.id, orgId]);
    expectFault(await key.get(`${org}/users/${ABSENT}`), 404, 'USER_NOT_FOUND', [ABSENT]);
  });

  test('of two concurrent requests, one creates the user; of two concurrent demotions, one fails', async () => {
    const { key, orgId, org } = await newStage(setup);
    const body = userBody();
    const made = await Promise.all([key.post('/users', body), key.post('/users', body)]);
    assert.deepEqual(made.map(({ status }) => status).toSorted(), [200, 409]);
    const owners = [];
    for (let count = 0; count < 2; count++) {
      owners.push(await newUser(setup, key, [{ orgId, roleName: 'ORG_OWNER' }]));
    }
    const removed = await Promise.all(owners.map(({ id }) => key.delete(`${org}/users/${id}`)));
    assert.deepEqual(removed.map(({ status }) => status).toSorted(), [204, 403]);
    const guest = { username: userBody().username, roles: { orgRoles: ['ORG_MEMBER'] } };
    const invited = await Promise.all([key.post(`${org}/users`, guest), key.post(`${org}/users`, guest)]);
    assert.deepEqual(invited.map(({ status }) => status).toSorted(), [201, 409]);
  });

  test('a user who leaves an organization leaves its projects', async () => {
    const { key, orgId, org, groupId, group } = await newStage(setup);
    const { id, username } = await newUser(setup, key, [{ groupId, roleName: 'GROUP_READ_ONLY' }]);
    assert.deepEqual(named(await listed(key, `${group}/users`)), [username]);
    const { roles } = expectStatus<MemberDocument>(await key.get(`${org}/users/${id}`), 200);
    assert.deepEqual(roles.orgRoles, ['ORG_MEMBER']);
    expectStatus(await key.delete(`${org}/users/${id}`), 204);
    assert.deepEqual(await listed(key, `${group}/users`), []);
    expectFault(await key.delete(`${org}/users/${id}`), 404, 'USER_NOT_IN_ORG', [id, orgId]);
    assert.deepEqual((await events(key, org)).slice(-2), ['REMOVED_FROM_ORG', 'REMOVED_FROM_GROUP']);
  });
}

function projectMembers(setup: Setup): void {
  test('a member joins a project at once; another user is invited to project and organization', async () => {
    const { key, orgId, org, groupId, group } = await newStage(setup);
    const { username, id } = await newUser(setup, key, [{ orgId, roleName: 'ORG_MEMBER' }]);
    const guest = userBody().username;
    const roles = ['GROUP_CLUSTER_MANAGER', 'GROUP_READ_ONLY'];
    const joined = expectStatus(await key.post(`${group}/users`, { username, roles }), 201);
    assert.partialDeepStrictEqual(joined, { id, orgMembershipStatus: 'ACTIVE', roles });
    const invited = expectStatus(await key.post(`${group}/users`, { username: guest, roles }), 201);
    assert.partialDeepStrictEqual(invited, { orgMembershipStatus: 'PENDING', roles });
    for (const taken of [username, guest]) {
      const again = await key.post(`${group}/users`, { username: taken, roles });
      expectFault(again, 409, 'USER_ALREADY_EXISTS', [taken]);
    }
    assert.deepEqual(named(await listed(key, `${group}/users`)), [username, guest]);
    const inOrg = await listed(key, `${org}/users?orgMembershipStatus=PENDING`);
    assert.partialDeepStrictEqual(inOrg, [
      { id: invited.id, roles: { orgRoles: ['ORG_MEMBER'], groupRoleAssignments: [{ groupId }] } },
    ]);
    assert.deepEqual(expectStatus(await key.get(`${group}/users/${id}`), 200).roles, roles);
    const path = `${group}/users/${id}`;
    expectStatus(await key.post(`${path}:removeRole`, { groupRole: 'GROUP_READ_ONLY' }), 200);
    const last = await key.post(`${path}:removeRole`, { groupRole: 'GROUP_CLUSTER_MANAGER' });
    expectFault(last, 403, 'CANNOT_REMOVE_ALL_USER_ROLES');
    const more = expectStatus(await key.post(`${path}:addRole`, { groupRole: 'GROUP_OWNER' }), 200);
    const groupRoles = ['GROUP_CLUSTER_MANAGER', 'GROUP_OWNER'];
    assert.partialDeepStrictEqual(more, { id, roles: { groupRoleAssignments: [{ groupId, groupRoles }] } });
    const put = await key.send('PUT', `${path}/roles`, { groupRoles: ['GROUP_OWNER'] });
    assert.deepEqual(withoutOrigins(expectStatus(put, 200)), {
      groupRoles: ['GROUP_OWNER'],
      links: linksTo(path),
    });
    for (const one of [id, String(invited.id)]) {
      expectStatus(await key.delete(`${group}/users/${one}`), 204);
    }
    expectFault(await key.get(path), 404, 'USER_NOT_IN_GROUP', [id, groupId]);
    // The person was invited to this project only.
    assert.deepEqual(named(await listed(key, `${org}/users`)), [username]);
    assert.deepEqual(await events(key, group), [
      ...['GROUP_CREATED', 'JOINED_GROUP', 'INVITED_TO_GROUP', 'USER_ROLES_CHANGED_AUDIT'],
      ...['USER_ROLES_CHANGED_AUDIT', 'USER_ROLES_CHANGED_AUDIT', 'REMOVED_FROM_GROUP'],
      'GROUP_INVITATION_DELETED',
    ]);
  });

  test('users with organization-wide roles are listed with a project on request', async () => {
    const { key, orgId, group } = await newStage(setup);
    const owner = await newUser(setup, key, [{ orgId, roleName: 'ORG_OWNER' }]);
    await newUser(setup, key, [{ orgId, roleName: 'ORG_MEMBER' }]);
    assert.deepEqual(await listed(key, `${group}/users`), []);
    const all = await listed(key, `${group}/users?includeOrgUsers=true`);
    assert.partialDeepStrictEqual(all, [{ id: owner.id, roles: ['GROUP_OWNER'] }]);
    assert.equal(all.length, 1);
  });

  test('readers cannot change users', async () => {
    const { key, org, groupId, group } = await newStage(setup);
    const { id } = await newUser(setup, key, [{ groupId, roleName: 'GROUP_READ_ONLY' }]);
    const roles = ['GROUP_OWNER'];
    const outsider = (await newOrganization(setup, 'ORG_OWNER')).key;
    expectFault(await outsider.get(`${org}/users`), 401, 'USER_CANNOT_ACCESS_ORG');
    expectFault(await outsider.get(`${group}/users`), 401, 'USER_UNAUTHORIZED');
    expectFault(await outsider.delete(`${org}/users/${id}`), 401, 'USER_CANNOT_ACCESS_ORG');
    expectFault(
      await outsider.post(`${group}/users`, { username: 'a@example.org', roles }),
      401,
      'USER_UNAUTHORIZED',
    );
    const creator = await newOrganization(setup, 'ORG_GROUP_CREATOR');
    assert.deepEqual(await listed(creator.key, `/orgs/${creator.id}/users`), []);
    const wanted = { username: 'a@example.org', roles: { orgRoles: ['ORG_OWNER'] } };
    const refused = await creator.key.post(`/orgs/${creator.id}/users`, wanted);
    expectFault(refused, 401, 'NOT_ORG_OWNER', [creator.id]);
  });

  test('deleting an organization removes the roles of its users', async () => {
    const { key, orgId, org, group } = await newStage(setup);
    const { id } = await newUser(setup, key, [{ orgId, roleName: 'ORG_OWNER' }]);
    expectStatus(await key.delete(group), 204);
    expectStatus(await key.delete(org), 204);
    assert.deepEqual(expectStatus(await setup.owner.get(`/users/${id}`), 200).roles, []);
  });

  test('rejects invalid filters', async () => {
    const { key, org, group } = await newStage(setup);
    for (const query of ['orgMembershipStatus=GONE', 'username=nobody']) {
      const [name = ''] = query.split('=');
      expectFault(await key.get(`${org}/users?${query}`), 400, 'INVALID_QUERY_PARAMETER', [name]);
    }
    const flag = await key.get(`${group}/users?flattenTeams=perhaps`);
    expectFault(flag, 400, 'INVALID_QUERY_PARAMETER', ['flattenTeams']);
  });
}

function ownersFromTheStart(setup: Setup): void {
  test('an organization and a project start with the requested owner', async () => {
    const { key, orgId } = await newStage(setup);
    const user = await newUser(setup, key, [{ orgId, roleName: 'ORG_MEMBER' }]);
    const stranger = await newUser(setup, setup.owner, []);
    const create = (owner: string) =>
      key.post(`/groups?projectOwnerId=${owner}`, { name: `owned-${owner}`, orgId });
    const { id } = expectStatus<ProjectDocument>(await create(user.id), 200);
    const members = await listed(key, `/groups/${id}/users`);
    assert.partialDeepStrictEqual(members, [{ id: user.id, roles: ['GROUP_OWNER'] }]);
    expectFault(await create(ABSENT), 404, 'USER_NOT_FOUND', [ABSENT]);
    expectFault(await create(stranger.id), 404, 'USER_NOT_IN_ORG', [stranger.id, orgId]);
    const apiKey = { desc: 'key', roles: ['ORG_READ_ONLY'] };
    const made = await key.post('/orgs', { name: 'Owned', orgOwnerId: user.id, apiKey });
    const { orgOwnerId, organization } = expectStatus<Record<string, unknown>>(made, 201);
    assert.equal(orgOwnerId, user.id);
    assert.ok(organization);
    // Callers cannot make a person of another organization an owner, and do not learn that the person exists.
    const other = await newUser(setup, setup.owner, [
      { orgId: setup.bootstrap.orgId, roleName: 'ORG_MEMBER' },
    ]);
    const ofOther = await key.post('/orgs', { name: 'Owned by a stranger', orgOwnerId: other.id });
    expectFault(ofOther, 404, 'USER_NOT_FOUND', [other.id]);
    const withoutKey = await key.post('/orgs', { name: 'Owned by a person', orgOwnerId: user.id });
    assert.equal(expectStatus(withoutKey, 201).apiKey, undefined);
  });
}
