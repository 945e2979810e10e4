import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { accessibilityFaults } from './support/accessibility.ts';
import { BrowserSession } from './support/browser-session.ts';
import { digest } from './support/client.ts';
import { browserTests } from './support/console.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { codeOf } from './support/one-time-codes.ts';
import { mailReceiver } from './support/receivers.ts';
import { scopeOf } from './support/service.ts';
import { onEachSetup, own, type Setup } from './support/setups.ts';
import { type ListDocument, uniqueName } from './support/stage.ts';
import { listed, newPerson, newStage } from './support/users.ts';

const V2 = '/api/service/v2';
const names = { firstName: 'Ada', lastName: 'Sailor' };

interface Mail {
  readonly to: string;
  readonly body?: string;
  readonly outcome: string;
}

const tokenIn = (text: string) => /token=(db_[\w-]+)/.exec(text)?.[1] ?? assert.fail(text);

/**
 * Returns a mail to a person, as the operator can read it. With `link`, the mail contains a link to this page of the
 * console.
 */
async function mailTo(setup: Setup, username: string, link?: 'invitation' | 'reset'): Promise<Mail> {
  const isWanted = ({ to, body = '' }: Mail) =>
    to === username && (link === undefined || body.includes(`/console/#/${link}?`));
  const read = async () => {
    const reply = await setup.operator.get('/operator/v1/mails?itemsPerPage=500');
    return expectStatus<ListDocument<Mail>>(reply, 200).results.filter(isWanted);
  };
  const [mail] = await until('a mail', read, (mails) => mails.length > 0);
  return mail ?? assert.fail();
}

