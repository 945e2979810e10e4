import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { BrowserSession } from './support/browser-session.ts';
import { expectFault, expectStatus } from './support/expect.ts';
import { federationOf } from './support/federation.ts';
import { openIdProvider, type ProviderPerson, PUBLIC_CLIENT } from './support/openid-provider.ts';
import { pathProxy } from './support/path-proxy.ts';
import { freePort } from './support/ports.ts';
import { own, type Setup, type SetupKind, setupKinds } from './support/setups.ts';
import { type ListDocument, newOrganization, type Organization, uniqueName } from './support/stage.ts';
import { listed, newPerson } from './support/users.ts';

const LOGIN = '/console/oidc/login';
const CALLBACK = '/console/oidc/callback';
const V2 = '/api/service/v2';

const provider = await openIdProvider({ after });

interface Login {
  readonly setup: Setup;
  readonly publicUrl: string;
}

/** An identity provider with which the members of an organization log in. */
async function harbour({ setup, publicUrl }: Login, change: { provider?: object; config?: object } = {}) {
  const organization = await newOrganization(setup, 'ORG_OWNER');
  const federation = await federationOf(organization);
  const { id, oktaIdpId: identityProviderId } = await federation.provider({
    issuerUri: provider.issuer,
    clientId: PUBLIC_CLIENT,
    audience: PUBLIC_CLIENT,
    requestedScopes: ['groups'],
    ...change.provider,
  });
  await federation.configure({ identityProviderId, ...change.config });
  const callback = `${CALLBACK}/${id}`;
  return {
    ...organization,
    federation,
    identityProviderId,
    providerId: id,
    /** Begins a login, and returns the URL of the service to which the provider sends the browser. */
    async callbackOf(browser: BrowserSession): Promise<string> {
      provider.register(publicUrl + callback);
      const begun = await browser.send('GET', `${LOGIN}?provider=${id}`);
      const back = await provider.visit(begun.headers.get('location') ?? '');
      assert.equal(back.origin + back.pathname, publicUrl + callback);
      return callback + back.search;
    },
    /** Logs in. Returns the reason of a failure, or an empty text. */
    async logIn(person: ProviderPerson, browser = new BrowserSession(setup)): Promise<string> {
      provider.person = person;
      const reply = await browser.send('GET', await this.callbackOf(browser));
      const location = reply.headers.get('location') ?? '';
      return location === '../../' ? '' : (/openid=(\w+)/.exec(location)?.[1] ?? location);
    },
  };
}

function pilot(change: Partial<ProviderPerson> = {}): ProviderPerson & { email: string } {
  const email = `${uniqueName('pilot')}@example.org`;
  return { sub: uniqueName('sub'), email, email_verified: true, given_name: 'Jo', ...change };
}

/** The roles of a member of an organization and its projects. */
async function rolesOf({ key, id }: Organization, username: string) {
  const found = (await listed(key, `/orgs/${id}/users`)).find((member) => member.username === username);
  if (found === undefined) return undefined;
  const { orgRoles, groupRoleAssignments } = found.roles;
  return [orgRoles.toSorted(), groupRoleAssignments.flatMap(({ groupRoles }) => groupRoles).toSorted()];
}

async function orgsSeenBy(browser: BrowserSession): Promise<string[]> {
  const reply = await browser.send('GET', `${V2}/orgs`);
  return expectStatus<ListDocument<{ id: string }>>(reply, 200).results.map(({ id }) => id);
}

