import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newPage, startBrowser } from './support/browser.ts';
import { BrowserSession } from './support/browser-session.ts';
import { expectFault, expectStatus } from './support/expect.ts';
import { CLIENT, openIdProvider, type ProviderPerson } from './support/openid-provider.ts';
import { pathProxy } from './support/path-proxy.ts';
import { freePort } from './support/ports.ts';
import { own } from './support/setups.ts';
import { type ListDocument, newOrganization, uniqueName } from './support/stage.ts';
import { newPerson } from './support/users.ts';

const LOGIN = '/console/oidc/login';
const CALLBACK = '/console/oidc/callback';
const V2 = '/api/service/v2';

const provider = await openIdProvider({ after });
const addresses = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`];
const publicUrl = await pathProxy(
  { after },
  '/portolan',
  addresses.map((address) => `http://${address}`),
);

// The proxy sends requests to two instances.
own.onSetup(
  'PostgreSQL, two instances',
  'login by OpenID Connect',
  (setup) => {
    before(() => {
      provider.register(`${publicUrl}${CALLBACK}`);
      setup.keepOutOfLogs(CLIENT.secret);
    });

    /** Creates a user, and the same person at the provider. */
    async function sailor(more: Partial<ProviderPerson> = {}) {
      const { key, id: orgId } = await newOrganization(setup, 'ORG_OWNER');
      const user = await newPerson(setup, key, [{ orgId, roleName: 'ORG_READ_ONLY' }]);
      const person = { sub: uniqueName('sub'), email: user.username, email_verified: true, ...more };
      return { key, orgId, user, person };
    }

    /** Begins a login, and returns the URL of the service to which the provider redirects the browser. */
    async function callbackOf(browser: BrowserSession): Promise<string> {
      const begun = await browser.send('GET', LOGIN);
      assert.equal(begun.status, 303);
      assert.match(begun.headers.get('set-cookie') ?? '', /; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
      const back = await provider.visit(begun.headers.get('location') ?? '');
      assert.equal(back.origin + back.pathname, `${publicUrl}${CALLBACK}`);
      return `${CALLBACK}${back.search}`;
    }

    /** Logs in. Returns where the service sends the browser. */
    async function logIn(person: ProviderPerson, browser = new BrowserSession(setup)) {
      provider.person = person;
      const { status, headers } = await browser.send('GET', await callbackOf(browser));
      assert.equal(status, 303);
      return headers.get('location');
    }

    test('people with a verified mail address log in, with their own roles', async () => {
      const { orgId, user, person } = await sailor();
      const browser = new BrowserSession(setup);
      assert.equal(await logIn({ ...person, email: user.username.toUpperCase() }, browser), '../');
      const { operator, user: shown } = await browser.read();
      assert.deepEqual([operator, shown.id], [false, user.id]);
      const orgs = expectStatus<ListDocument<{ id: string }>>(await browser.send('GET', `${V2}/orgs`), 200);
      assert.deepEqual(
        orgs.results.map(({ id }) => id),
        [orgId],
      );
      const sessions = await browser.send('GET', '/console/sessions');
      assert.equal(expectStatus<ListDocument<object>>(sessions, 200).results.length, 1);
      assert.equal((await browser.send('DELETE', '/console/session')).status, 204);
      expectFault(await browser.send('GET', '/console/session'), 401, 'NOT_LOGGED_IN');
    });

    test('a known subject determines the user, whatever mail address it has later', async () => {
      const { user, person } = await sailor();
      const other = await sailor();
      assert.equal(await logIn(person), '../');
      const browser = new BrowserSession(setup);
      await logIn({ ...person, email: other.user.username }, browser);
      assert.equal((await browser.read()).user.id, user.id);
      await logIn({ sub: person.sub }, browser);
      assert.equal((await browser.read()).user.id, user.id);
    });

    test('nobody takes over an account', async () => {
      const { user, person } = await sailor();
      for (const email_verified of [false, undefined, 'true'])
        assert.equal(await logIn({ ...person, email_verified }), '../#/login?openid=unverified');
      assert.equal(await logIn({ ...person, email: 'nobody@example.org' }), '../#/login?openid=unknown');
      assert.equal(await logIn({ ...person, email: '' }), '../#/login?openid=unverified');
      assert.equal(await logIn(person), '../');
      const second = { ...person, sub: uniqueName('sub') };
      assert.equal(await logIn(second), '../#/login?openid=other');
      const path = `/operator/v1/users/${user.id}/openIdIdentity`;
      assert.equal((await setup.operator.delete(path)).status, 204);
      expectFault(await setup.operator.delete(path), 404, 'NO_IDENTITY');
      assert.equal(await logIn(second), '../');
    });

    test('the first login ends the sessions and the password of another creator of the account', async () => {
      const { user, person } = await sailor();
      const creator = new BrowserSession(setup);
      assert.equal((await creator.logIn(user.username, user.password)).status, 204);
      assert.equal(await logIn(person), '../');
      expectFault(await creator.send('GET', '/console/session'), 401, 'NOT_LOGGED_IN');
      assert.equal((await creator.logIn(user.username, user.password)).status, 401);
    });

    test('an invited person gets an account', async () => {
      const { key, orgId } = await sailor();
      const email = `${uniqueName('mate')}@example.org`;
      const invited = { username: email, roles: ['ORG_MEMBER'] };
      expectStatus(await key.post(`/orgs/${orgId}/invites`, invited), 200);
      const person = { sub: uniqueName('sub'), email, email_verified: false, given_name: 'Jo' };
      assert.equal(await logIn(person), '../#/login?openid=unverified');
      const browser = new BrowserSession(setup);
      assert.equal(await logIn({ ...person, email_verified: true }, browser), '../');
      assert.equal((await browser.read()).user.username, email);
      assert.equal(await logIn(person), '../');
    });

    test('a response works once, in the browser that began the login', async () => {
      const { person } = await sailor();
      provider.person = person;
      const browser = new BrowserSession(setup);
      const target = await callbackOf(browser);
      const stranger = new BrowserSession(setup);
      const ended = '../#/login?openid=ended';
      assert.equal((await stranger.send('GET', target)).headers.get('location'), ended);
      await callbackOf(stranger);
      assert.equal((await stranger.send('GET', target)).headers.get('location'), ended);
      const { cookie } = browser;
      assert.equal((await browser.send('HEAD', target)).headers.get('set-cookie'), null);
      assert.equal((await browser.send('GET', target)).headers.get('location'), '../');
      browser.cookie = cookie;
      const replayed = await browser.send('GET', target);
      assert.match(replayed.headers.get('location') ?? '', /openid=failed$/);
      assert.match(replayed.headers.getSetCookie().join(), /Max-Age=0/);
    });

    test('a provider that accepts a code twice does not log in twice', async () => {
      const { person } = await sailor();
      const browser = new BrowserSession(setup);
      const { nonce, state } = await begin(browser);
      provider.forge(() => claims({ sub: person.sub, nonce, email: person.email }));
      const { cookie } = browser;
      const statuses: (string | null)[] = [];
      for (let turn = 0; turn < 2; turn++) {
        browser.cookie = cookie;
        const reply = await browser.send(
          'GET',
          `${CALLBACK}?${new URLSearchParams({ state, code: 'x', iss: provider.issuer })}`,
        );
        statuses.push(reply.headers.get('location'));
      }
      provider.forge(undefined);
      assert.deepEqual(statuses, ['../', '../#/login?openid=ended']);
    });

    const claims = (more: object) => {
      const now = Math.floor(Date.now() / 1000);
      return {
        ...{ iss: provider.issuer, aud: CLIENT.id, iat: now, exp: now + 3600, email_verified: true },
        ...more,
      };
    };

    /** Begins a login without following the redirect to the provider. */
    async function begin(browser: BrowserSession) {
      const begun = await browser.send('GET', LOGIN);
      const asked = new URL(begun.headers.get('location') ?? '').searchParams;
      assert.equal(asked.get('code_challenge_method'), 'S256');
      return { nonce: asked.get('nonce') ?? '', state: asked.get('state') ?? '' };
    }

    test('forged responses log in nobody', async (t) => {
      const { person } = await sailor();
      t.after(() => provider.forge(undefined));
      t.after(() => provider.signWith('own'));
      const lies: readonly object[] = [
        { nonce: 'of another login' },
        { nonce: undefined },
        { aud: 'another client' },
        { aud: [CLIENT.id, 'another client'], azp: 'another client' },
        { iss: 'https://other.example.org' },
        { exp: Math.floor(Date.now() / 1000) - 3600 },
        { sub: undefined },
      ];
      for (const [index, lie] of lies.entries()) await fails(index, person, lie);
      provider.signWith('foreign');
      await fails(lies.length, person, {});
    });

    /** Expects that a login fails. Each attempt has another address, since failures per address are limited. */
    async function fails(index: number, person: ProviderPerson, lie: object): Promise<void> {
      const browser = new BrowserSession(setup);
      const { nonce, state } = await begin(browser);
      provider.forge(() => claims({ sub: person.sub, email: person.email, nonce, ...lie }));
      const query = new URLSearchParams({ state, code: 'x', iss: provider.issuer });
      const from = { 'x-forwarded-for': `203.0.113.${index + 1}` };
      const reply = await browser.send('GET', `${CALLBACK}?${query}`, undefined, from);
      const what = JSON.stringify(lie);
      assert.equal(reply.headers.get('location'), '../#/login?openid=failed', what);
      expectFault(await browser.send('GET', '/console/session'), 401, 'NOT_LOGGED_IN');
    }

    test('parameters that do not belong to the login are refused without asking the provider', async () => {
      const from = { 'x-forwarded-for': '203.0.113.100' };
      for (const [query, reason] of [
        ['code=x', 'ended'],
        ['code=x&state=other', 'ended'],
        ['code=x&state=STATE&state=STATE', 'ended'],
        ['error=access_denied&error_description=%3Cscript%3E&state=STATE', 'rejected'],
        ['code=x&state=STATE&iss=https%3A%2F%2Fother.example.org', 'failed'],
        ['code=x&state=STATE', 'failed'],
        ['state=STATE&iss=ISSUER', 'failed'],
      ] as const) {
        const browser = new BrowserSession(setup);
        const { state } = await begin(browser);
        const target = `${CALLBACK}?${query.replaceAll('STATE', state).replace('ISSUER', provider.issuer)}`;
        const reply = await browser.send('GET', target, undefined, from);
        assert.equal(reply.headers.get('location'), `../#/login?openid=${reason}`, query);
      }
    });

    test('the login page has a button, and shows why a login failed', async (t) => {
      const browser = await startBrowser();
      if (browser === undefined) return t.diagnostic('Chromium is not installed: the page is not tested');
      t.after(() => browser.close());
      const { user, person } = await sailor();
      const { page, errors } = await newPage(browser);
      const press = () => page.getByRole('link', { name: /^Log in with 127/ }).click();
      await page.goto(`${publicUrl}/console/`);
      provider.person = { ...person, email_verified: false };
      await press();
      await page.getByText('The provider has not verified your mail address.').waitFor();
      await page.context().clearCookies();
      provider.person = person;
      await press();
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      assert.equal(new URL(page.url()).pathname, '/portolan/console/');
      await page.getByText(user.firstName).first().waitFor();
      assert.deepEqual(errors, []);
    });
  },
  {
    settings: {
      'oidc-issuer': provider.issuer,
      'oidc-client-id': CLIENT.id,
      'oidc-client-secret': CLIENT.secret,
      'plain-http': true,
      'public-url': publicUrl,
      'trusted-proxies': '127.0.0.1',
    },
    instanceSettings: addresses.map((listen) => ({ listen })),
  },
);
