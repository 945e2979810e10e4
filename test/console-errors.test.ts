import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { accessibilityFaults } from './support/accessibility.ts';
import { browserTests } from './support/console.ts';
import { until } from './support/expect.ts';
import { onOneSetup } from './support/setups.ts';

/** A response that no page can display. */
const UNUSABLE = { json: { results: [null] } };

onOneSetup('SQLite, one instance', 'errors in the console', (setup) => {
  const inBrowser = browserTests(setup);

  /** Answers requests of the page to a path with `UNUSABLE`. Returns a function that ends this. */
  async function spoil(page: Page, path: RegExp) {
    await page.route(path, (route) => route.fulfill(UNUSABLE));
    return () => page.unroute(path);
  }

  const retry = (page: Page) => page.getByRole('button', { name: 'Try again' }).click();
  const problem = (page: Page, name: string) =>
    page.getByRole('heading', { name: new RegExp(`${name} cannot be displayed`) });

  inBrowser('an error in the search closes only the search', async ({ page, press }) => {
    const mend = await spoil(page, /\/v2\/clusters\?/);
    await page.keyboard.press('Control+k');
    await problem(page, 'The search').waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await problem(page, 'The search').waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await press('Go to…');
    await problem(page, 'The search').waitFor();
    await mend();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await press('Go to…');
    await page.getByRole('textbox', { name: 'Search by name' }).fill('over');
    await page.getByRole('dialog').getByRole('link', { name: 'Overview' }).waitFor();
  });

  inBrowser('an error in the header leaves the page and the navigation', async ({ page }) => {
    // JavaScript cannot convert an object with this field to a text.
    const user = { id: 'a', firstName: { toString: null }, lastName: '' };
    await page.route(/\/console\/session$/, (route) =>
      route.fulfill({ json: { csrfToken: '', operator: false, user } }),
    );
    await page.reload();
    await problem(page, 'The header').waitFor();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Clusters' }).first().click();
    await page.getByRole('heading', { name: 'Clusters', level: 1 }).waitFor();
    await page.unroute(/\/console\/session$/);
    await page.getByRole('button', { name: 'Reload the console' }).click();
    await page.getByRole('button', { name: 'Log out' }).waitFor();
  });

  inBrowser('a logout also ends a page that is reading its session', async ({ page, press }) => {
    const late = Promise.withResolvers<void>();
    let isRead = false;
    await page.route(/\/console\/session$/, async (route) => {
      if (isRead || route.request().method() !== 'GET') return route.fallback();
      const response = await route.fetch();
      isRead = true;
      await late.promise;
      await route.fulfill({ response });
    });
    await until(
      'a page that reads its session',
      async () => {
        // The page reads the session again when the person comes back to it.
        await page.evaluate('dispatchEvent(new Event("visibilitychange"))');
        return isRead;
      },
      (found) => found,
    );
    await press('Log out');
    await page.getByRole('textbox', { name: 'User name' }).fill('ada');
    const answered = page.waitForResponse(/\/console\/session$/);
    late.resolve();
    await (await answered).finished();
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    assert.equal(await page.getByRole('textbox', { name: 'User name' }).inputValue(), 'ada');
  });

  inBrowser(
    'an error in a page leaves the navigation, and the page can be tried again',
    async ({ page, open }) => {
      const mend = await spoil(page, /\/accessList\?/);
      await page.goto(`${setup.bootstrap.url}/console/#/projects/${setup.bootstrap.groupId}/access`);
      await problem(page, 'The page').waitFor();
      await page.getByRole('navigation').getByRole('link', { name: 'Overview' }).waitFor();
      await retry(page);
      await problem(page, 'The page').waitFor();
      await mend();
      await retry(page);
      await page.getByRole('heading', { name: 'Database access', level: 1 }).waitFor();
      await open('/', 'Overview');
    },
  );

  inBrowser('a login at the address of an invalid link opens the overview', async ({ open, errors }) => {
    await open('/tasks', 'Tasks');
    await open('/login?link=invalid', 'Overview');
    assert.deepEqual(errors, []);
  });

  inBrowser('an error in the navigation leaves the page', async ({ page }) => {
    const mend = await spoil(page, /\/v2\/orgs\?/);
    await page.goto(`${setup.bootstrap.url}/console/#/tasks`);
    await page.reload();
    await problem(page, 'The navigation').waitFor();
    await page.getByRole('heading', { name: 'Tasks', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Go to…' }).waitFor();
    await mend();
    await page.getByRole('button', { name: 'Reload the console' }).click();
    await page.getByRole('navigation').getByRole('link', { name: 'Overview' }).waitFor();
  });
});
