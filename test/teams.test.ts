import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectFault, expectStatus } from './support/expect.ts';
import { onOneSetup } from './support/setups.ts';
import type { ListDocument } from './support/stage.ts';
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
const FORMER = { accept: 'application/vnd.service.2023-01-01+json' };

interface TeamDocument {
  readonly id: string;
  readonly name: string;
}

onOneSetup('SQLite, one instance', 'teams', (setup) => {
  /** Creates an organization with a member, an invited person, and an empty team. */
  async function crew() {
    const stage = await newStage(setup);
    const { key, orgId, org } = stage;
    const member = await newUser(setup, key, [{ orgId, roleName: 'ORG_MEMBER' }]);
    const guest = userBody().username;
    const body = { username: guest, roles: { orgRoles: ['ORG_MEMBER'] } };
    const invited = expectStatus<MemberDocument>(await key.post(`${org}/users`, body), 201);
    const reply = await key.post(`${org}/teams`, { name: 'crew', usernames: [] });
    const team = expectStatus<TeamDocument>(reply, 200);
    return { ...stage, member, guest, invited, team, path: `${org}/teams/${team.id}` };
  }

  test('a team is created with members, found, renamed and deleted', async () => {
    const { key, orgId, org, member, guest, invited, team } = await crew();
    const usernames = [member.username, guest];
    const made = expectStatus(await key.post(`${org}/teams`, { name: 'Deck & Co.', usernames }), 200);
    const { id, links, ...shown } = made;
    assert.deepEqual(shown, { name: 'Deck & Co.', usernames });
    assert.ok(links);
    const path = `${org}/teams/${id}`;
    assert.deepEqual((await listed<TeamDocument>(key, `${org}/teams`)).map(({ name }) => name).toSorted(), [
      'Deck & Co.',
      'crew',
    ]);
    assert.equal(expectStatus(await key.get(path), 200).name, 'Deck & Co.');
    assert.equal(expectStatus(await key.get(`${org}/teams/byName/Deck%20%26%20Co.`), 200).id, id);
    assert.deepEqual(named(await listed(key, `${path}/users`)), usernames);
    assert.deepEqual(expectStatus(await key.get(`${org}/users/${invited.id}`), 200).teamIds, [id]);
    const taken = await key.patch(path, { name: 'crew' });
    expectFault(taken, 409, 'TEAM_NAME_NOT_AVAILABLE', ['crew', orgId]);
    assert.equal(expectStatus(await key.patch(path, { name: 'Deck' }), 200).name, 'Deck');
    expectFault(await key.get(`${org}/teams/byName/bridge`), 404, 'TEAM_NAME_NOT_FOUND', ['bridge']);
    expectStatus(await key.delete(path), 204);
    expectFault(await key.get(path), 404, 'TEAM_NOT_FOUND', [String(id)]);
    for (const who of [member.id, invited.id]) {
      assert.deepEqual(expectStatus(await key.get(`${org}/users/${who}`), 200).teamIds, []);
    }
    assert.deepEqual(
      (await listed<TeamDocument>(key, `${org}/teams`)).map(({ id }) => id),
      [team.id],
    );
    assert.deepEqual((await eventTypes(key, org)).slice(-4), [
      ...['TEAM_CREATED', 'JOINED_TEAM', 'TEAM_NAME_CHANGED', 'TEAM_DELETED'],
    ]);
  });

  test('an invalid body creates nothing', async () => {
    const { key, orgId, org, team } = await crew();
    const stranger = await newUser(setup, setup.owner, []);
    const { username } = stranger;
    const cases: [body: object, status: number, code: string, parameters: unknown[]][] = [
      [{ name: 'deck' }, 400, 'MISSING_ATTRIBUTE', ['usernames']],
      [{ name: 'a/b', usernames: [] }, 400, 'INVALID_TEAM_NAME', ['a/b']],
      [{ name: 'crew', usernames: [] }, 409, 'TEAM_NAME_NOT_AVAILABLE', ['crew', orgId]],
      [{ name: 'deck', usernames: ['no@example.org'] }, 404, 'USERNAME_NOT_FOUND', ['no@example.org']],
      [{ name: 'deck', usernames: [username] }, 404, 'USER_NOT_IN_ORG', [stranger.id, orgId]],
      [{ id: team.id, name: 'deck', usernames: [] }, 400, 'ATTRIBUTE_READ_ONLY', ['id']],
    ];
    for (const [body, status, code, parameters] of cases) {
      expectFault(await key.post(`${org}/teams`, body), status, code, parameters);
    }
    assert.equal((await listed(key, `${org}/teams`)).length, 1);
    const names = { name: 'deck', usernames: [] };
    const made = await Promise.all([key.post(`${org}/teams`, names), key.post(`${org}/teams`, names)]);
    assert.deepEqual(made.map(({ status }) => status).toSorted(), [200, 409]);
  });

  test('members are added and removed by the operations of both versions', async () => {
    const { key, org, member, guest, invited, path } = await crew();
    const added = expectStatus<ListDocument<UserDocument>>(
      await key.post(`${path}/users`, [{ id: member.id }]),
      200,
    );
    assert.partialDeepStrictEqual(added.results, [{ id: member.id, emailAddress: member.username }]);
    const id = invited.id;
    const joined = expectStatus<MemberDocument>(await key.post(`${path}:addUser`, { id }), 200);
    assert.equal(joined.teamIds.length, 1);
    assert.deepEqual(named(await listed(key, `${path}/users`)), [member.username, guest]);
    assert.deepEqual(named(await listed(key, `${path}/users?orgMembershipStatus=PENDING`)), [guest]);
    const former = expectStatus<ListDocument<UserDocument>>(await key.get(`${path}/users`, FORMER), 200);
    assert.deepEqual(named(former.results), [member.username]);
    assert.deepEqual(expectStatus(await key.post(`${path}:removeUser`, { id }), 200).teamIds, []);
    expectFault(await key.post(`${path}:removeUser`, { id }), 404, 'USER_NOT_FOUND', [id]);
    expectStatus(await key.delete(`${path}/users/${member.id}`), 204);
    expectFault(await key.delete(`${path}/users/${member.id}`), 404, 'USER_NOT_FOUND', [member.id]);
    expectFault(await key.post(`${path}:addUser`, { id: ABSENT }), 404, 'USER_NOT_FOUND', [ABSENT]);
    assert.deepEqual(await listed(key, `${path}/users`), []);
    assert.deepEqual((await eventTypes(key, org)).slice(-2), ['JOINED_TEAM', 'REMOVED_FROM_TEAM']);
  });

  test('a user who leaves the organization leaves its teams', async () => {
    const { key, org, member, path } = await crew();
    expectStatus(await key.post(`${path}:addUser`, { id: member.id }), 200);
    expectStatus(await key.delete(`${org}/users/${member.id}`), 204);
    assert.deepEqual(await listed(key, `${path}/users`), []);
  });

  test('members of a team have its roles in a project', async () => {
    const { key, member, group, team, path } = await crew();
    const { id: teamId } = team;
    expectStatus(await key.post(`${path}:addUser`, { id: member.id }), 200);
    const add = (roleNames: string[]) => key.post(`${group}/teams`, [{ teamId, roleNames }]);
    const roleNames = ['GROUP_CLUSTER_MANAGER', 'GROUP_READ_ONLY'];
    const added = expectStatus<ListDocument>(await add(roleNames), 200);
    assert.partialDeepStrictEqual(added, { results: [{ teamId, roleNames }], totalCount: 1 });
    assert.deepEqual(await listed(key, `${group}/users`), []);
    assert.partialDeepStrictEqual(await listed(key, `${group}/users?flattenTeams=true`), [
      { id: member.id, roles: roleNames },
    ]);
    const one = `${group}/teams/${teamId}`;
    const changed = await key.patch(one, { roleNames: ['GROUP_OWNER'] });
    assert.partialDeepStrictEqual(expectStatus(changed, 200), { results: [{ roleNames: ['GROUP_OWNER'] }] });
    const read = expectStatus(await key.get(one), 200);
    assert.partialDeepStrictEqual(read, { teamId, roleNames: ['GROUP_OWNER'] });
    expectFault(await add([]), 403, 'NO_ROLES_IN_ASSIGNMENT');
    expectFault(await key.patch(one, { roleNames: [] }), 403, 'NO_ROLES_IN_ASSIGNMENT');
    expectStatus(await key.delete(one), 204);
    assert.deepEqual(await listed(key, `${group}/users?flattenTeams=true`), []);
    assert.deepEqual((await eventTypes(key, group)).slice(1), [
      ...['TEAM_ADDED_TO_GROUP', 'TEAM_ROLES_MODIFIED', 'TEAM_REMOVED_FROM_GROUP'],
    ]);
  });

  test('a team of another organization, and one without a role in the project', async () => {
    const [here, there] = [await crew(), await crew()];
    const { key, orgId, org, groupId, group, team } = here;
    const { id } = there.team;
    expectFault(await key.get(`${org}/teams/${id}`), 404, 'TEAM_NOT_IN_ORG', [id, orgId]);
    expectFault(await key.get(`${org}/teams/x1`), 404, 'INVALID_TEAM_ID', ['x1']);
    expectFault(await key.get(`${org}/teams/${ABSENT}/users`), 404, 'TEAM_NOT_FOUND', [ABSENT]);
    const roleNames = ['GROUP_OWNER'];
    const added = await key.post(`${group}/teams`, [{ teamId: id, roleNames }]);
    expectFault(added, 404, 'TEAM_NOT_IN_ORG', [id, orgId]);
    const absent = await key.get(`${group}/teams/${team.id}`);
    expectFault(absent, 404, 'TEAM_NOT_IN_GROUP', [team.id, groupId]);
    expectFault(await there.key.get(`${org}/teams`), 401, 'USER_CANNOT_ACCESS_ORG');
    expectFault(await there.key.get(`${group}/teams`), 401, 'USER_UNAUTHORIZED');
  });

  test("deleting a project removes a team's roles there, and deleting an organization its teams", async () => {
    const { key, org, group, team } = await crew();
    expectStatus(await key.post(`${group}/teams`, [{ teamId: team.id, roleNames: ['GROUP_OWNER'] }]), 200);
    expectStatus(await key.delete(group), 204);
    expectStatus(await key.delete(`${org}/teams/${team.id}`), 204);
    const events = await eventTypes(key, org);
    assert.ok(!events.includes('TEAM_REMOVED_FROM_GROUP'));
    expectStatus(await key.post(`${org}/teams`, { name: 'last', usernames: [] }), 200);
    expectStatus(await key.delete(org), 204);
  });
});
