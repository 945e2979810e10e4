import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { MongoClient } from 'mongodb';
import type { Browser, Page } from 'playwright-core';
import { accessibilityFaults } from './support/accessibility.ts';
import { newPage, startBrowser } from './support/browser.ts';
import { LONG_TIMEOUTS } from './support/drivers.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { own } from './support/setups.ts';
import { uniqueName } from './support/stage.ts';
import { newPerson } from './support/users.ts';

const PASSWORD = 'the password of a sailor';

own.onOneSetup('SQLite, one instance', 'the console in a browser', (setup) => {
  let browser: Browser | undefined;
  before(async () => {
    browser = await startBrowser();
  });
  after(() => browser?.close());

  async function loggedIn(open: Browser) {
    const { page, errors } = await newPage(open);
    const link = await setup.operator.post('/operator/v1/console/links', undefined);
    await page.goto(expectStatus<{ url: string }>(link, 201).url);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    return { page, errors };
  }

  /** Declares a test that uses a browser. If no browser is installed, the test prints that and passes. */
  function inBrowser(title: string, work: (open: Browser) => Promise<void>): void {
    test(title, async (t) => {
      if (browser === undefined) return t.diagnostic('Chromium is not installed: the console is not tested');
      try {
        await work(browser);
      } finally {
        // An open page would follow the events of the next tests, and read their changes.
        await Promise.all(browser.contexts().map((context) => context.close()));
      }
    });
  }

  const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

  async function openProjectPage(page: Page, name: string) {
    await page.getByRole('navigation').getByRole('link', { name }).first().click();
    await heading(page, name);
  }

  async function createCluster(page: Page, name: string) {
    await openProjectPage(page, 'Clusters');
    await press(page, 'Create cluster');
    await page.getByLabel('Name').fill(name);
    await press(page, 'Create');
    await page.getByRole('row', { name }).getByText('IDLE').waitFor();
  }

  async function allowSailor(page: Page) {
    await openProjectPage(page, 'Database access');
    await press(page, 'Add database user');
    await page.getByLabel('User name').fill('sailor');
    await page.getByLabel('Password').fill(PASSWORD);
    await press(page, 'Add');
    await page.getByRole('row', { name: 'sailor' }).waitFor();
    await press(page, 'Add address');
    await page.getByRole('textbox', { name: 'Address' }).fill('127.0.0.1');
    await press(page, 'Add');
    await page.getByRole('row', { name: '127.0.0.1' }).waitFor();
  }

  inBrowser('a cluster is created, used by a driver, and deleted', async (open) => {
    const { page, errors } = await loggedIn(open);
    await allowSailor(page);
    await createCluster(page, 'quay');
    await page.getByRole('link', { name: 'quay' }).click();
    await page.getByRole('cell', { name: 'REPLICA_PRIMARY' }).waitFor();
    const uri = await page.getByRole('textbox', { name: 'connection string' }).inputValue();
    const auth = { username: 'sailor', password: PASSWORD };
    const driver = await MongoClient.connect(uri, { auth, ...LONG_TIMEOUTS });
    await driver.db('harbour').collection('ports').insertOne({ name: 'Riga' });
    await press(page, 'Take snapshot');
    await page.getByRole('row').getByText('completed').waitFor();
    await driver.db('harbour').collection('ports').deleteMany({});
    await press(page, 'Restore…');
    await press(page, 'Restore');
    await page.getByRole('columnheader', { name: 'Verification' }).waitFor();
    await page.goBack();
    // The restore closes connections, and may be complete before the test reads the page again.
    const ports = driver.db('harbour').collection('ports');
    await until(
      'the restored document',
      () => ports.countDocuments().catch(() => 0),
      (count) => count === 1,
    );
    await page.getByText('IDLE').waitFor();
    await driver.close();
    await press(page, 'Delete');
    assert.equal(await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).isEnabled(), false);
    await page.getByLabel('Type quay to confirm').fill('quay');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No clusters').waitFor();
    assert.deepEqual(errors, []);
  });

  inBrowser('the error of a request is found, with the request as a command', async (open) => {
    const group = `/groups/${setup.bootstrap.groupId}`;
    const expected = ['absent', setup.bootstrap.groupId];
    // Each instance keeps its own requests, and any of them may serve the page.
    for (const index of setup.instances.keys()) {
      const reply = await setup.accountAt(index).get(`${group}/clusters/absent`);
      expectFault(reply, 404, 'CLUSTER_NOT_FOUND', expected);
    }
    const { page, errors } = await loggedIn(open);
    await openProjectPage(page, 'Requests');
    await page.getByLabel('Failed only').check();
    await page
      .getByRole('button', { name: /GET .*\/clusters\/absent/ })
      .first()
      .click();
    await page.getByText(/^404 CLUSTER_NOT_FOUND in/).waitFor();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('has no cluster named absent', { exact: false }).waitFor();
    const command = await page.getByRole('textbox', { name: 'curl command' }).inputValue();
    assert.match(command, /^curl /);
    const documentation = dialog.getByRole('link', { name: 'CLUSTER_NOT_FOUND' });
    assert.match((await documentation.getAttribute('href')) ?? '', /\/docs#error-404-CLUSTER_NOT_FOUND$/);
    assert.deepEqual(await accessibilityFaults(page), []);
    await dialog.getByRole('link', { name: /^[\da-f-]{36}$/ }).click();
    await page.reload();
    await page.getByText(/^404 CLUSTER_NOT_FOUND in/).waitFor();
    assert.deepEqual(errors, []);
  });

  inBrowser('times are in the time zone of the browser, or in UTC if the user wants it', async (open) => {
    const { page, errors } = await loggedIn(open);
    const browserSession = await page.context().newCDPSession(page);
    await browserSession.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Tokyo' });
    await page.reload();
    await openProjectPage(page, 'Events');
    const first = page.locator('time').first();
    const textIn = async (timeZone: string, suffix: string) => {
      const at = new Date((await first.getAttribute('datetime')) ?? '');
      const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone }).format(at);
      const time = new Intl.DateTimeFormat('en-US', { timeStyle: 'medium', timeZone }).format(at);
      return `${day}, ${time}${suffix}`;
    };
    assert.equal(await first.textContent(), await textIn('Asia/Tokyo', ''));
    // The drawing of the switch covers the switch itself.
    const toggle = () => page.getByRole('switch', { name: 'Times in UTC' }).dispatchEvent('click');
    await toggle();
    await first.getByText(/UTC$/).waitFor();
    assert.equal(await first.textContent(), await textIn('UTC', ' UTC'));
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.reload();
    await first.getByText(/UTC$/).waitFor();
    await toggle();
    await page.locator('time:not(:has-text("UTC"))').first().waitFor();
    assert.deepEqual(errors, []);
  });

  inBrowser('the next request of an operation gets a chosen answer', async (open) => {
    const { page, errors } = await loggedIn(open);
    const { port } = new URL(page.url());
    const serving = setup.instances.findIndex(({ bootstrap }) => new URL(bootstrap.url).port === port);
    const client = setup.accountAt(serving);
    const read = () => client.get(`/groups/${setup.bootstrap.groupId}/accessList?shade=blue`);
    expectStatus(await read(), 200);
    await openProjectPage(page, 'Requests');
    await page.getByLabel('Operation').selectOption('listProjectIpAccessLists');
    const shown = page.getByRole('button', { name: /GET .*\/accessList/ });
    await shown.first().click();
    await page.getByText('shade', { exact: true }).waitFor();
    await press(page, 'Answer the next request with…');
    await page.getByLabel(/^The next listProjectIpAccessLists/).selectOption('409 Conflict');
    await press(page, 'Declare fault');
    await page.getByText('request gets 409 Conflict.').waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await press(page, 'Pause');
    const before = await shown.count();
    assert.deepEqual([(await read()).status, (await read()).status], [409, 200]);
    // A change makes the page read its data again.
    const reloaded = page.waitForResponse(/\/operator\/v1\/requests\?/);
    // The box is checked once the service has answered.
    await page.getByLabel('Record bodies').click();
    await reloaded;
    await page.getByRole('checkbox', { name: 'Record bodies', checked: true }).waitFor();
    assert.equal(await shown.count(), before);
    await page.getByLabel('Record bodies').click();
    await press(page, 'Resume');
    await page.getByRole('cell', { name: /^409/ }).first().waitFor();
    const waiting = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export as HAR' }).click();
    const download = await waiting;
    assert.equal(download.suggestedFilename(), 'requests.har');
    const { log } = JSON.parse(readFileSync(await download.path(), 'utf8'));
    assert.ok(log.entries.length >= before + 2);
    assert.deepEqual(errors, []);
  });

  inBrowser('pages follow the events of their organization', async (open) => {
    const { page, errors } = await newPage(open);
    const link = await setup.operator.post('/operator/v1/console/links', undefined);
    const opened = page.waitForResponse((response) => response.url().endsWith('/events/stream'));
    await page.goto(expectStatus<{ url: string }>(link, 201).url);
    const stream = await opened;
    assert.deepEqual([stream.status(), stream.headers()['content-type']], [200, 'text/event-stream']);
    const name = uniqueName('harbour');
    const { orgId } = setup.bootstrap;
    expectStatus(await setup.owner.post('/groups', { name, orgId }), 200);
    const card = page.getByRole('link', { name });
    await card.waitFor();
    await page.getByRole('region', { name: 'Running tasks' }).waitFor();
    await page.getByText('GROUP_CREATED').first().waitFor();
    assert.deepEqual(errors, []);
  });

  inBrowser('a page whose session ended shows the login', async (open) => {
    const { page, errors } = await loggedIn(open);
    await page.context().clearCookies();
    await page.getByRole('heading', { name: 'Log in to Portolan' }).waitFor();
    assert.deepEqual(errors, []);
  });

  inBrowser('a person without an organization is told how to get into one', async (open) => {
    const { orgId } = setup.bootstrap;
    const { id, username, password } = await newPerson(setup, setup.owner, [
      { orgId, roleName: 'ORG_MEMBER' },
    ]);
    expectStatus(await setup.owner.delete(`/orgs/${orgId}/users/${id}`), 204);
    const { page, errors } = await newPage(open);
    await page.goto(`${setup.bootstrap.url}/console/`);
    await page.getByLabel('User name').fill(username);
    await page.getByLabel('Password').fill(password);
    await press(page, 'Log in');
    await page.getByText('You belong to no organization.').waitFor();
    assert.equal(await page.getByRole('link', { name: 'Requests' }).count(), 0);
    assert.deepEqual(errors, []);
  });

  inBrowser('nobody sees a page without a session', async (open) => {
    const { page, errors } = await newPage(open);
    await page.goto(setup.bootstrap.url);
    await heading(page, 'Log in to Portolan');
    assert.equal(new URL(page.url()).pathname, '/console/');
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.getByLabel('User name').fill('nobody@example.org');
    await page.getByLabel('Password').fill(PASSWORD);
    await press(page, 'Log in');
    await page.getByText('The user name or the password is wrong.').waitFor();
    assert.deepEqual(errors, []);
  });

  inBrowser('an invited person sets a password, and is logged in', async (open) => {
    const username = `${uniqueName('invited')}@example.org`;
    const { orgId } = setup.bootstrap;
    expectStatus(await setup.owner.post(`/orgs/${orgId}/invites`, { username, roles: ['ORG_MEMBER'] }), 200);
    const list = async () => (await setup.operator.get('/operator/v1/mails')).text;
    const text = await until('a mail', list, (mails) => mails.includes(username));
    const { page, errors } = await newPage(open);
    await page.goto(/https:\S+token=[\w-]+/.exec(text)?.[0] ?? assert.fail(text));
    await page.getByText(`invites ${username}`).waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.getByLabel('First name').fill('<img src=x onerror=alert(1)>');
    await page.getByLabel('Last name').fill('Sailor');
    await page.getByLabel('Password').fill(PASSWORD);
    await press(page, 'Accept');
    await heading(page, 'Overview');
    assert.equal(await page.locator('img[src=x]').count(), 0);
    assert.deepEqual(errors, []);
  });
});
