import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { type Setup, timed } from './support/setups.ts';
import type { ListDocument, ProjectDocument } from './support/stage.ts';
import {
  eventTypes,
  listed,
  type MemberDocument,
  named,
  newStage,
  newUser,
  type UserDocument,
  userBody,
} from './support/users.ts';

const ABSENT = 'f'.repeat(24);
const DAY_SECONDS = 24 * 3600;

interface InvitationDocument {
  readonly id: string;
  readonly username: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly roles: string[];
}

const accept = (setup: Setup, id: string) => setup.operator.post(`/operator/v1/invitations/${id}:accept`, {});

const absent = (id: string) => [`Invitation with id ${id}`];

/** Creates the account of an invited person. */
async function register(setup: Setup, username: string): Promise<UserDocument> {
  const body = { ...userBody(), username };
  setup.keepOutOfLogs(body.password);
  return expectStatus<UserDocument>(await setup.owner.post('/users', body), 200);
}

timed.onOneSetup('SQLite, one instance', 'invitations', (setup) => {
  toOrganizations(setup);
  toProjects(setup);
  acceptance(setup);
  ends(setup);
});

function toOrganizations(setup: Setup): void {
  test('an invitation to an organization is created, read, listed, changed in both ways, and withdrawn', async () => {
    const { key, orgId, org, groupId } = await newStage(setup);
    const teamReply = await key.post(`${org}/teams`, { name: 'crew', usernames: [] });
    const teamIds = [String(expectStatus(teamReply, 200).id)];
    const { username } = userBody();
    const groupRoleAssignments = [{ groupId, roles: ['GROUP_OWNER', 'GROUP_READ_ONLY'] }];
    const body = { username, roles: ['ORG_MEMBER'], teamIds, groupRoleAssignments };
    const made = expectStatus<InvitationDocument>(await key.post(`${org}/invites`, body), 200);
    const { name: orgName } = expectStatus(await key.get(org), 200);
    const assignments = ['GROUP_OWNER', 'GROUP_READ_ONLY'].map((groupRole) => ({ groupId, groupRole }));
    const expected = {
      username,
      orgId,
      orgName,
      roles: ['ORG_MEMBER'],
      teamIds,
      groupRoleAssignments: assignments,
    };
    assert.partialDeepStrictEqual(made, expected);
    assert.equal(Date.parse(made.expiresAt) - Date.parse(made.createdAt), 30 * DAY_SECONDS * 1000);
    const path = `${org}/invites/${made.id}`;
    assert.partialDeepStrictEqual(expectStatus(await key.get(path), 200), expected);
    const list = async (query = '') => {
      const reply = await key.get(`${org}/invites${query}`);
      return expectStatus<InvitationDocument[]>(reply, 200).map(({ id }) => id);
    };
    assert.deepEqual(await list(), [made.id]);
    assert.deepEqual(await list(`?username=${username.toUpperCase()}`), [made.id]);
    assert.deepEqual(await list('?username=no@example.org'), []);
    expectFault(await key.post(`${org}/invites`, body), 409, 'USER_ALREADY_EXISTS', [username]);
    const roles = ['ORG_READ_ONLY'];
    const byId = expectStatus(await key.patch(path, { roles }), 200);
    assert.partialDeepStrictEqual(byId, { ...expected, roles });
    const byName = await key.patch(`${org}/invites`, { username, teamIds: [], groupRoleAssignments: [] });
    assert.partialDeepStrictEqual(expectStatus(byName, 200), {
      roles,
      teamIds: [],
      groupRoleAssignments: [],
    });
    expectFault(await key.patch(path, { roles: [] }), 403, 'CANNOT_REMOVE_ALL_USER_ROLES');
    const nobody = await key.patch(`${org}/invites`, { username: 'no@example.org', roles });
    expectFault(nobody, 404, 'USERNAME_NOT_FOUND', ['no@example.org']);
    expectStatus(await key.delete(path), 204);
    expectFault(await key.get(path), 404, 'RESOURCE_NOT_FOUND', absent(made.id));
    expectFault(await key.delete(`${org}/invites/x1`), 404, 'RESOURCE_NOT_FOUND', absent('x1'));
    assert.deepEqual((await eventTypes(key, org)).slice(-4), [
      ...['INVITED_TO_ORG', 'INVITED_TO_GROUP', 'GROUP_INVITATION_DELETED', 'ORG_INVITATION_DELETED'],
    ]);
  });

  test('an invalid body creates nothing', async () => {
    const { key, orgId, org, group } = await newStage(setup);
    const member = await newUser(setup, key, [{ orgId, roleName: 'ORG_MEMBER' }]);
    const { username } = userBody();
    const roles = ['ORG_MEMBER'];
    const strange = { groupId: ABSENT, roles: ['GROUP_OWNER'] };
    const cases: [body: object, status: number, code: string, parameters: unknown[]][] = [
      [{ roles }, 400, 'MISSING_ATTRIBUTE', ['username']],
      [{ username }, 400, 'MISSING_ATTRIBUTE', ['roles']],
      [{ username: 'nobody', roles }, 400, 'INVALID_EMAIL_ADDRESS', []],
      [{ username, roles: ['GROUP_OWNER'] }, 400, 'INVALID_ENUM_VALUE', ['GROUP_OWNER']],
      [{ username, roles, teamIds: [ABSENT] }, 404, 'TEAM_NOT_FOUND', [ABSENT]],
      [{ username, roles, groupRoleAssignments: [strange] }, 404, 'GROUP_NOT_FOUND', [ABSENT]],
      [{ username: member.username, roles }, 409, 'USER_ALREADY_EXISTS', [member.username]],
    ];
    for (const [body, status, code, parameters] of cases) {
      expectFault(await key.post(`${org}/invites`, body), status, code, parameters);
    }
    const wrong = await key.post(`${group}/invites`, { username, roles });
    expectFault(wrong, 400, 'INVALID_ENUM_VALUE', ['ORG_MEMBER']);
    assert.deepEqual(expectStatus(await key.get(`${org}/invites`), 200), []);
  });
}