function define(login: Login): void {
  const { setup } = login;

  test('members log in, and a new person becomes a member with the default roles', async () => {
    const stage = await harbour(login, { config: { postAuthRoleGrants: ['ORG_READ_ONLY'] } });
    const person = pilot();
    const browser = new BrowserSession(setup);
    assert.equal(await stage.logIn(person, browser), '');
    const { operator, user } = await browser.read();
    assert.deepEqual([operator, user.username], [false, person.email]);
    assert.deepEqual(await orgsSeenBy(browser), [stage.id]);
    assert.deepEqual(await rolesOf(stage, person.email), [['ORG_READ_ONLY'], []]);
    // The subject identifies the person at later logins.
    assert.equal(await stage.logIn({ sub: person.sub }, browser), '');
    assert.equal((await browser.read()).user.id, user.id);
    assert.equal(await stage.logIn(pilot({ email_verified: false })), 'unverified');
    const { methods } = await methodsOf(setup, stage.providerId);
    assert.deepEqual(methods, { identityProvider: new URL(provider.issuer).host, openIdProvider: null });
  });

  test('roles follow the groups of the person', async () => {
    const stage = await harbour(login);
    const { id: orgId, key, federation } = stage;
    const project = await key.post('/groups', { name: 'harbour', orgId });
    const groupId = expectStatus<{ id: string }>(project, 200).id;
    const member = { orgId, role: 'ORG_MEMBER' };
    await federation.map('pilots', [member, { groupId, role: 'GROUP_CLUSTER_MANAGER' }]);
    await federation.map('clerks', [{ orgId, role: 'ORG_BILLING_ADMIN' }]);
    const person = pilot();
    const roles = async (groups: readonly string[] | undefined) => {
      const reason = await stage.logIn({ ...person, ...(groups && { groups }) });
      return [reason, await rolesOf(stage, person.email)];
    };
    assert.deepEqual(await roles(['strangers']), ['unknown', undefined]);
    const pilots = [['ORG_MEMBER'], ['GROUP_CLUSTER_MANAGER']];
    assert.deepEqual(await roles(['pilots', 'strangers']), ['', pilots]);
    const both = [['ORG_BILLING_ADMIN', 'ORG_MEMBER'], ['GROUP_CLUSTER_MANAGER']];
    assert.deepEqual(await roles(['pilots', 'clerks']), ['', both]);
    assert.deepEqual(await roles(['clerks']), ['', [['ORG_BILLING_ADMIN'], []]]);
    assert.deepEqual(await roles(undefined), ['unknown', undefined]);
  });

  test('a login that would give more than 1,000 roles leaves out the last projects', async () => {
    const stage = await harbour(login);
    const { id: orgId, key, federation } = stage;
    const projectRoles = `GROUP_CLUSTER_MANAGER GROUP_STREAM_PROCESSING_OWNER GROUP_DATA_ACCESS_ADMIN
      GROUP_DATA_ACCESS_READ_WRITE GROUP_DATA_ACCESS_READ_ONLY GROUP_DATABASE_ACCESS_ADMIN GROUP_BACKUP_MANAGER
      GROUP_OBSERVABILITY_VIEWER GROUP_SEARCH_INDEX_EDITOR GROUP_ATLAS_ADMIN GROUP_MONITORING_ADMIN
      GROUP_READ_ONLY GROUP_OWNER`.split(/\s+/);
    const groups = ['pilots', 'clerks', 'cooks'];
    for (const group of groups) {
      const assignments: object[] = [{ orgId, role: 'ORG_MEMBER' }];
      for (let number = 0; number < 30; number++) {
        const project = await key.post('/groups', { name: `${group}-${number}`, orgId });
        const groupId = expectStatus<{ id: string }>(project, 200).id;
        assignments.push(...projectRoles.map((role) => ({ groupId, role })));
      }
      await federation.map(group, assignments);
    }
    const person = pilot({ groups });
    // The second login replaces the same roles.
    for (const _ of [1, 2]) {
      assert.equal(await stage.logIn(person), '');
      const [orgRoles, groupRoles] = (await rolesOf(stage, person.email)) ?? [];
      assert.deepEqual([orgRoles, groupRoles?.length], [['ORG_MEMBER'], 76 * projectRoles.length]);
    }
  });

  test('the last owner of an organization stays an owner', async () => {
    const stage = await harbour(login);
    const { id: orgId, key, federation } = stage;
    await federation.map('pilots', [{ orgId, role: 'ORG_MEMBER' }]);
    const user = await newPerson(setup, key, [{ orgId, roleName: 'ORG_OWNER' }]);
    const person = pilot({ email: user.username, groups: ['pilots'] });
    assert.equal(await stage.logIn(person), '');
    assert.deepEqual(await rolesOf(stage, user.username), [['ORG_MEMBER', 'ORG_OWNER'], []]);
    assert.equal(await stage.logIn({ ...person, groups: [] }), '');
    assert.deepEqual((await rolesOf(stage, user.username))?.[0]?.includes('ORG_OWNER'), true);
  });

  test('without role mappings, present roles stay', async () => {
    const stage = await harbour(login, { config: { postAuthRoleGrants: ['ORG_BILLING_ADMIN'] } });
    const user = await newPerson(setup, stage.key, [{ orgId: stage.id, roleName: 'ORG_READ_ONLY' }]);
    assert.equal(await stage.logIn(pilot({ email: user.username })), '');
    assert.deepEqual(await rolesOf(stage, user.username), [['ORG_BILLING_ADMIN', 'ORG_READ_ONLY'], []]);
  });

  test('only people with allowed domains log in and join', async () => {
    const domains = { associatedDomains: ['Harbour.example.org', 'example.org'] };
    const restricted = { domainAllowList: ['harbour.example.org'], domainRestrictionEnabled: true };
    const config = { ...restricted, postAuthRoleGrants: ['ORG_MEMBER'] };
    const stage = await harbour(login, { provider: domains, config });
    assert.equal(await stage.logIn(pilot({ email: `${uniqueName('a')}@example.com` })), 'domain');
    assert.equal(await stage.logIn(pilot()), 'unknown');
    assert.equal(await stage.logIn(pilot({ email: `${uniqueName('a')}@harbour.example.org` })), '');
  });

  test('without instant provisioning, only members and invited people log in', async () => {
    const config = { instantUserProvisioningDisabled: true, postAuthRoleGrants: ['ORG_MEMBER'] };
    const stage = await harbour(login, { config });
    assert.equal(await stage.logIn(pilot()), 'unknown');
    const invited = pilot();
    const body = { username: invited.email, roles: ['ORG_BILLING_ADMIN'] };
    expectStatus(await stage.key.post(`/orgs/${stage.id}/invites`, body), 200);
    assert.equal(await stage.logIn(invited), '');
    assert.deepEqual(await rolesOf(stage, invited.email), [['ORG_BILLING_ADMIN', 'ORG_MEMBER'], []]);
  });

  test('another claim can identify the user', async () => {
    const config = { postAuthRoleGrants: ['ORG_MEMBER'] };
    const stage = await harbour(login, { provider: { userClaim: 'given_name' }, config });
    const name = `${uniqueName('pilot')}@example.org`;
    const browser = new BrowserSession(setup);
    assert.equal(await stage.logIn({ sub: uniqueName('sub'), given_name: name }, browser), '');
    assert.equal((await browser.read()).user.username, name);
    assert.equal(await stage.logIn({ sub: uniqueName('sub') }), 'failed');
  });

  test('a token for another audience is rejected', async () => {
    const stage = await harbour(login, { provider: { audience: 'another service' } });
    assert.equal(await stage.logIn(pilot()), 'failed');
  });

  test('an identity provider gives no access to other organizations', async () => {
    const victim = await newOrganization(setup, 'ORG_OWNER');
    const stage = await harbour(login, { config: { postAuthRoleGrants: ['ORG_OWNER'] } });
    const { username, password } = await newPerson(setup, victim.key, [
      { orgId: victim.id, roleName: 'ORG_OWNER' },
    ]);
    // The account belongs to another organization, and its address is not verified.
    assert.equal(await stage.logIn(pilot({ email: username })), 'unproven');
    const owner = new BrowserSession(setup);
    assert.equal((await owner.logIn(username, password)).status, 204);
    // A person who logs in with a verified account of two organizations has the roles of one of them.
    const both = pilot();
    const browser = new BrowserSession(setup);
    assert.equal(await stage.logIn(both, browser), '');
    const { user } = await browser.read();
    expectStatus(
      await victim.key.post(`/orgs/${victim.id}/invites`, { username: both.email, roles: ['ORG_OWNER'] }),
      200,
    );
    const invitations = await victim.key.get(`/orgs/${victim.id}/invites`);
    const [invitation] = invitations.json() as unknown as { id: string }[];
    expectStatus(
      await setup.operator.post(`/operator/v1/invitations/${invitation?.id}:accept`, undefined),
      200,
    );
    assert.deepEqual((await rolesOf(victim, both.email))?.[0], ['ORG_OWNER']);
    assert.deepEqual(await orgsSeenBy(browser), [stage.id]);
    const reply = await browser.send('GET', `${V2}/orgs/${victim.id}`);
    expectFault(reply, 401, 'USER_CANNOT_ACCESS_ORG');
    assert.equal((await browser.read()).user.id, user.id);
    // As soon as the organization is disconnected, the session has no roles.
    await stage.federation.configure({});
    assert.deepEqual(await orgsSeenBy(browser), []);
    const begun = await new BrowserSession(setup).send('GET', `${LOGIN}?provider=${stage.providerId}`);
    assert.match(begun.headers.get('location') ?? '', /openid=absent$/);
  });

  test('a response counts only for the provider with which the login began', async () => {
    const [one, other] = [await harbour(login), await harbour(login)];
    provider.person = pilot();
    const browser = new BrowserSession(setup);
    const target = await one.callbackOf(browser);
    const elsewhere = await browser.send('GET', target.replace(one.providerId, other.providerId));
    assert.match(elsewhere.headers.get('location') ?? '', /^\.\.\/\.\.\/#\/login\?openid=ended/);
  });

  test('another site cannot begin a login', async () => {
    const { providerId } = await harbour(login);
    const headers = { 'sec-fetch-site': 'cross-site' };
    const reply = await new BrowserSession(setup).send(
      'GET',
      `${LOGIN}?provider=${providerId}`,
      undefined,
      headers,
    );
    assert.deepEqual(
      [reply.status, reply.headers.get('location'), reply.headers.get('set-cookie')],
      [303, `../#/login?provider=${providerId}`, null],
    );
  });

  test('revoked keys and a deleted identity provider end the sessions', async () => {
    const stage = await harbour(login, { config: { postAuthRoleGrants: ['ORG_MEMBER'] } });
    const { federation, providerId } = stage;
    const path = `${federation.path}/identityProviders/${providerId}`;
    const person = pilot();
    const browser = new BrowserSession(setup);
    assert.equal(await stage.logIn(person, browser), '');
    assert.equal((await federation.send('DELETE', `${path}/jwks`)).status, 204);
    expectFault(await browser.send('GET', '/console/session'), 401, 'NOT_LOGGED_IN');
    assert.equal(await stage.logIn(person, browser), '');
    await federation.configure({});
    assert.equal((await federation.send('DELETE', path)).status, 204);
    expectFault(await browser.send('GET', '/console/session'), 401, 'NOT_LOGGED_IN');
  });

  test('settings that identify people end the sessions, and earlier subjects are forgotten', async () => {
    const stage = await harbour(login, { config: { postAuthRoleGrants: ['ORG_MEMBER'] } });
    const path = `${stage.federation.path}/identityProviders/${stage.providerId}`;
    const change = async (body: object) =>
      expectStatus(await stage.federation.send('PATCH', path, body), 200);
    const person = pilot();
    const browser = new BrowserSession(setup);
    assert.equal(await stage.logIn(person, browser), '');
    await change({ displayName: 'another name' });
    assert.equal((await browser.read()).user.username, person.email);
    await change({ userClaim: 'email' });
    expectFault(await browser.send('GET', '/console/session'), 401, 'NOT_LOGGED_IN');
    await change({ userClaim: 'sub' });
    assert.notEqual(await stage.logIn({ sub: person.sub }, browser), '');
    assert.equal(await stage.logIn(person, browser), '');
  });
}

async function methodsOf(setup: Setup, providerId: string) {
  const reply = await new BrowserSession(setup).send('GET', `/console/login-methods?provider=${providerId}`);
  return { methods: expectStatus(reply, 200) };
}

async function declare(kind: SetupKind): Promise<void> {
  const addresses = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`];
  const used = kind.startsWith('SQLite') ? addresses.slice(1) : addresses;
  const targets = used.map((address) => `http://${address}`);
  const publicUrl = await pathProxy({ after }, '/portolan', targets);
  own.onSetup(
    kind,
    'login by an identity provider of an organization',
    (setup) => define({ setup, publicUrl }),
    {
      settings: {
        'allow-private-targets': true,
        'plain-http': true,
        'public-url': publicUrl,
        'trusted-proxies': '127.0.0.1',
      },
      instanceSettings: used.map((listen) => ({ listen })),
    },
  );
}

for (const kind of setupKinds) await declare(kind);
