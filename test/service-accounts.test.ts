import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anonymous, bearer, type Client, fetchToken, serviceAccount } from './support/client.ts';
import { expectEverywhere } from './support/everywhere.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { type Setup, timed } from './support/setups.ts';
import {
  type ListDocument,
  linksTo,
  newOrganization,
  type ProjectDocument,
  uniqueName,
  withoutOrigins,
} from './support/stage.ts';

interface SecretDocument {
  readonly id: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly lastUsedAt?: string;
  readonly secret?: string;
  readonly maskedSecretValue?: string;
}

interface AccountDocument {
  readonly clientId: string;
  readonly name: string;
  readonly description: string;
  readonly roles: readonly string[];
  readonly secrets: readonly SecretDocument[];
}

const ABSENT = `db_sa_id_${'f'.repeat(24)}`;
const details = { name: 'pilot', description: 'brings ships in', secretExpiresAfterHours: 8 };

async function stage(setup: Setup) {
  const { key: owner, id: orgId } = await newOrganization(setup, 'ORG_OWNER');
  const project = await owner.post('/groups', { name: uniqueName('accounts'), orgId });
  const groupId = expectStatus<ProjectDocument>(project, 200).id;
  return {
    owner,
    orgId,
    groupId,
    accounts: `/orgs/${orgId}/serviceAccounts`,
    ofProject: `/groups/${groupId}/serviceAccounts`,
  };
}

/** Creates an account, and a client with a token that was obtained with the account's first secret. */
async function made(setup: Setup, owner: Client, path: string, roles: readonly string[]) {
  const account = expectStatus<AccountDocument>(await owner.post(path, { ...details, roles }), 201);
  const [secret] = account.secrets;
  const clear = secret?.secret ?? '';
  setup.keepOutOfLogs(clear);
  return { account, secret, clear, client: setup.clientWith(serviceAccount(account.clientId, clear)) };
}

/** Expects a status on every instance, at most a second after a change. */
const everywhere = (setup: Setup, client: Client, path: string, status: number) =>
  expectEverywhere(setup, { client, path }, (one) => one === status);

const tokenOf = (setup: Setup, clientId: string, secret: string) => {
  const [connection] = setup.connections;
  assert.ok(connection);
  return fetchToken(connection, clientId, secret);
};

timed.onOneSetup('PostgreSQL, two instances', 'service accounts', (setup) => {
  lives(setup);
  addresses(setup);
  bounds(setup);
});