function toProjects(setup: Setup): void {
  test('an invitation to a project includes the organization, and is deleted with the project', async () => {
    const { key, org, groupId, group } = await newStage(setup);
    const { username } = userBody();
    const roles = ['GROUP_CLUSTER_MANAGER'];
    const made = expectStatus<InvitationDocument>(
      await key.post(`${group}/invites`, { username, roles }),
      200,
    );
    const expected = { username, groupId, groupName: 'harbour', roles };
    assert.partialDeepStrictEqual(made, expected);
    const path = `${group}/invites/${made.id}`;
    assert.partialDeepStrictEqual(expectStatus(await key.get(path), 200), expected);
    const inOrg = expectStatus(await key.get(`${org}/invites/${made.id}`), 200);
    assert.partialDeepStrictEqual(inOrg, {
      roles: ['ORG_MEMBER'],
      groupRoleAssignments: [{ groupId, groupRole: 'GROUP_CLUSTER_MANAGER' }],
    });
    const other = { username, roles: ['GROUP_OWNER'] };
    expectFault(await key.post(`${group}/invites`, other), 409, 'USER_ALREADY_EXISTS', [username]);
    assert.deepEqual(expectStatus(await key.patch(`${group}/invites`, other), 200).roles, ['GROUP_OWNER']);
    assert.deepEqual(expectStatus(await key.patch(path, { roles }), 200).roles, roles);
    const listedOnes = expectStatus<InvitationDocument[]>(await key.get(`${group}/invites`), 200);
    assert.deepEqual(named(listedOnes), [username]);
    expectStatus(await key.delete(path), 204);
    expectFault(await key.get(path), 404, 'RESOURCE_NOT_FOUND', absent(made.id));
    assert.deepEqual(expectStatus(await key.get(`${org}/invites`), 200), []);
    const again = expectStatus<InvitationDocument>(await key.post(`${group}/invites`, other), 200);
    expectStatus(await key.delete(group), 204);
    const gone = await key.get(`${org}/invites/${again.id}`);
    expectFault(gone, 404, 'RESOURCE_NOT_FOUND', absent(again.id));
  });

  test('a project that moves to another organization loses its invitations and members', async () => {
    const [here, there] = [await newStage(setup), await newStage(setup)];
    const { key, org, group } = here;
    expectStatus(await key.patch(group, { name: 'moving' }), 200);
    const roles = [{ groupId: here.groupId, roleName: 'GROUP_OWNER' }];
    await newUser(setup, key, roles);
    const body = { username: userBody().username, roles: ['GROUP_READ_ONLY'] };
    expectStatus(await key.post(`${group}/invites`, body), 200);
    const move = {
      destinationOrgId: there.orgId,
      destinationOrgPublicApiKey: there.pair.publicKey,
      destinationOrgPrivateApiKey: there.pair.privateKey,
    };
    expectStatus(await key.post(`${group}:migrate`, move), 200);
    assert.deepEqual(expectStatus(await key.get(`${org}/invites`), 200), []);
    // For up to a second, another instance may still assign the project to its previous organization.
    const left = await until(
      'the new owner reads',
      () => there.key.get(`${group}/users?includeOrgUsers=true`),
      ({ status }) => status === 200,
    );
    assert.deepEqual(left.json<ListDocument>().results, []);
    const [member] = await listed(key, `${org}/users`);
    assert.deepEqual(member?.roles.groupRoleAssignments, []);
  });

  test('projects join one invitation, and leave it one by one', async () => {
    const { key, orgId, org, group } = await newStage(setup);
    const second = await key.post('/groups', { name: 'second', orgId });
    const other = `/groups/${expectStatus<ProjectDocument>(second, 200).id}`;
    const { username } = userBody();
    const invite = { username, roles: ['ORG_MEMBER'] };
    const { id } = expectStatus<InvitationDocument>(await key.post(`${org}/invites`, invite), 200);
    for (const path of [group, other]) {
      const body = { username, roles: ['GROUP_READ_ONLY'] };
      assert.equal(expectStatus(await key.post(`${path}/invites`, body), 200).id, id);
    }
    expectStatus(await key.delete(`${group}/invites/${id}`), 204);
    expectFault(await key.get(`${group}/invites/${id}`), 404, 'RESOURCE_NOT_FOUND', absent(id));
    expectStatus(await key.delete(`${other}/invites/${id}`), 204);
    assert.deepEqual(expectStatus(await key.get(`${org}/invites/${id}`), 200).groupRoleAssignments, []);
  });
}

