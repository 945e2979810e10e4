import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serviceAccount } from './support/client.ts';
import { expectEverywhere } from './support/everywhere.ts';
import { expectFault, expectStatus } from './support/expect.ts';
import { onOneSetup } from './support/setups.ts';
import {
  type ListDocument,
  newOrganization,
  newProject,
  type ProjectDocument,
  uniqueName,
  withoutOrigins,
} from './support/stage.ts';

interface OrganizationDocument {
  readonly id: string;
  readonly name: string;
}

const ABSENT = 'f'.repeat(24);

interface CreatedAccount {
  readonly clientId: string;
  readonly createdAt: string;
  readonly secrets: readonly [{ readonly id: string; readonly secret: string; readonly expiresAt: string }];
}

onOneSetup('SQLite, one instance', 'organizations', (setup) => {
  const create = (body: unknown) => setup.owner.post('/orgs', body);
  const apiKey = { desc: 'the first key', roles: ['ORG_OWNER'] };

  test('an organization is created with a key for it, and returned as it was created', async () => {
    const reply = await create({ name: 'Harbour Ltd.', apiKey, skipDefaultAlertsSettings: true });
    const { organization, apiKey: key, ...rest } = expectStatus(reply, 201);
    const { id, links, ...shown } = organization as Record<string, unknown>;
    assert.deepEqual(shown, { isDeleted: false, name: 'Harbour Ltd.', skipDefaultAlertsSettings: true });
    assert.deepEqual(rest, { skipDefaultAlertsSettings: true });
    assert.deepEqual(links, [
      { href: `${new URL(reply.url).origin}/api/service/v2/orgs/${id}`, rel: 'self' },
    ]);
    const { publicKey, privateKey, id: keyId, ...about } = key as Record<string, string>;
    assert.match(`${publicKey} ${privateKey}`, /^[a-z]{8} [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    assert.match(String(keyId), /^[a-f0-9]{24}$/);
    assert.deepEqual(about, { desc: 'the first key', roles: [{ orgId: id, roleName: 'ORG_OWNER' }] });
    // The caller created the organization but has no role in it.
    expectFault(await setup.owner.get(`/orgs/${id}`), 401, 'USER_CANNOT_ACCESS_ORG');
  });

  test('an invalid body creates nothing', async () => {
    const name = 'Nobody';
    const cases: [body: unknown, status: number, code: string, parameters: unknown[]][] = [
      [{}, 400, 'MISSING_ATTRIBUTE', ['name']],
      [{ name }, 400, 'MISSING_ONE_OF_ATTRIBUTES', ['apiKey', 'orgOwnerId']],
      [{ name, apiKey: { ...apiKey, roles: ['ORG_MEMBER'] } }, 400, 'MISSING_ATTRIBUTE', ['orgOwnerId']],
      [{ name, orgOwnerId: ABSENT }, 404, 'USER_NOT_FOUND', [ABSENT]],
      [{ name, federationSettingsId: ABSENT, apiKey }, 400, 'INVALID_ATTRIBUTE', ['federationSettingsId']],
      [{ name: '', apiKey }, 400, 'INVALID_ORG_NAME', ['']],
      [{ name: ' x', apiKey }, 400, 'INVALID_ORG_NAME', [' x']],
      [{ name: 'a/b', apiKey }, 400, 'INVALID_ORG_NAME', ['a/b']],
      [{ name: 'x'.repeat(65), apiKey }, 400, 'INVALID_ORG_NAME', ['x'.repeat(65)]],
      [{ name, apiKey: { ...apiKey, roles: ['GROUP_OWNER'] } }, 400, 'INVALID_ENUM_VALUE', ['GROUP_OWNER']],
      [{ name, apiKey: { roles: ['ORG_OWNER'] } }, 400, 'MISSING_ATTRIBUTE', ['apiKey.desc']],
      [{ name, apiKey: { ...apiKey, secret: 1 } }, 400, 'INVALID_ATTRIBUTE', ['apiKey.secret']],
    ];
    for (const [body, status, code, parameters] of cases) {
      expectFault(await create(body), status, code, parameters);
    }
    const empty = await create({ name, apiKey: { desc: '', roles: [] } });
    assert.equal(expectStatus(empty, 400).errorCode, 'VALIDATION_ERROR');
    const long = await create({ name, apiKey: { ...apiKey, desc: 'x'.repeat(251) } });
    assert.equal(expectStatus(long, 400).errorCode, 'VALIDATION_ERROR');
    const listed = expectStatus<ListDocument>(await setup.owner.get('/orgs'), 200);
    assert.equal(listed.totalCount, 1);
  });

  test('an organization can be created with a service account that owns it', async () => {
    const about = { name: 'pilot', description: 'steers ships', roles: ['ORG_OWNER'] };
    const account = { ...about, secretExpiresAfterHours: 8 };
    const made = expectStatus(await create({ name: 'Harbour Ltd.', serviceAccount: account }), 201);
    const { id } = made.organization as { readonly id: string };
    const { clientId, createdAt, secrets, ...shown } = made.serviceAccount as CreatedAccount;
    assert.deepEqual([shown, made.apiKey], [about, undefined]);
    const [secret] = secrets;
    assert.equal(Date.parse(secret.expiresAt) - Date.parse(createdAt), 8 * 3_600_000);
    const client = setup.clientWith(serviceAccount(clientId, secret.secret));
    const read = expectStatus<CreatedAccount>(
      await client.get(`/orgs/${id}/serviceAccounts/${clientId}`),
      200,
    );
    assert.deepEqual([read.clientId, read.secrets[0].id], [clientId, secret.id]);
    const name = 'Pier Ltd.';
    expectFault(await create({ name, apiKey, serviceAccount: account }), 400, 'INVALID_ATTRIBUTE', [
      'serviceAccount',
    ]);
    const member = { ...account, roles: ['ORG_MEMBER'] };
    expectFault(await create({ name, serviceAccount: member }), 400, 'MISSING_ATTRIBUTE', ['orgOwnerId']);
  });

  test('only the owner of an organization can create another', async () => {
    const { key } = await newOrganization(setup, 'ORG_GROUP_CREATOR');
    expectFault(await key.post('/orgs', { name: 'x', apiKey }), 403, 'API_KEY_CANNOT_CREATE_ORG');
  });

  test('a list contains the visible organizations, filtered by prefix', async () => {
    const { key, id } = await newOrganization(setup, 'ORG_MEMBER');
    const { name } = expectStatus<OrganizationDocument>(await key.get(`/orgs/${id}`), 200);
    const listed = async (query: string) => {
      const { results, totalCount } = expectStatus<ListDocument<OrganizationDocument>>(
        await key.get(`/orgs${query}`),
        200,
      );
      assert.equal(totalCount, results.length);
      return results.map((one) => one.id);
    };
    assert.deepEqual(await listed(''), [id]);
    assert.deepEqual(await listed(`?name=${name.slice(0, 5).toUpperCase()}`), [id]);
    assert.deepEqual(await listed(`?name=${name.slice(1)}`), []);
    assert.deepEqual(await listed('?name=%25'), []);
  });

  test('a malformed id and an unknown id', async () => {
    const { owner } = setup;
    for (const path of ['', '/groups', '/events', `/events/${ABSENT}`]) {
      expectFault(await owner.get(`/orgs/x1${path}`), 404, 'INVALID_ORG_ID', ['x1']);
      expectFault(await owner.get(`/orgs/${ABSENT}${path}`), 404, 'ORG_NOT_FOUND', [ABSENT]);
    }
    expectFault(await owner.patch(`/orgs/${ABSENT}`, { name: 'x' }), 404, 'ORG_NOT_FOUND', [ABSENT]);
    expectFault(await owner.delete(`/orgs/${ABSENT}`), 404, 'ORG_NOT_FOUND', [ABSENT]);
  });

  test('an owner renames an organization; fixed fields may only be repeated', async () => {
    const { key, id } = await newOrganization(setup, 'ORG_OWNER');
    const path = `/orgs/${id}`;
    const before = expectStatus(await key.get(path), 200);
    const name = uniqueName('Renamed & Co.');
    const expected = withoutOrigins({ ...before, name });
    assert.deepEqual(withoutOrigins(expectStatus(await key.patch(path, { ...before, name }), 200)), expected);
    assert.deepEqual(withoutOrigins(expectStatus(await key.get(path), 200)), expected);
    const skipped = expectStatus(await key.patch(path, { name, skipDefaultAlertsSettings: true }), 200);
    assert.deepEqual([skipped.name, skipped.skipDefaultAlertsSettings], [name, true]);
    expectFault(await key.patch(path, { ...before, id: ABSENT }), 400, 'ATTRIBUTE_READ_ONLY', ['id']);
    expectFault(await key.patch(path, { ...before, isDeleted: true }), 400, 'ATTRIBUTE_READ_ONLY', [
      'isDeleted',
    ]);
    expectFault(await key.patch(path, { name: 'a/b' }), 400, 'INVALID_ORG_NAME', ['a/b']);
    expectFault(await key.patch(path, {}), 400, 'MISSING_ATTRIBUTE', ['name']);
    const { results } = expectStatus<ListDocument>(
      await key.get(`${path}/events?eventType=ORG_RENAMED`),
      200,
    );
    assert.equal(results.length, 1);
  });

  test('the projects of an organization are listed, and it cannot be deleted while it has any', async () => {
    const { key, id } = await newOrganization(setup, 'ORG_OWNER');
    const projects = [];
    for (const name of ['one', 'two']) {
      const reply = await key.post('/groups', { name, orgId: id });
      projects.push(expectStatus<ProjectDocument>(reply, 200));
    }
    await newProject(setup);
    const listed = async (query = '') => {
      const reply = await key.get(`/orgs/${id}/groups${query}`);
      const { results, totalCount } = expectStatus<ListDocument<ProjectDocument>>(reply, 200);
      assert.equal(totalCount, results.length);
      return results.map((project) => project.name).toSorted();
    };
    assert.deepEqual(await listed(), ['one', 'two']);
    assert.deepEqual(await listed('?name=two'), ['two']);
    assert.deepEqual(await listed('?name=tw'), []);
    for (const project of projects) {
      expectFault(await key.delete(`/orgs/${id}`), 409, 'ORG_NOT_EMPTY');
      expectStatus(await key.delete(`/groups/${project.id}`), 204);
    }
    assert.deepEqual(await listed(), []);
  });

  test('deleting an organization also deletes its keys', async () => {
    const { key, id } = await newOrganization(setup, 'ORG_OWNER');
    expectStatus(await key.delete(`/orgs/${id}`), 204);
    // Another instance may accept the key for up to a second. Further calls with the key soon get 429.
    await expectEverywhere(setup, { client: key, path: '/' }, (status) => status === 401 || status === 429);
    expectFault(await setup.owner.get(`/orgs/${id}`), 404, 'ORG_NOT_FOUND', [id]);
  });
});