function lives(setup: Setup): void {
  test('an account is created, used, read, listed, changed and deleted', async () => {
    const { owner, orgId, accounts } = await stage(setup);
    const { account, clear, client } = await made(setup, owner, accounts, ['ORG_MEMBER']);
    const { clientId, secrets, ...rest } = account as AccountDocument & {
      links: unknown;
      createdAt: unknown;
    };
    assert.match(clientId, /^db_sa_id_[a-f0-9]{24}$/);
    assert.match(clear, /^db_sa_sk_[A-Za-z0-9_-]{40}$/);
    assert.deepEqual([rest.name, rest.description, rest.roles], ['pilot', 'brings ships in', ['ORG_MEMBER']]);
    const [secret] = secrets;
    assert.ok(secret);
    assert.equal(Date.parse(secret.expiresAt) - Date.parse(secret.createdAt), 8 * 3_600_000);
    expectStatus(await client.get(`/orgs/${orgId}`), 200);
    expectFault(await client.patch(`/orgs/${orgId}`, { name: 'x' }), 401, 'NOT_ORG_OWNER', [orgId]);
    const one = `${accounts}/${clientId}`;
    const read = await until(
      'the last use of the secret',
      async () => expectStatus<AccountDocument>(await owner.get(one), 200),
      (document) => document.secrets[0]?.lastUsedAt !== undefined,
    );
    assert.equal(read.secrets[0]?.secret, undefined);
    assert.equal(read.secrets[0]?.maskedSecretValue, `db_sa_sk_${'*'.repeat(36)}${clear.slice(-4)}`);
    const list = expectStatus<ListDocument<AccountDocument>>(await owner.get(accounts), 200);
    assert.deepEqual([list.totalCount, list.results.map((of) => of.clientId)], [1, [clientId]]);
    const change = { description: 'owns', roles: ['ORG_OWNER'] };
    const changed = expectStatus<AccountDocument>(await owner.patch(one, change), 200);
    assert.deepEqual([changed.name, changed.description, changed.roles], ['pilot', 'owns', ['ORG_OWNER']]);
    await until(
      'the new role to open what it opens',
      () => client.patch(`/orgs/${orgId}`, { name: uniqueName('renamed') }),
      ({ status }) => status === 200,
    );
    expectStatus(await owner.delete(one), 204);
    await everywhere(setup, client, `/orgs/${orgId}`, 401);
    expectFault(await owner.get(one), 404, 'RESOURCE_NOT_FOUND', [`Service account with id ${clientId}`]);
    const events = expectStatus<ListDocument<{ eventTypeName: string; targetUsername?: string }>>(
      await owner.get(`/orgs/${orgId}/events`),
      200,
    );
    assert.deepEqual(
      events.results.filter((of) => of.targetUsername === clientId).map((of) => of.eventTypeName),
      [
        'SERVICE_ACCOUNT_DELETED',
        'SERVICE_ACCOUNT_ROLES_CHANGED',
        'SERVICE_ACCOUNT_DETAILS_CHANGED',
        'SERVICE_ACCOUNT_CREATED',
      ],
    );
  });

  test('a secret can be rotated without interruption, and its deletion revokes its tokens', async () => {
    const { owner, orgId, accounts } = await stage(setup);
    const { account, secret, client } = await made(setup, owner, accounts, ['ORG_MEMBER']);
    const secrets = `${accounts}/${account.clientId}/secrets`;
    const body = { secretExpiresAfterHours: 8760 };
    expectStatus(await client.get(`/orgs/${orgId}`), 200);
    const second = expectStatus<SecretDocument>(await owner.post(secrets, body), 201);
    setup.keepOutOfLogs(second.secret ?? '');
    expectFault(await owner.post(secrets, body), 400, 'MAX_SECRETS_PER_SERVICE_ACCOUNT_EXCEEDED', [
      2,
      account.clientId,
    ]);
    const next = setup.clientWith(serviceAccount(account.clientId, second.secret ?? ''));
    expectStatus(await next.get(`/orgs/${orgId}`), 200);
    expectStatus(await owner.delete(`${secrets}/${secret?.id}`), 204);
    await everywhere(setup, client, `/orgs/${orgId}`, 401);
    expectFault(await client.get('/'), 401, 'UNAUTHORIZED');
    await everywhere(setup, next, `/orgs/${orgId}`, 200);
    expectFault(await owner.delete(`${secrets}/${secret?.id}`), 404, 'RESOURCE_NOT_FOUND', [
      `Secret with id ${secret?.id}`,
    ]);
    const form = { authorization: `Basic ${btoa(`${account.clientId}:${secret?.secret}`)}` };
    const headers = { ...form, 'content-type': 'application/x-www-form-urlencoded' };
    const again = setup
      .clientWith(anonymous)
      .post('/api/oauth/token', 'grant_type=client_credentials', { headers });
    assert.equal(expectStatus(await again, 401).error, 'invalid_client');
  });

  test('an account of a project works there, and can be added to other projects', async () => {
    const { owner, orgId, groupId, accounts, ofProject } = await stage(setup);
    const { account, client } = await made(setup, owner, ofProject, ['GROUP_READ_ONLY']);
    assert.deepEqual(account.roles, ['GROUP_READ_ONLY']);
    expectStatus(await client.get(`/groups/${groupId}`), 200);
    expectFault(await client.post(`/groups/${groupId}/accessList`, []), 401, 'USER_UNAUTHORIZED');
    const inOrg = expectStatus<AccountDocument>(await owner.get(`${accounts}/${account.clientId}`), 200);
    assert.deepEqual(inOrg.roles, ['ORG_MEMBER']);
    const guest = await made(setup, owner, accounts, ['ORG_MEMBER']);
    const { clientId } = guest.account;
    expectFault(await owner.get(`${ofProject}/${clientId}`), 404, 'RESOURCE_NOT_FOUND', [
      `Service account with id ${clientId}`,
    ]);
    expectFault(await guest.client.get(`/groups/${groupId}`), 401, 'USER_UNAUTHORIZED');
    const invited = await owner.post(`${ofProject}/${clientId}:invite`, { roles: ['GROUP_CLUSTER_MANAGER'] });
    assert.deepEqual(expectStatus<AccountDocument>(invited, 200).roles, ['GROUP_CLUSTER_MANAGER']);
    await everywhere(setup, guest.client, `/groups/${groupId}`, 200);
    const groups = expectStatus<ListDocument>(await owner.get(`${accounts}/${clientId}/groups`), 200);
    const group = {
      groupId,
      links: linksTo(`${ofProject}/${clientId}`),
      roles: ['GROUP_CLUSTER_MANAGER'],
    };
    assert.deepEqual([groups.totalCount, withoutOrigins(groups.results)], [1, [group]]);
    const roles = ['GROUP_BACKUP_MANAGER', 'GROUP_READ_ONLY'];
    const patched = expectStatus<AccountDocument>(
      await owner.patch(`${ofProject}/${clientId}`, { roles }),
      200,
    );
    assert.deepEqual(patched.roles, roles);
    const list = expectStatus<ListDocument<AccountDocument>>(await owner.get(ofProject), 200);
    assert.deepEqual(
      list.results.map((of) => of.clientId).toSorted(),
      [account.clientId, clientId].toSorted(),
    );
    expectStatus(await owner.delete(`${ofProject}/${clientId}`), 204);
    await everywhere(setup, guest.client, `/groups/${groupId}`, 401);
    expectStatus(await guest.client.get(`/orgs/${orgId}`), 200);
  });
}