onEachSetup('people log in by mail', (setup) => {
  const post = (path: string, body: object) => new BrowserSession(setup).send('POST', path, body);

  /** Sets a password by a mailed link, which proves that the person owns the address. */
  async function setNewPassword(username: string, password: string): Promise<void> {
    assert.equal((await post('/console/reset-mails', { username })).status, 202);
    const token = tokenIn((await mailTo(setup, username, 'reset')).body ?? '');
    assert.equal((await post('/console/reset', { token, password })).status, 204);
  }

  test('an invitation is accepted once, by its link, with its roles', async () => {
    const { key, org, orgId } = await newStage(setup);
    const username = `${uniqueName('invited')}@example.org`;
    const password = `the password of ${username}`;
    setup.keepOutOfLogs(password);
    expectStatus(await key.post(`${org}/invites`, { username, roles: ['ORG_READ_ONLY'] }), 200);
    const mail = await mailTo(setup, username);
    const token = tokenIn(mail.body ?? '');
    setup.keepOutOfLogs(token);
    assert.equal(mail.outcome, 'KEPT');
    const seen = expectStatus(await post('/console/invitation', { token }), 200);
    assert.deepEqual([seen.username, seen.hasAccount], [username, false]);
    const body = { ...names, token, password };
    const forged = { ...body, token: `${token.slice(0, -1)}${token.endsWith('A') ? 'E' : 'A'}` };
    expectFault(await post('/console/invitation/accept', forged), 410, 'LINK_ENDED');
    const short = await post('/console/invitation/accept', { ...body, password: 'short' });
    assert.equal(short.status, 400);
    const browser = new BrowserSession(setup);
    const [one, other] = await Promise.all([
      browser.send('POST', '/console/invitation/accept', body),
      post('/console/invitation/accept', { ...body, firstName: 'Eve' }),
    ]);
    assert.deepEqual([one.status, other.status].toSorted(), [204, 410]);
    expectFault(await post('/console/invitation', { token }), 410, 'LINK_ENDED');
    assert.equal((await browser.logIn(username, password)).status, 204);
    const { operator, user } = await browser.read();
    assert.deepEqual([operator, user.username], [false, username]);
    expectStatus(await browser.send('GET', `${V2}/orgs/${orgId}`), 200);
    expectFault(await browser.send('DELETE', `${V2}/orgs/${orgId}`), 401, 'NOT_ORG_OWNER', [orgId]);
    assert.equal((await mailTo(setup, username)).body, undefined);
  });

  test('a login that is in progress when the password is replaced opens no session', async () => {
    const { key, orgId } = await newStage(setup);
    const { username, password } = await newPerson(setup, key, [{ orgId, roleName: 'ORG_MEMBER' }]);
    assert.equal((await post('/console/reset-mails', { username })).status, 202);
    const token = tokenIn((await mailTo(setup, username, 'reset')).body ?? '');
    const next = `the next password of ${username}`;
    for (const secret of [token, next]) setup.keepOutOfLogs(secret);
    const browsers = Array.from({ length: 6 }, () => new BrowserSession(setup));
    const [replaced] = await Promise.all([
      post('/console/reset', { token, password: next }),
      ...browsers.map((browser) => browser.logIn(username, password)),
    ]);
    assert.equal(replaced.status, 204);
    for (const browser of browsers)
      assert.equal(
        (await browser.send('GET', '/console/session')).status,
        401,
        'a session of the old password',
      );
  });

  test('the mail of an invitation is sent again, but not without bounds', async () => {
    const { key, org } = await newStage(setup);
    const username = `${uniqueName('invited')}@example.org`;
    const roles = ['ORG_MEMBER'];
    const { id } = expectStatus<{ id: string }>(await key.post(`${org}/invites`, { username, roles }), 200);
    await mailTo(setup, username);
    const listed = async () => {
      const reply = await setup.operator.get('/operator/v1/mails?itemsPerPage=500');
      return expectStatus<ListDocument<Mail>>(reply, 200).results.filter(({ to }) => to === username).length;
    };
    for (const expected of [2, 3]) {
      expectStatus(await key.post(`${org}/invites/${id}:resend`, undefined), 204);
      await until(`mail ${expected}`, listed, (count) => count === expected);
    }
    expectStatus(await key.post(`${org}/invites/${id}:resend`, undefined), 204);
    const next = `${uniqueName('next')}@example.org`;
    expectStatus(await key.post(`${org}/invites`, { username: next, roles }), 200);
    await mailTo(setup, next);
    assert.equal(await listed(), 3);
    expectStatus(await key.delete(`${org}/invites/${id}`), 204);
    expectFault(await key.post(`${org}/invites/${id}:resend`, undefined), 404, 'RESOURCE_NOT_FOUND', [
      `Invitation with id ${id}`,
    ]);
  });

  test('a link ends with its invitation, and opens no session for a person with an account', async () => {
    const { key, org, orgId } = await newStage(setup);
    const username = `${uniqueName('invited')}@example.org`;
    const invite = (to: string) => key.post(`${org}/invites`, { username: to, roles: ['ORG_MEMBER'] });
    const { id } = expectStatus<{ id: string }>(await invite(username), 200);
    const token = tokenIn((await mailTo(setup, username)).body ?? '');
    expectStatus(await key.delete(`${org}/invites/${id}`), 204);
    const accepted = await post('/console/invitation/accept', { ...names, token, password: 'long enough' });
    expectFault(accepted, 410, 'LINK_ENDED');

    const known = await newPerson(setup, setup.owner, [
      { orgId: setup.bootstrap.orgId, roleName: 'ORG_MEMBER' },
    ]);
    await setNewPassword(known.username, 'chosen by the person');
    expectStatus(await invite(known.username), 200);
    const theirs = tokenIn((await mailTo(setup, known.username, 'invitation')).body ?? '');
    const joined = await post('/console/invitation/accept', { token: theirs, password: 'stolen password' });
    assert.deepEqual([joined.status, joined.headers.get('set-cookie')], [204, null]);
    assert.ok((await listed(key, `/orgs/${orgId}/users`)).some((one) => one.username === known.username));
    const browser = new BrowserSession(setup);
    assert.equal((await browser.logIn(known.username, 'chosen by the person')).status, 204);
  });

  test('the creator of an account for somebody else loses it when the invited person accepts', async () => {
    const { key, org } = await newStage(setup);
    const { username, password } = await newPerson(setup, setup.owner, [
      { orgId: setup.bootstrap.orgId, roleName: 'ORG_MEMBER' },
    ]);
    const creator = new BrowserSession(setup);
    assert.equal((await creator.logIn(username, password)).status, 204);
    expectStatus(await key.post(`${org}/invites`, { username, roles: ['ORG_OWNER'] }), 200);
    const token = tokenIn((await mailTo(setup, username)).body ?? '');
    const seen = expectStatus(await post('/console/invitation', { token }), 200);
    assert.equal(seen.hasAccount, false);
    assert.equal((await post('/console/invitation/accept', { token })).status, 400);
    const chosen = { ...names, token, password: 'chosen by the person' };
    const person = new BrowserSession(setup);
    assert.equal((await person.send('POST', '/console/invitation/accept', chosen)).status, 204);
    assert.equal((await person.read()).user.username, username);
    expectFault(await creator.send('GET', '/console/session'), 401, 'NOT_LOGGED_IN');
    assert.equal((await creator.logIn(username, password)).status, 401);
    assert.equal((await new BrowserSession(setup).logIn(username, chosen.password)).status, 204);
  });

  test('a new password ends the link and all sessions', async () => {
    const { orgId } = setup.bootstrap;
    const { username, password } = await newPerson(setup, setup.owner, [{ orgId, roleName: 'ORG_MEMBER' }]);
    const browser = new BrowserSession(setup);
    await browser.logIn(username, password);
    const answers = await Promise.all(
      [username.toUpperCase(), `${uniqueName('nobody')}@example.org`].map((name) =>
        post('/console/reset-mails', { username: name }),
      ),
    );
    assert.deepEqual(
      answers.map(({ status, text }) => [status, text]),
      [
        [202, '{}'],
        [202, '{}'],
      ],
    );
    const token = tokenIn((await mailTo(setup, username)).body ?? '');
    const next = `another password of ${username}`;
    for (const secret of [token, next]) setup.keepOutOfLogs(secret);
    assert.equal((await post('/console/reset', { token, password: next })).status, 204);
    expectFault(await post('/console/reset', { token, password: 'yet another' }), 410, 'LINK_ENDED');
    expectFault(await browser.send('GET', '/console/session'), 401, 'NOT_LOGGED_IN');
    expectFault(await browser.logIn(username, password), 401, 'INVALID_LOGIN');
    assert.equal((await browser.logIn(username, next)).status, 204);
  });

  test('requests for new passwords are limited, and other content types are rejected', async () => {
    const statuses: number[] = [];
    for (let turn = 0; turn < 10; turn++)
      statuses.push((await post('/console/reset-mails', { username: 'nobody@example.org' })).status);
    assert.ok(statuses.includes(429));
    for (const path of ['session', 'reset', 'reset-mails', 'invitation', 'invitation/accept']) {
      const form = { 'content-type': 'text/plain' };
      const { status } = await new BrowserSession(setup).send('POST', `/console/${path}`, {}, form);
      assert.equal(status, 415, path);
    }
    assert.equal((await post('/console/session', { username: 'a\0', password: 'x' })).status, 400);
  });
});

