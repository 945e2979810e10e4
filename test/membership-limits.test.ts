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
const MAX_KEYS = 500;
const MAX_ACCOUNTS = 200;
const MAX_ADDRESSES = 200;

/** Sends `count` bodies, several at a time. Returns the documents in the responses. */
async function sendMany(client: Client, path: string, count: number, body: () => object, status: number) {
  const documents: Record<string, unknown>[] = [];
  while (documents.length < count) {
    const size = Math.min(50, count - documents.length);
    const replies = await Promise.all(Array.from({ length: size }, () => client.post(path, body())));
    documents.push(...replies.map((reply) => expectStatus(reply, status)));
  }
  return documents;
}

const sendAtOnce = (client: Client, requests: readonly (readonly [path: string, body: object])[]) =>
  Promise.all(requests.map(([path, body]) => client.post(path, body)));

// One setup is enough, since these limits do not depend on the database. Other tests check limits with two instances.
onSetup('SQLite, one instance', 'limits of membership', (setup) => {
  test('an organization has at most 500 users, including invited ones', async () => {
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

  test('an organization has at most 250 teams, and a project 100 of them', async () => {
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
  test('an organization has at most 500 API keys, including those of its projects', async () => {
    const { key, orgId, org, group } = await newStage(setup);
    const ofOrg = { desc: 'a key', roles: ['ORG_MEMBER'] };
    const ofGroup = { desc: 'a key', roles: ['GROUP_READ_ONLY'] };
    const present = expectStatus<ListDocument>(await key.get(`${org}/apiKeys`), 200).totalCount ?? 0;
    await sendMany(key, `${org}/apiKeys`, MAX_KEYS - present - 2, () => ofOrg, 200);
    const made = await sendAtOnce(key, [
      [`${org}/apiKeys`, ofOrg],
      [`${group}/apiKeys`, ofGroup],
      [`${org}/apiKeys`, ofOrg],
      [`${group}/apiKeys`, ofGroup],
    ]);
    const refused = made.filter(({ status }) => status !== 200);
    assert.equal(refused.length, 2);
    for (const reply of refused) {
      expectFault(reply, 400, 'MAX_API_KEYS_PER_ORG_EXCEEDED', [MAX_KEYS, orgId]);
    }
    const page = expectStatus<ListDocument>(await key.get(`${org}/apiKeys?itemsPerPage=500`), 200);
    assert.deepEqual([page.totalCount, page.results.length], [MAX_KEYS, MAX_KEYS]);
    const freed = page.results.find(({ desc }) => desc === 'a key');
    expectStatus(await key.delete(`${org}/apiKeys/${freed?.id}`), 204);
    expectStatus(await key.post(`${group}/apiKeys`, ofGroup), 200);
  });

  test('an organization has at most 200 service accounts, including those of its projects', async () => {
    const { key, orgId, org, group } = await newStage(setup);
    const account = (...roles: string[]) => {
      return { name: 'a', description: 'a', roles, secretExpiresAfterHours: 8 };
    };
    const ofOrg = () => account('ORG_MEMBER');
    await sendMany(key, `${org}/serviceAccounts`, MAX_ACCOUNTS - 2, ofOrg, 201);
    const made = await sendAtOnce(key, [
      [`${org}/serviceAccounts`, ofOrg()],
      [`${group}/serviceAccounts`, account('GROUP_READ_ONLY')],
      [`${org}/serviceAccounts`, ofOrg()],
      [`${group}/serviceAccounts`, account('GROUP_READ_ONLY')],
    ]);
    const refused = made.filter(({ status }) => status !== 201);
    assert.equal(refused.length, 2);
    for (const reply of refused) {
      expectFault(reply, 400, 'MAX_SERVICE_ACCOUNTS_PER_ORG_EXCEEDED', [MAX_ACCOUNTS, orgId]);
    }
    const page = expectStatus<ListDocument>(await key.get(`${org}/serviceAccounts`), 200);
    assert.equal(page.totalCount, MAX_ACCOUNTS);
  });
  test('the access list of a key or an account has at most 200 entries', async () => {
    const { key, org } = await newStage(setup);
    const account = { name: 'a', description: 'a', roles: ['ORG_MEMBER'], secretExpiresAfterHours: 8 };
    const apiKey = expectStatus(await key.post(`${org}/apiKeys`, { desc: 'k', roles: ['ORG_MEMBER'] }), 200);
    const { clientId } = expectStatus(await key.post(`${org}/serviceAccounts`, account), 201);
    const address = (_: unknown, count: number) => ({ ipAddress: `198.51.100.${count}` });
    const addresses = Array.from({ length: MAX_ADDRESSES + 1 }, address);
    for (const path of [`${org}/apiKeys/${apiKey.id}`, `${org}/serviceAccounts/${clientId}`]) {
      const full = [400, 'MAX_ACCESS_LIST_ENTRIES_EXCEEDED', [MAX_ADDRESSES]] as const;
      expectFault(await key.post(`${path}/accessList`, addresses), ...full);
      const most = await key.post(`${path}/accessList`, addresses.slice(1));
      assert.equal(most.json<ListDocument>().totalCount, MAX_ADDRESSES);
      expectFault(await key.post(`${path}/accessList`, addresses.slice(0, 1)), ...full);
    }
  });
});