function addresses(setup: Setup): void {
  test('an account with an address list works only from these addresses, but gets tokens from anywhere', async () => {
    const { owner, orgId, groupId, accounts, ofProject } = await stage(setup);
    const { account, clear, client } = await made(setup, owner, ofProject, ['GROUP_READ_ONLY']);
    const list = `${accounts}/${account.clientId}/accessList`;
    const entries = [{ cidrBlock: '192.0.2.0/24' }, { ipAddress: '127.0.0.1' }];
    expectStatus(await owner.post(list, entries), 200);
    await everywhere(setup, client, `/groups/${groupId}`, 200);
    await until(
      'requests are counted',
      async () => expectStatus<ListDocument>(await owner.get(list), 200).results[0],
      (entry) => Number(entry?.requestCount) >= 2 && entry?.lastUsedAddress === '127.0.0.1',
    );
    for (const place of [list, `${ofProject}/${account.clientId}/accessList`]) {
      const { results } = expectStatus<ListDocument>(await owner.get(place), 200);
      const links = withoutOrigins(results.map((entry) => entry.links));
      assert.deepEqual(links, [linksTo(place), linksTo(place)]);
    }
    expectStatus(
      await owner.delete(`/groups/${groupId}/serviceAccounts/${account.clientId}/accessList/127.0.0.1`),
      204,
    );
    await everywhere(setup, client, `/orgs/${orgId}`, 403);
    const token = await tokenOf(setup, account.clientId, clear);
    expectFault(await setup.clientWith(bearer(token)).get('/'), 403, 'IP_ADDRESS_NOT_ON_ACCESS_LIST', [
      '127.0.0.1',
    ]);
    expectFault(
      await owner.post(list, [{ cidrBlock: '192.0.2.0/24' }]),
      409,
      'ADDRESS_ALREADY_IN_ACCESS_LIST',
      ['192.0.2.0/24'],
    );
    expectFault(await owner.delete(`${list}/203.0.113.1`), 404, 'RESOURCE_NOT_FOUND', [
      'Access list entry with address 203.0.113.1',
    ]);
  });

  test('a project owner cannot change an account that has more rights elsewhere', async () => {
    const { owner, groupId, accounts, ofProject } = await stage(setup);
    const { account: strong } = await made(setup, owner, accounts, ['ORG_OWNER']);
    const { client } = await made(setup, owner, ofProject, ['GROUP_OWNER']);
    const one = `${ofProject}/${strong.clientId}`;
    expectStatus(await client.post(`${one}:invite`, { roles: ['GROUP_READ_ONLY'] }), 200);
    const secret = strong.secrets[0]?.id;
    for (const [method, path, body] of [
      ['POST', '/secrets', { secretExpiresAfterHours: 8 }],
      ['DELETE', `/secrets/${secret}`],
      ['POST', '/accessList', [{ ipAddress: '192.0.2.1' }]],
      ['PATCH', '', { name: 'mine' }],
    ] as const) {
      expectFault(await client.send(method, one + path, body), 401, 'USER_UNAUTHORIZED');
    }
    expectStatus(await client.get(`${one}/accessList`), 200);
    expectStatus(await owner.post(`${one}/secrets`, { secretExpiresAfterHours: 8 }), 201);
    assert.match(groupId, /^[a-f0-9]{24}$/);
  });
}

