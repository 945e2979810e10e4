import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Client } from './support/client.ts';
import { expectFault, expectStatus } from './support/expect.ts';
import { onSetup } from './support/setups.ts';
import type { ListDocument } from './support/stage.ts';
import { newStage, userBody } from './support/users.ts';

const MAX_USERS = 500;
const MAX_TEAMS = 250;
const MAX_TEAMS_OF_PROJECT = 100;

/** Sends `count` bodies, some at a time, and answers their documents. */
async function sendMany(client: Client, path: string, count: number, body: () => object, status: number) {
  const documents: Record<string, unknown>[] = [];
  while (documents.length < count) {
    const size = Math.min(50, count - documents.length);
    const replies = await Promise.all(Array.from({ length: size }, () => client.post(path, body())));
    documents.push(...replies.map((reply) => expectStatus(reply, status)));
  }
  return documents;
}

// Numbers of rows, the same in both databases; the rules themselves are tried from two instances elsewhere.
onSetup('SQLite, one instance', 'limits of membership', (setup) => {
  test('an organization has room for 500 users, whoever is invited among them', async () => {
    const { key, orgId, org } = await newStage(setup);
    const roles = { orgRoles: ['ORG_MEMBER'] };
    await sendMany(key, `${org}/users`, MAX_USERS, () => ({ username: userBody().username, roles }), 201);
    const { username } = userBody();
    const full = ['MAX_USERS_PER_ORG_EXCEEDED', [MAX_USERS, orgId]] as const;
    expectFault(await key.post(`${org}/users`, { username, roles }), 400, ...full);
    const member = { ...userBody(), roles: [{ orgId, roleName: 'ORG_MEMBER' }] };
    expectFault(await key.post('/users', member), 400, ...full);
    const page = expectStatus<ListDocument>(await key.get(`${org}/users?itemsPerPage=500`), 200);
    assert.equal(page.totalCount, MAX_USERS);
  });

  test('an organization has room for 250 teams, and a project for 100 of them', async () => {
    const { key, orgId, org, groupId, group } = await newStage(setup);
    let count = 0;
    const team = () => ({ name: `team ${++count}`, usernames: [] });
    const teams = await sendMany(key, `${org}/teams`, MAX_TEAMS, team, 200);
    const another = await key.post(`${org}/teams`, team());
    expectFault(another, 400, 'MAX_TEAMS_PER_ORG_EXCEEDED', [MAX_TEAMS, orgId]);
    const assigned = teams.map(({ id }) => ({ teamId: id, roleNames: ['GROUP_READ_ONLY'] }));
    const many = await key.post(`${group}/teams`, assigned.slice(0, MAX_TEAMS_OF_PROJECT + 1));
    expectFault(many, 400, 'MAX_TEAMS_PER_GROUP_EXCEEDED', [MAX_TEAMS_OF_PROJECT, groupId]);
    const most = await key.post(`${group}/teams`, assigned.slice(0, MAX_TEAMS_OF_PROJECT));
    assert.equal(expectStatus(most, 200).totalCount, MAX_TEAMS_OF_PROJECT);
  });
});