function acceptance(setup: Setup): void {
  test('accepting grants the offered roles, with the id that the invitation showed', async () => {
    const { key, org, groupId, group } = await newStage(setup);
    const { username } = userBody();
    const teamReply = await key.post(`${org}/teams`, { name: 'crew', usernames: [] });
    const teamIds = [String(expectStatus(teamReply, 200).id)];
    const roles = {
      orgRoles: ['ORG_READ_ONLY'],
      groupRoleAssignments: [{ groupId, groupRoles: ['GROUP_OWNER'] }],
    };
    const body = { username: username.toUpperCase(), roles, teamIds };
    const { id } = expectStatus<MemberDocument>(await key.post(`${org}/users`, body), 201);
    const [invitation] = expectStatus<InvitationDocument[]>(await key.get(`${org}/invites`), 200);
    assert.ok(invitation);
    expectFault(await accept(setup, invitation.id), 404, 'USERNAME_NOT_FOUND', [username.toUpperCase()]);
    assert.equal((await register(setup, username)).id, id);
    expectStatus(await accept(setup, invitation.id), 200);
    const member = expectStatus<MemberDocument>(await key.get(`${org}/users/${id}`), 200);
    assert.partialDeepStrictEqual(member, { orgMembershipStatus: 'ACTIVE', roles, teamIds });
    assert.deepEqual(named(await listed(key, `${group}/users`)), [username]);
    assert.deepEqual(expectStatus(await key.get(`${org}/invites`), 200), []);
    expectFault(await accept(setup, invitation.id), 404, 'RESOURCE_NOT_FOUND', absent(invitation.id));
    const events = await listed<Record<string, unknown>>(key, `${org}/events?eventType=JOINED_ORG`);
    assert.partialDeepStrictEqual(events, [{ userId: id, username, targetUsername: username }]);
    expectFault(await key.post(`/operator/v1/invitations/${id}:accept`, {}), 401, 'UNAUTHORIZED');
  });

  test('one operation adds a member to a project at once, and another one invites', async () => {
    const { key, orgId, org, group } = await newStage(setup);
    const { username, id } = await newUser(setup, key, [{ orgId, roleName: 'ORG_MEMBER' }]);
    const roles = ['GROUP_READ_ONLY'];
    const invited = expectStatus<InvitationDocument>(
      await key.post(`${group}/invites`, { username, roles }),
      200,
    );
    assert.deepEqual(expectStatus(await key.get(`${org}/invites`), 200), []);
    assert.deepEqual(await listed(key, `${group}/users`), []);
    expectStatus(await accept(setup, invited.id), 200);
    assert.deepEqual(named(await listed(key, `${group}/users`)), [username]);
    expectStatus(await key.delete(`${group}/users/${id}`), 204);
    const added = await key.post(`${group}/access`, { username, roles });
    assert.deepEqual([added.status, added.text], [204, '']);
    expectFault(await key.post(`${group}/access`, { username, roles }), 409, 'USER_ALREADY_EXISTS', [
      username,
    ]);
    const guest = userBody().username;
    const asked = expectStatus(await key.post(`${group}/access`, { username: guest, roles }), 200);
    assert.partialDeepStrictEqual(asked, { username: guest, roles: ['ORG_MEMBER'], orgId });
  });

  test('creating a user with roles deletes the invitation', async () => {
    const { key, orgId, org } = await newStage(setup);
    const body = userBody();
    setup.keepOutOfLogs(body.password);
    const invite = { username: body.username, roles: ['ORG_MEMBER'] };
    expectStatus(await key.post(`${org}/invites`, invite), 200);
    const roles = [{ orgId, roleName: 'ORG_OWNER' }];
    expectStatus(await key.post('/users', { ...body, roles }), 200);
    assert.deepEqual(expectStatus(await key.get(`${org}/invites`), 200), []);
    assert.partialDeepStrictEqual(await listed(key, `${org}/users`), [
      { orgMembershipStatus: 'ACTIVE', roles: { orgRoles: ['ORG_OWNER'] } },
    ]);
  });
}