const scope = scopeOf({ after });
const receiver = await mailReceiver(scope);
own.onOneSetup(
  'SQLite, one instance',
  'mails to people',
  (setup) => {
    test('go through the mail server, and are then not shown to the operator', async () => {
      const { key, org } = await newStage(setup);
      const username = `${uniqueName('invited')}@example.org`;
      expectStatus(await key.post(`${org}/invites`, { username, roles: ['ORG_MEMBER'] }), 200);
      const { body, outcome } = await mailTo(setup, username);
      assert.deepEqual([body, outcome], [undefined, 'SENT']);
      const mail = receiver.received.find(({ to }) => to.includes(username));
      assert.deepEqual(mail?.to, [username]);
      const token = tokenIn((mail?.text ?? '').replaceAll('=\r\n', '').replaceAll('=3D', '='));
      const seen = await new BrowserSession(setup).send('POST', '/console/invitation', { token });
      expectStatus(seen, 200);
    });

    const inBrowser = browserTests(setup);
    const sound = async (page: Page) => assert.deepEqual(await accessibilityFaults(page), []);

    inBrowser('people and teams get roles, and lose them', async ({ page, errors, ...console }) => {
      const { orgId, groupId } = setup.bootstrap;
      const tab = (name: string) => page.getByRole('tab', { name, exact: true }).click();
      const row = (name: string) => page.getByRole('row').filter({ hasText: name });
      const confirm = (name: string) =>
        page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
      const { username } = await newPerson(setup, setup.owner, [{ orgId, roleName: 'ORG_MEMBER' }]);
      const invited = `${uniqueName('invited')}@example.org`;
      const access = `/organizations/${orgId}/access`;
      await console.open(access, 'Access to First organization');
      await console.press('Invite person');
      await console.fill('E-mail address', invited);
      await page.getByLabel('Billing Viewer').check();
      await sound(page);
      await confirm('Invite');
      await console.press(`Change roles of ${username}`);
      await page.getByLabel('Project Creator').check();
      await confirm('Save');
      await row(username).getByText('Project Creator, Organization Member').waitFor();
      await sound(page);
      await tab('Invitations');
      await console.press(`Send again to ${invited}`);
      await page.getByText('Sent.').waitFor();
      await sound(page);
      await console.press(`Revoke ${invited}`);
      await confirm('Revoke');
      await page.getByText('The invitation is listed here').waitFor();
      await tab('Teams');
      await console.press('Create team');
      await console.fill('Name', 'crew');
      await confirm('Create');
      await page.getByRole('link', { name: 'crew' }).click();
      await console.press('Add member');
      await page.getByLabel('Person').selectOption(username);
      await confirm('Add');
      await row(username).waitFor();
      await sound(page);
      await console.open(`/projects/${groupId}/people/teams`, 'People and keys');
      await console.press('Add team');
      await page.getByLabel('Backup Manager').check();
      await confirm('Add');
      await row('crew').getByText('Backup Manager').waitFor();
      await sound(page);
      await tab('People');
      await row(username).getByText('none: by a team or the organization').waitFor();
      await sound(page);
      await console.open(access, 'Access to First organization');
      await console.press(`Remove ${username}`);
      await confirm('Remove');
      await row(username).waitFor({ state: 'detached' });
      assert.deepEqual(errors, []);
    });

    inBrowser('keys and accounts show their secrets once', async ({ page, errors, ...console }) => {
      const { orgId, groupId } = setup.bootstrap;
      const dialog = page.getByRole('dialog');
      const confirm = (name: string) => dialog.getByRole('button', { name, exact: true }).click();
      const secret = (name: string) => dialog.getByRole('textbox', { name, exact: true }).inputValue();
      await console.open(`/projects/${groupId}/people/keys`, 'People and keys');
      await console.press('Create API key');
      await console.fill('Purpose', 'the pipeline');
      await confirm('Create');
      const [publicKey, privateKey] = [await secret('public key'), await secret('private key')];
      setup.keepOutOfLogs(privateKey);
      const client = setup.clientWith(digest({ publicKey, privateKey }));
      expectStatus(await client.get(`/groups/${groupId}`), 200);
      await sound(page);
      await confirm('Done');
      assert.equal((await page.content()).includes(privateKey), false);
      await page.getByRole('link', { name: publicKey }).click();
      await console.press('Add address');
      await console.fill('Address', '10.0.0.0/8');
      await confirm('Add');
      await page.getByRole('cell', { name: '10.0.0.0/8', exact: true }).waitFor();
      await sound(page);
      await console.open(`/organizations/${orgId}/access/accounts`, 'Access to First organization');
      await console.press('Create service account');
      await console.fill('Name', 'harbour master');
      await console.fill('Purpose', 'looks at ships');
      await confirm('Create');
      setup.keepOutOfLogs(await secret('secret'));
      await confirm('Done');
      await page.getByRole('link', { name: 'harbour master' }).click();
      await console.press('Add secret');
      await confirm('Add');
      const second = await secret('secret');
      setup.keepOutOfLogs(second);
      await confirm('Done');
      await page.getByRole('cell', { name: new RegExp(`^db_sa_sk_.*${second.slice(-4)}$`) }).waitFor();
      await page
        .getByRole('button', { name: /^Delete db_sa_sk_/ })
        .first()
        .click();
      await sound(page);
      await confirm('Delete');
      await dialog.waitFor({ state: 'detached' });
      assert.deepEqual(errors, []);
    });

    inBrowser(
      'a person turns on one-time codes, and logs in with one',
      async ({ page, errors, ...console }) => {
        const { orgId } = setup.bootstrap;
        const { username, password } = await newPerson(setup, setup.owner, [
          { orgId, roleName: 'ORG_MEMBER' },
        ]);
        const dialog = page.getByRole('dialog');
        const confirm = (name: string) => dialog.getByRole('button', { name, exact: true }).click();
        await console.press('Log out');
        const logIn = async () => {
          await page.getByLabel('User name').fill(username);
          await page.getByLabel('Password').fill(password);
          await console.press('Log in');
        };
        await logIn();
        await page.getByRole('link', { name: 'Jo' }).click();
        await page.getByText('this session').waitFor();
        await sound(page);
        await console.press('Turn on');
        await dialog.getByLabel('Your password').fill(password);
        await confirm('Continue');
        await dialog.getByRole('img', { name: 'QR code for your app' }).waitFor();
        const secret = await dialog.getByRole('textbox', { name: 'secret', exact: true }).inputValue();
        setup.keepOutOfLogs(secret);
        await sound(page);
        await dialog.getByLabel('Code that the app shows').fill(codeOf(secret));
        await confirm('Turn on');
        const recovery = dialog.getByRole('textbox', { name: 'recovery code 1', exact: true });
        setup.keepOutOfLogs(await recovery.inputValue());
        await confirm('Done');
        await page.getByText('10 recovery codes are left').waitFor();
        await console.press('Log out');
        await logIn();
        const oneTimeCode = page.getByLabel('One-time code');
        await oneTimeCode.waitFor();
        await sound(page);
        // Compute the code as late as possible, since it is valid for only a minute or so.
        await oneTimeCode.fill(codeOf(secret, 1));
        await console.press('Log in');
        await page.getByRole('link', { name: 'Jo' }).waitFor();
        assert.deepEqual(errors, []);
      },
    );

    inBrowser('a reader sees lists without buttons', async ({ page, errors, ...console }) => {
      const { orgId, groupId } = setup.bootstrap;
      const roles = [
        { orgId, roleName: 'ORG_MEMBER' },
        { groupId, roleName: 'GROUP_READ_ONLY' },
      ];
      const { username, password } = await newPerson(setup, setup.owner, roles);
      await console.press('Log out');
      await page.getByLabel('User name').fill(username);
      await page.getByLabel('Password').fill(password);
      // The roles of the person determine the buttons.
      const known = page.waitForResponse((response) => response.url().includes('/api/service/v2/users/'));
      await Promise.all([known, console.press('Log in')]);
      const project = `/projects/${groupId}`;
      const pages: readonly (readonly [string, string, string])[] = [
        [`/organizations/${orgId}/access`, 'Access to First organization', username],
        [`/organizations/${orgId}/access/keys`, 'Access to First organization', 'First'],
        [`${project}/people`, 'People and keys', username],
        [`${project}/alerts/configurations`, 'Alerts', 'NO_PRIMARY'],
        [`${project}/access`, 'Database access', 'Create a role for users'],
        [`${project}/clusters`, 'Clusters', 'Create a cluster;'],
      ];
      for (const [path, title, text] of pages) {
        await console.open(path, title);
        await page.getByRole('main').getByText(text).first().waitFor();
        const buttons = page.getByRole('main').getByRole('button');
        assert.deepEqual(await buttons.allInnerTexts(), [], path);
      }
      assert.deepEqual(errors, []);
    });

    inBrowser('custom roles are composed of actions', async ({ page, errors, ...console }) => {
      const { groupId } = setup.bootstrap;
      const confirm = (name: string) =>
        page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
      await console.open(`/projects/${groupId}/access`, 'Database access');
      await console.press('Create role');
      await console.fill('Name', 'counter');
      await console.fill('Database of action 1', 'shop');
      await console.press('Add action');
      await page.getByLabel('Allowed action 2').selectOption('SERVER_STATUS');
      await sound(page);
      await confirm('Create');
      await page.getByRole('cell', { name: 'FIND, SERVER_STATUS' }).waitFor();
      await console.press('Edit counter');
      await console.fill('Inherited roles', 'read@ledger');
      await confirm('Save');
      await page.getByRole('cell', { name: 'read@ledger' }).waitFor();
      await console.press('Delete counter');
      await confirm('Delete');
      await page.getByText('Create a role for users').waitFor();
      await sound(page);
      assert.deepEqual(errors, []);
    });
  },
  { settings: { 'smtp-url': receiver.url } },
);
