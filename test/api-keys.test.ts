import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { type Client, digest } from './support/client.ts';
import type { KeyPair } from './support/digest.ts';
import { expectEverywhere } from './support/everywhere.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { onEachSetup, type Setup } from './support/setups.ts';
import {
  idIn,
  type ListDocument,
  newOrganization,
  type ProjectDocument,
  uniqueName,
} from './support/stage.ts';

interface KeyDocument extends KeyPair {
  readonly id: string;
  readonly desc: string;
  readonly roles: readonly { orgId?: string; groupId?: string; roleName: string }[];
}

interface EntryDocument {
  readonly cidrBlock: string;
  readonly ipAddress?: string;
  readonly count: number;
  readonly created: string;
  readonly lastUsed?: string;
  readonly lastUsedAddress?: string;
}

const ABSENT = 'f'.repeat(24);

/** Creates an organization with a project, and a key that owns both. */
async function stage(setup: Setup) {
  const { key: owner, id: orgId, keyId } = await newOrganization(setup, 'ORG_OWNER');
  const project = await owner.post('/groups', { name: uniqueName('keys'), orgId });
  const groupId = expectStatus<ProjectDocument>(project, 200).id;
  return {
    owner,
    orgId,
    keyId,
    groupId,
    keys: `/orgs/${orgId}/apiKeys`,
    ofProject: `/groups/${groupId}/apiKeys`,
  };
}

async function made(setup: Setup, client: Client, path: string, roles: readonly string[], desc = 'a key') {
  const key = expectStatus<KeyDocument>(await client.post(path, { desc, roles }), 200);
  setup.keepOutOfLogs(key.privateKey);
  return { key, client: setup.clientWith(digest(key)) };
}

/** Expects a status on every instance, at most a second after a change. */
const everywhere = (setup: Setup, client: Client, path: string, status: number) =>
  // Accept 429 in place of 401, since further calls with a deleted key soon get 429.
  expectEverywhere(setup, { client, path }, (one) => one === status || (status === 401 && one === 429));

onEachSetup('API keys', (setup) => {
  lives(setup);
  addresses(setup);
  rights(setup);
});