function bounds(setup: Setup): void {
  test('each invalid request has its error code', async () => {
    const { owner, orgId, groupId, accounts, ofProject } = await stage(setup);
    const body = { ...details, roles: ['ORG_MEMBER'] };
    for (const wrong of [
      { ...body, name: 'x'.repeat(65) },
      { ...body, name: 'semi;colon' },
      { ...body, description: '' },
      { ...body, secretExpiresAfterHours: 7 },
      { ...body, secretExpiresAfterHours: 8761 },
    ]) {
      assert.equal((await owner.post(accounts, wrong)).json().errorCode, 'VALIDATION_ERROR');
    }
    const { secretExpiresAfterHours: _, ...endless } = body;
    expectFault(await owner.post(accounts, endless), 400, 'MISSING_ATTRIBUTE', ['secretExpiresAfterHours']);
    const [group, org] = [
      { ...body, roles: ['GROUP_OWNER'] },
      { ...body, roles: ['ORG_OWNER'] },
    ];
    expectFault(await owner.post(accounts, group), 400, 'INVALID_ROLE_FOR_ORG', ['GROUP_OWNER', orgId]);
    expectFault(await owner.post(ofProject, org), 400, 'INVALID_ROLE_FOR_GROUP', ['ORG_OWNER', groupId]);
    const notFound = [`Service account with id ${ABSENT}`];
    expectFault(await owner.get(`${accounts}/${ABSENT}`), 404, 'RESOURCE_NOT_FOUND', notFound);
    expectFault(await owner.get(`${accounts}/none`), 400, 'INVALID_PATH_PARAMETER', ['clientId']);
    const early = { accept: 'application/vnd.service.2024-05-30+json' };
    expectFault(await owner.get(accounts, early), 406, 'INVALID_VERSION_DATE');
  });

  test('concurrent requests cannot exceed the limit of two secrets', async () => {
    const { owner, accounts } = await stage(setup);
    const { account } = await made(setup, owner, accounts, ['ORG_MEMBER']);
    const secrets = `${accounts}/${account.clientId}/secrets`;
    const replies = await Promise.all(
      [1, 2, 3, 4].map(() => owner.post(secrets, { secretExpiresAfterHours: 8 })),
    );
    assert.deepEqual(replies.map(({ status }) => status).toSorted(), [201, 400, 400, 400]);
    const read = expectStatus<AccountDocument>(await owner.get(`${accounts}/${account.clientId}`), 200);
    assert.equal(read.secrets.length, 2);
  });

  test('an organization can limit the lifetime of secrets', async () => {
    const { owner, orgId, accounts } = await stage(setup);
    const settings = { maxServiceAccountSecretValidityInHours: 24 };
    expectStatus(await owner.patch(`/orgs/${orgId}/settings`, settings), 200);
    const body = { ...details, roles: ['ORG_MEMBER'] };
    const long = await owner.post(accounts, { ...body, secretExpiresAfterHours: 25 });
    assert.equal(expectStatus(long, 400).errorCode, 'VALIDATION_ERROR');
    expectStatus(await owner.post(accounts, { ...body, secretExpiresAfterHours: 24 }), 201);
  });

  // Run this last, since it moves service time.
  test('an expired secret gets no token, and does not count against the limit', async () => {
    const { owner, accounts } = await stage(setup);
    const { account, clear } = await made(setup, owner, accounts, ['ORG_MEMBER']);
    const secrets = `${accounts}/${account.clientId}/secrets`;
    const lasting = await owner.post(secrets, { secretExpiresAfterHours: 100 });
    const kept = expectStatus<SecretDocument>(lasting, 201);
    expectStatus(await setup.operator.patch('/operator/v1/clock', { advanceSeconds: 9 * 3600 }), 200);
    const headers = {
      authorization: `Basic ${btoa(`${account.clientId}:${clear}`)}`,
      'content-type': 'application/x-www-form-urlencoded',
    };
    await until(
      'the secret to expire',
      () =>
        setup.clientWith(anonymous).post('/api/oauth/token', 'grant_type=client_credentials', { headers }),
      ({ status }) => status === 401,
    );
    const next = await until(
      'room for another secret',
      () => owner.post(secrets, { secretExpiresAfterHours: 8 }),
      ({ status }) => status === 201,
    );
    const read = expectStatus<AccountDocument>(await owner.get(`${accounts}/${account.clientId}`), 200);
    assert.deepEqual(
      read.secrets.map(({ id }) => id),
      [kept.id, next.json<SecretDocument>().id],
    );
  });
}
