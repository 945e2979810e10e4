import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anonymous, bearer, type Client, digest, fetchToken } from './support/client.ts';
import type { KeyPair } from './support/digest.ts';
import { expectEverywhere } from './support/everywhere.ts';
import { expectStatus } from './support/expect.ts';
import { onEachSetup } from './support/setups.ts';
import { newOrganization, type ProjectDocument, uniqueName } from './support/stage.ts';

onEachSetup('revocation of access', (setup) => {
  /**
   * Creates an owner of an organization, a project, a key with the role of a project owner, and an account with a
   * token.
   */
  async function stage() {
    const { key: owner, id: orgId } = await newOrganization(setup, 'ORG_OWNER');
    const project = await owner.post('/groups', { name: uniqueName('revoked'), orgId });
    const groupId = expectStatus<ProjectDocument>(project, 200).id;
    const keys = `/orgs/${orgId}/apiKeys`;
    const accounts = `/orgs/${orgId}/serviceAccounts`;
    const madeKey = await owner.post(`/groups/${groupId}/apiKeys`, { desc: 'k', roles: ['GROUP_OWNER'] });
    const key = expectStatus<KeyPair & { id: string }>(madeKey, 200);
    const body = { name: 'a', description: 'a', roles: ['GROUP_OWNER'], secretExpiresAfterHours: 8 };
    const madeAccount = await owner.post(`/groups/${groupId}/serviceAccounts`, body);
    const account = expectStatus<{ clientId: string; secrets: { id: string; secret: string }[] }>(
      madeAccount,
      201,
    );
    const [secret] = account.secrets;
    const [connection] = setup.connections;
    assert.ok(secret && connection);
    const token = await fetchToken(connection, account.clientId, secret.secret);
    for (const each of [key.privateKey, secret.secret, token]) setup.keepOutOfLogs(each);
    return {
      owner,
      project: `/groups/${groupId}`,
      key: { path: `${keys}/${key.id}`, ofProject: `/groups/${groupId}/apiKeys/${key.id}` },
      account: { path: `${accounts}/${account.clientId}`, clientId: account.clientId },
      secret,
      token,
      byKey: setup.clientWith(digest(key)),
      byToken: setup.clientWith(bearer(token)),
    };
  }

  /** Expects that no instance permits a request that begins a second or more after the change takes effect. */
  async function expectGone(client: Client, path: string, change: () => Promise<unknown>): Promise<void> {
    for (const _ of setup.instances) expectStatus(await client.get(path), 200);
    await change();
    await expectEverywhere(setup, { client, path }, (status) => status !== 200);
  }

  test('a deleted key stops working everywhere within a second', async () => {
    const { owner, project, key, byKey } = await stage();
    await expectGone(byKey, project, () => owner.delete(key.path));
  });

  test('a revoked role, and the roles of a key that leaves a project, stop working', async () => {
    const one = await stage();
    const roles = { roles: ['GROUP_READ_ONLY'] };
    await expectGone(one.byKey, `${one.project}/apiKeys?pretty=true`, () =>
      one.owner.delete(one.key.ofProject),
    );
    expectStatus(await one.owner.patch(one.key.ofProject, roles), 200);
    const other = await stage();
    const { path, clientId } = other.account;
    expectStatus(await other.owner.get(path), 200);
    await expectGone(other.byToken, other.project, () =>
      other.owner.delete(`${other.project}/serviceAccounts/${clientId}`),
    );
  });

  test('a removed address stops working', async () => {
    const { owner, project, key, account, byKey, byToken } = await stage();
    const here = [{ ipAddress: '127.0.0.1' }, { ipAddress: '192.0.2.1' }];
    for (const path of [key.path, account.path])
      expectStatus(await owner.post(`${path}/accessList`, here), 200);
    await expectGone(byKey, project, () => owner.delete(`${key.path}/accessList/127.0.0.1`));
    await expectGone(byToken, project, () => owner.delete(`${account.path}/accessList/127.0.0.1`));
  });

  test('a revoked token stops working', async () => {
    const { project, account, secret, token, byToken } = await stage();
    const authorization = `Basic ${btoa(`${account.clientId}:${secret.secret}`)}`;
    const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' };
    await expectGone(byToken, project, () =>
      setup.clientWith(anonymous).post('/api/oauth/revoke', `token=${token}`, { headers }),
    );
  });

  test('the tokens of a deleted secret or account stop working', async () => {
    const one = await stage();
    await expectGone(one.byToken, one.project, () =>
      one.owner.delete(`${one.account.path}/secrets/${one.secret.id}`),
    );
    const other = await stage();
    await expectGone(other.byToken, other.project, () => other.owner.delete(other.account.path));
  });
});