function lives(setup: Setup): void {
  test('a key is created, used, read, listed, changed and deleted', async () => {
    const { owner, orgId, keyId, keys } = await stage(setup);
    const { key, client } = await made(setup, owner, keys, ['ORG_MEMBER', 'ORG_GROUP_CREATOR']);
    assert.match(key.publicKey, /^[a-z]{8}$/);
    assert.match(key.privateKey, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expectStatus(await client.get(`/orgs/${orgId}`), 200);
    const masked = `********-****-****-${key.privateKey.slice(-12)}`;
    const read = expectStatus<KeyDocument>(await owner.get(`${keys}/${key.id}`), 200);
    assert.deepEqual([read.privateKey, read.publicKey, read.desc], [masked, key.publicKey, 'a key']);
    const list = expectStatus<ListDocument<KeyDocument>>(await owner.get(keys), 200);
    // Do not compare the order within a second: instances generate ids concurrently.
    assert.deepEqual(list.results.map(({ id }) => id).toSorted(), [keyId, key.id].toSorted());
    assert.equal(list.totalCount, 2);
    assert.ok(list.results.every(({ privateKey }) => privateKey.startsWith('********-')));
    const change = { desc: 'for reading', roles: ['ORG_READ_ONLY'] };
    const changed = expectStatus<KeyDocument>(await owner.patch(`${keys}/${key.id}`, change), 200);
    assert.deepEqual([changed.desc, changed.roles], ['for reading', [{ orgId, roleName: 'ORG_READ_ONLY' }]]);
    await everywhere(setup, client, `/orgs/${orgId}`, 200);
    expectFault(await client.patch(`${keys}/${key.id}`, { desc: 'x' }), 401, 'NOT_ORG_OWNER', [orgId]);
    expectStatus(await owner.delete(`${keys}/${key.id}`), 204);
    await everywhere(setup, client, `/orgs/${orgId}`, 401);
    expectFault(await owner.get(`${keys}/${key.id}`), 400, 'API_KEY_NOT_FOUND', [key.id]);
    const events = expectStatus<ListDocument<{ eventTypeName: string; targetPublicKey?: string }>>(
      await owner.get(`/orgs/${orgId}/events`),
      200,
    );
    const told = events.results.filter(({ targetPublicKey }) => targetPublicKey === key.publicKey);
    assert.deepEqual(
      told.map(({ eventTypeName }) => eventTypeName),
      ['API_KEY_DELETED', 'API_KEY_ROLES_CHANGED', 'API_KEY_DESCRIPTION_CHANGED', 'API_KEY_CREATED'],
    );
  });

  test('a key of a project is a member of its organization, and can be removed from the project alone', async () => {
    const { owner, orgId, groupId, keys, ofProject } = await stage(setup);
    const { key, client } = await made(setup, owner, ofProject, ['GROUP_READ_ONLY', 'GROUP_READ_ONLY']);
    const roles = [
      { groupId, roleName: 'GROUP_READ_ONLY' },
      { orgId, roleName: 'ORG_MEMBER' },
    ];
    assert.deepEqual(key.roles, roles);
    expectStatus(await client.get(`/groups/${groupId}`), 200);
    expectFault(await client.post(`/groups/${groupId}/accessList`, []), 401, 'USER_UNAUTHORIZED');
    const patch = expectStatus<KeyDocument>(
      await owner.patch(`${ofProject}/${key.id}`, { roles: ['GROUP_CLUSTER_MANAGER'] }),
      200,
    );
    assert.deepEqual(patch.roles[0], { groupId, roleName: 'GROUP_CLUSTER_MANAGER' });
    const more = [{ roleName: 'GROUP_BACKUP_MANAGER' }, { roles: ['GROUP_READ_ONLY'] }];
    expectStatus(await owner.post(`${ofProject}/${key.id}`, more), 204);
    const read = expectStatus<KeyDocument>(await owner.get(`${keys}/${key.id}`), 200);
    assert.equal(read.roles.filter((role) => role.groupId === groupId).length, 3);
    const listed = expectStatus<ListDocument<KeyDocument>>(await owner.get(ofProject), 200);
    assert.deepEqual([listed.totalCount, listed.results.map(({ id }) => id)], [1, [key.id]]);
    expectStatus(await owner.delete(`${ofProject}/${key.id}`), 204);
    await everywhere(setup, client, `/groups/${groupId}`, 401);
    expectStatus(await client.get(`/orgs/${orgId}`), 200);
    expectFault(await owner.delete(`${ofProject}/${key.id}`), 400, 'API_KEY_NOT_FOUND', [key.id]);
    expectStatus(await owner.post(`${ofProject}/${key.id}`, [{ roleName: 'GROUP_OWNER' }]), 204);
    await everywhere(setup, client, `/groups/${groupId}`, 200);
    const feed = expectStatus<ListDocument<{ eventTypeName: string }>>(
      await owner.get(`/groups/${groupId}/events`),
      200,
    );
    assert.deepEqual(
      feed.results.map(({ eventTypeName }) => eventTypeName).filter((name) => name.startsWith('API_KEY_')),
      [
        'API_KEY_ADDED_TO_GROUP',
        'API_KEY_REMOVED_FROM_GROUP',
        'API_KEY_ROLES_CHANGED',
        'API_KEY_ROLES_CHANGED',
        'API_KEY_CREATED',
      ],
    );
  });

  test('a key sees the roles of other keys on the organization and on its own projects', async () => {
    const { owner, orgId, groupId, keys, ofProject } = await stage(setup);
    const elsewhere = await owner.post('/groups', { name: uniqueName('elsewhere'), orgId });
    const other = expectStatus<ProjectDocument>(elsewhere, 200).id;
    const { key } = await made(setup, owner, ofProject, ['GROUP_OWNER']);
    expectStatus(await owner.patch(`/groups/${other}/apiKeys/${key.id}`, { roles: ['GROUP_OWNER'] }), 200);
    const { client } = await made(setup, owner, ofProject, ['GROUP_READ_ONLY']);
    const member = { orgId, roleName: 'ORG_MEMBER' };
    const here = { groupId, roleName: 'GROUP_OWNER' };
    const rolesSeenBy = async (caller: Client, path: string) =>
      expectStatus<KeyDocument>(await caller.get(path), 200).roles;
    const { results } = expectStatus<ListDocument<KeyDocument>>(await client.get(keys), 200);
    const listed = results.find(({ id }) => id === key.id);
    assert.deepEqual(listed?.roles, [here, member]);
    assert.deepEqual(await rolesSeenBy(client, `${keys}/${key.id}`), [here, member]);
    const all = await rolesSeenBy(owner, `${keys}/${key.id}`);
    assert.equal(all.length, 3);
    assert.ok(all.some((role) => isDeepStrictEqual(role, { groupId: other, roleName: 'GROUP_OWNER' })));
  });

  test('each invalid request has its error code', async () => {
    const { owner, orgId, keyId, groupId, keys, ofProject } = await stage(setup);
    const create = (path: string, body: object) => owner.post(path, body);
    const roles = ['ORG_MEMBER'];
    expectFault(await create(keys, { roles }), 400, 'MISSING_ATTRIBUTE', ['desc']);
    expectFault(await create(keys, { desc: 'x', roles: ['KING'] }), 400, 'INVALID_ENUM_VALUE', ['KING']);
    for (const desc of ['', 'x'.repeat(251)]) {
      assert.equal((await create(keys, { desc, roles })).json().errorCode, 'VALIDATION_ERROR');
    }
    assert.equal((await create(keys, { desc: 'x', roles: [] })).json().errorCode, 'VALIDATION_ERROR');
    const [onProject, onOrg] = ['GROUP_OWNER', 'ORG_OWNER'];
    expectFault(await create(keys, { desc: 'x', roles: [onProject] }), 400, 'INVALID_ROLE_FOR_ORG', [
      onProject,
      orgId,
    ]);
    expectFault(await create(ofProject, { desc: 'x', roles: [onOrg] }), 400, 'INVALID_ROLE_FOR_GROUP', [
      onOrg,
      groupId,
    ]);
    expectFault(await owner.get(`${keys}/${ABSENT}`), 400, 'API_KEY_NOT_FOUND', [ABSENT]);
    expectFault(await owner.get(`${keys}/short`), 400, 'INVALID_PATH_PARAMETER', ['apiUserId']);
    expectFault(await owner.patch(`${keys}/${keyId}`, { roles: [] }), 400, 'MISSING_API_KEY_ROLES');
    expectFault(await owner.post(`${ofProject}/${keyId}`, []), 400, 'MISSING_API_KEY_ROLES');
    expectFault(await owner.patch(`${keys}/${keyId}`, { roles }), 403, 'CANNOT_DEMOTE_LAST_ORG_OWNER');
    expectFault(await owner.delete(`${keys}/${keyId}`), 403, 'CANNOT_DELETE_LAST_ADMIN');
    // For this organization, a key of another organization does not exist.
    const { keyId: foreign } = await newOrganization(setup, 'ORG_OWNER');
    expectFault(await owner.get(`${keys}/${foreign}`), 400, 'API_KEY_NOT_FOUND', [foreign]);
    const assigned = await owner.post(`${ofProject}/${foreign}`, [{ roleName: 'GROUP_OWNER' }]);
    expectFault(assigned, 400, 'API_KEY_NOT_FOUND', [foreign]);
  });

  test('the root links to the calling key', async () => {
    const { owner, keys, keyId } = await stage(setup);
    const { links } = expectStatus<ListDocument>(await owner.get('/'), 200);
    const link = links.find(({ rel }) => rel.endsWith('/apiKeys'));
    assert.ok(link?.href.endsWith(`${keys}/${keyId}`));
  });
}

function addresses(setup: Setup): void {
  test('a key with an address list works only from these addresses, and uses are counted', async () => {
    const { owner, orgId, keys } = await stage(setup);
    const { key, client } = await made(setup, owner, keys, ['ORG_MEMBER']);
    const list = `${keys}/${key.id}/accessList`;
    const entries = [{ ipAddress: '2001:DB8::9' }, { cidrBlock: '127.0.0.0/8' }];
    const after = expectStatus<ListDocument<EntryDocument>>(await owner.post(list, entries), 200);
    assert.deepEqual(
      after.results.map(({ cidrBlock, ipAddress, count }) => [cidrBlock, ipAddress, count]),
      [
        ['127.0.0.0/8', undefined, 0],
        ['2001:db8::9/128', '2001:db8::9', 0],
      ],
    );
    const begun = Date.now() - 1000;
    await everywhere(setup, client, `/orgs/${orgId}`, 200);
    const counted = await until(
      'counted uses',
      async () => expectStatus<EntryDocument>(await owner.get(`${list}/127.0.0.0%2F8`), 200),
      ({ count }) => count >= 2,
    );
    assert.equal(counted.lastUsedAddress, '127.0.0.1');
    const lastUsed = Date.parse(counted.lastUsed ?? '');
    assert.ok(begun <= lastUsed && lastUsed <= Date.now(), counted.lastUsed);
    expectFault(
      await owner.post(list, [{ ipAddress: '2001:db8:0::9' }]),
      409,
      'ADDRESS_ALREADY_IN_ACCESS_LIST',
      ['2001:db8::9/128'],
    );
    expectStatus(await owner.delete(`${list}/127.0.0.0%2F8`), 204);
    await everywhere(setup, client, `/orgs/${orgId}`, 403);
    expectFault(await client.get('/'), 403, 'IP_ADDRESS_NOT_ON_ACCESS_LIST', ['127.0.0.1']);
    expectStatus(await owner.delete(`${list}/2001:db8::9`), 204);
    await everywhere(setup, client, `/orgs/${orgId}`, 200);
    expectFault(await owner.get(`${list}/192.0.2.1`), 404, 'API_KEY_ACCESS_LIST_NOT_FOUND', [
      '192.0.2.1',
      key.id,
    ]);
  });

  test('an entry is one address or one block, and callers cannot remove their own', async () => {
    const { owner, keys, keyId } = await stage(setup);
    const list = `${keys}/${keyId}/accessList`;
    const add = (...entries: object[]) => owner.post(list, entries);
    const notation = 'INVALID_IP_ADDRESS_OR_CIDR_NOTATION';
    expectFault(
      await add({ ipAddress: '192.0.2.1', cidrBlock: '192.0.2.0/24' }),
      400,
      'BAD_ACCESS_LIST_ADD_REQUEST',
    );
    expectFault(await add({}), 400, 'MISSING_ONE_OF_ATTRIBUTES', ['ipAddress', 'cidrBlock']);
    expectFault(await add({ ipAddress: '192.0.2.0/24' }), 400, notation, ['192.0.2.0/24']);
    expectFault(await add({ cidrBlock: '192.0.2.1' }), 400, notation, ['192.0.2.1']);
    expectFault(await add({ ipAddress: 'harbour' }), 400, notation, ['harbour']);
    const twice = [{ ipAddress: '192.0.2.1' }, { cidrBlock: '192.0.2.1/32' }];
    expectFault(await add(...twice), 400, 'DUPLICATE_ADDRESSES_IN_INPUT');
    expectStatus(await add({ ipAddress: '127.0.0.1' }, { ipAddress: '192.0.2.1' }), 200);
    await everywhere(setup, owner, `${list}/127.0.0.1`, 200);
    expectFault(await owner.delete(`${list}/127.0.0.1`), 400, 'CANNOT_REMOVE_CALLER_FROM_ACCESS_LIST', [
      '127.0.0.1',
    ]);
    expectStatus(await owner.delete(`${list}/192.0.2.1`), 204);
    assert.equal(idIn(`${keys}/${keyId}`), keyId);
  });
}

function rights(setup: Setup): void {
  test('a project owner cannot change a key that has more rights elsewhere', async () => {
    const { owner, keyId, ofProject } = await stage(setup);
    const { client } = await made(setup, owner, ofProject, ['GROUP_OWNER']);
    expectStatus(await client.post(`${ofProject}/${keyId}`, [{ roleName: 'GROUP_READ_ONLY' }]), 204);
    expectFault(await client.patch(`${ofProject}/${keyId}`, { desc: 'mine' }), 401, 'USER_UNAUTHORIZED');
  });

  test('two owners cannot both be demoted concurrently', async () => {
    const { owner, orgId, keyId, keys } = await stage(setup);
    const { key, client } = await made(setup, owner, keys, ['ORG_OWNER']);
    await everywhere(setup, client, `/orgs/${orgId}`, 200);
    const demotion = { roles: ['ORG_MEMBER'] };
    const replies = await Promise.all([
      owner.patch(`${keys}/${key.id}`, demotion),
      client.patch(`${keys}/${keyId}`, demotion),
    ]);
    // Only one request succeeds. If the other one were also applied, no owner would be left.
    assert.deepEqual(replies.map(({ status }) => status === 200).toSorted(), [false, true]);
  });
}