function ends(setup: Setup): void {
  test('after thirty days it cannot be accepted, and another can be created', async () => {
    const { key, org } = await newStage(setup);
    const { username } = await newUser(setup, setup.owner, []);
    const body = { username, roles: ['ORG_MEMBER'] };
    const { id } = expectStatus<InvitationDocument>(await key.post(`${org}/invites`, body), 200);
    const advance = (days: number) =>
      setup.operator.patch('/operator/v1/clock', { advanceSeconds: days * DAY_SECONDS });
    expectStatus(await advance(29), 200);
    expectStatus(await key.get(`${org}/invites/${id}`), 200);
    expectStatus(await advance(1.5), 200);
    // For up to a second, another instance may still use the previous service time.
    const read = () => key.get(`${org}/invites/${id}`);
    await until(
      'expiry at every instance',
      async () => [(await read()).status, (await read()).status],
      (statuses) => statuses.every((status) => status === 404),
    );
    expectFault(await read(), 404, 'RESOURCE_NOT_FOUND', absent(id));
    expectFault(await accept(setup, id), 404, 'RESOURCE_NOT_FOUND', absent(id));
    const { totalCount } = expectStatus<ListDocument>(await key.get(`${org}/users`), 200);
    assert.equal(totalCount, 0);
    const again = expectStatus<InvitationDocument>(await key.post(`${org}/invites`, body), 200);
    expectStatus(await accept(setup, again.id), 200);
    assert.deepEqual(named(await listed(key, `${org}/users`)), [username]);
  });

  test('other callers cannot see or create invitations', async () => {
    const { org, group } = await newStage(setup);
    const { username } = userBody();
    const outside = (await newStage(setup)).key;
    const roles = ['ORG_MEMBER'];
    expectFault(await outside.post(`${org}/invites`, { username, roles }), 401, 'USER_CANNOT_ACCESS_ORG');
    expectFault(await outside.get(`${group}/invites`), 401, 'USER_UNAUTHORIZED');
  });
}
