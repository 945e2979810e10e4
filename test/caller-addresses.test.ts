import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Client, digest, serviceAccount } from './support/client.ts';
import { expectEverywhere } from './support/everywhere.ts';
import { expectFault, expectStatus } from './support/expect.ts';
import { onOneSetup, onSetup, type Setup } from './support/setups.ts';
import { newOrganization } from './support/stage.ts';

/**
 * Creates a key that may be used only from one address. Returns a function that sends requests with this key, as if
 * from the address in its argument.
 */
async function lockedKey(setup: Setup) {
  const { key: owner, id: orgId } = await newOrganization(setup, 'ORG_OWNER');
  const made = await owner.post(`/orgs/${orgId}/apiKeys`, { desc: 'locked', roles: ['ORG_MEMBER'] });
  const key = expectStatus<{ id: string; publicKey: string; privateKey: string }>(made, 200);
  setup.keepOutOfLogs(key.privateKey);
  const list = `/orgs/${orgId}/apiKeys/${key.id}/accessList`;
  expectStatus(await owner.post(list, [{ ipAddress: '198.51.100.7' }, { cidrBlock: '2001:db8::/48' }]), 200);
  const client = setup.clientWith(digest(key));
  return (forwardedFor: string) => client.get('/', { headers: { 'x-forwarded-for': forwardedFor } });
}

onOneSetup('SQLite, one instance', 'an organization that requires address lists', (setup) => {
  const keyOf = async (owner: Client, orgId: string) => {
    const made = await owner.post(`/orgs/${orgId}/apiKeys`, { desc: 'k', roles: ['ORG_MEMBER'] });
    const key = expectStatus<{ id: string; publicKey: string; privateKey: string }>(made, 200);
    setup.keepOutOfLogs(key.privateKey);
    return { client: setup.clientWith(digest(key)), list: `/orgs/${orgId}/apiKeys/${key.id}/accessList` };
  };
  const everywhere = (client: Client, status: number) =>
    expectEverywhere(setup, { client, path: '/' }, (one) => one === status);

  test('rejects its callers without a list, for each method of authentication, and no other organization does', async () => {
    const { key: owner, id: orgId, keyId } = await newOrganization(setup, 'ORG_OWNER');
    const { key: elsewhere } = await newOrganization(setup, 'ORG_OWNER');
    const { client, list } = await keyOf(owner, orgId);
    const here = [{ ipAddress: '127.0.0.1' }];
    expectStatus(await owner.post(`/orgs/${orgId}/apiKeys/${keyId}/accessList`, here), 200);
    const account = { name: 'a', description: 'a', roles: ['ORG_MEMBER'], secretExpiresAfterHours: 8 };
    const made = expectStatus<{ clientId: string; secrets: { secret: string }[] }>(
      await owner.post(`/orgs/${orgId}/serviceAccounts`, account),
      201,
    );
    const secret = made.secrets[0]?.secret ?? '';
    setup.keepOutOfLogs(secret);
    const program = setup.clientWith(serviceAccount(made.clientId, secret));
    const settings = `/orgs/${orgId}/settings`;
    assert.equal(expectStatus(await owner.get(settings), 200).apiAccessListRequired, false);
    for (const caller of [client, program]) expectStatus(await caller.get('/'), 200);
    expectStatus(await owner.patch(settings, { apiAccessListRequired: true }), 200);
    for (const caller of [client, program]) {
      const refused = await everywhere(caller, 403);
      expectFault(refused, 403, 'ORG_REQUIRES_ACCESS_LIST', ['127.0.0.1']);
    }
    for (const caller of [owner, elsewhere]) expectStatus(await caller.get('/'), 200);
    expectStatus(await owner.post(list, here), 200);
    await everywhere(client, 200);
    assert.equal((await program.get('/')).status, 403, 'the list of a key is none of an account');
    expectStatus(await owner.patch(settings, { apiAccessListRequired: false }), 200);
    await everywhere(program, 200);
  });
});

onSetup('SQLite, one instance', 'addresses that a caller claims', (setup) => {
  test('are ignored', async () => {
    const call = await lockedKey(setup);
    expectFault(await call('198.51.100.7'), 403, 'IP_ADDRESS_NOT_ON_ACCESS_LIST', ['127.0.0.1']);
  });
});

onSetup(
  'SQLite, one instance',
  'addresses that a trusted proxy forwards',
  (setup) => {
    test('count, but only the last one', async () => {
      const call = await lockedKey(setup);
      expectStatus(await call('198.51.100.7'), 200);
      expectStatus(await call('192.0.2.1, 198.51.100.7'), 200);
      expectStatus(await call('2001:db8:0:1::5'), 200);
      expectFault(await call('198.51.100.7, 192.0.2.1'), 403, 'IP_ADDRESS_NOT_ON_ACCESS_LIST', ['192.0.2.1']);
      expectFault(await call(''), 403, 'IP_ADDRESS_NOT_ON_ACCESS_LIST', ['127.0.0.1']);
    });

    test('appear in events', async () => {
      const { key: owner, id: orgId } = await newOrganization(setup, 'ORG_OWNER');
      const headers = { 'x-forwarded-for': '203.0.113.9' };
      expectStatus(await owner.patch(`/orgs/${orgId}`, { name: 'Renamed from afar' }, { headers }), 200);
      const feed = await owner.get(`/orgs/${orgId}/events`);
      const { results } = expectStatus<{ results: { remoteAddress?: string }[] }>(feed, 200);
      assert.equal(results[0]?.remoteAddress, '203.0.113.9');
    });
  },
  { settings: { 'trusted-proxies': '127.0.0.1' } },
);
