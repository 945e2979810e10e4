import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { accessibilityFaults } from './support/accessibility.ts';
import { browserTests } from './support/console.ts';
import { crawlConsole } from './support/console-crawl.ts';
import { hostileProject, MARKUP } from './support/hostile-names.ts';
import { unsafeElements } from './support/page-safety.ts';
import { own } from './support/setups.ts';

/** The table of routes, and the pages that need no session. */
const source = readFileSync(new URL('../packages/console/src/app.tsx', import.meta.url), 'utf8');
const routes = [...source.matchAll(/<Route path="([^"]+)">/g)].map(([, path = '']) => path);
const outerPages = [...source.matchAll(/location\.startsWith\('([^']+)'\)/g)].map(([, path = '']) => path);

/** Returns a pattern that matches the addresses of a route, such as `/projects/:groupId/data/*?`. */
const patternOf = (route: string) =>
  new RegExp(
    `^${route
      .replaceAll(/\/:\w+\?/g, '(?:/[^/]+)?')
      .replaceAll(/:\w+/g, '[^/]+')
      .replace('/*?', '(?:/.*)?')}$`,
  );

/** Returns the address of a route without its optional parts. Undefined if the address contains an id. */
function addressOf(route: string): string | undefined {
  const address = route.replace(/\/(?::\w+|\*)\?$/, '');
  return address.includes(':') ? undefined : address;
}

/**
 * Maximum number of buttons to press among those whose names begin with the same word. Two are enough for the entries
 * that `hostileProject` creates.
 */
const MAX_ALIKE = 2;

own.onOneSetup('SQLite, one instance', 'every page of the console', (setup) => {
  const inBrowser = browserTests(setup);

  /** Rejects all changes, so that every button can be pressed. The error also contains markup. */
  async function rejectChanges(page: Page): Promise<void> {
    await page.addInitScript(`{
      const send = fetch;
      const error = ${JSON.stringify({ detail: MARKUP, error: 409, errorCode: 'HOSTILE' })};
      globalThis.fetch = (url, options) =>
        options?.method === 'GET' || String(url).endsWith('/commands')
          ? send(url, options)
          : Promise.resolve(Response.json(error, { status: 409 }));
    }`);
    await page.reload();
  }

  const origin = () => `${setup.bootstrap.url}/console/`;

  /** Opens every page. Fails if the table of routes contains a page that was not opened. */
  async function openAll(page: Page, mostAlike: number, check: (place: string) => Promise<void>) {
    const foreign = `/projects/${setup.bootstrap.groupId}/`;
    const first = ['/nowhere', ...routes.flatMap((route) => addressOf(route) ?? [])];
    const options = { first, mostAlike, check };
    const { visited } = await crawlConsole(page, (address) => !address.startsWith(foreign), options);
    for (const address of outerPages) {
      await page.goto(`${origin()}?outer#${address}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await check(address);
    }
    assert.ok(routes.length > 10 && outerPages.length > 0, 'the table of routes is in another file');
    const missed = routes.filter((route) => !visited.some((address) => patternOf(route).test(address)));
    assert.deepEqual(missed, [], `visited: ${visited.join(' ')}`);
    return visited;
  }

  let planted: Promise<string> | undefined;

  inBrowser('runs no planted text as a script', async ({ page, errors, open }) => {
    planted ??= hostileProject(setup);
    await planted;
    const found: string[] = [];
    page.on('dialog', async (dialog) => {
      found.push(`a script says ${dialog.message()}`);
      await dialog.dismiss();
    });
    await open('/', 'Overview');
    await rejectChanges(page);
    const visited = await openAll(page, MAX_ALIKE, async (place) => {
      for (const element of await unsafeElements(page)) found.push(`${place}: ${element}`);
    });
    const collection = encodeURIComponent(MARKUP);
    assert.ok(
      visited.some((address) => address.includes(collection)),
      visited.join(' '),
    );
    assert.deepEqual(found, []);
    // The browser reports each inline script that the content security policy has blocked.
    assert.deepEqual(
      errors.filter((text) => !/status of (400|409)/.test(text)),
      [],
    );
  });

  inBrowser('has no serious accessibility fault, on a desktop or a phone', async ({ page, open }) => {
    planted ??= hostileProject(setup);
    await planted;
    const found: string[] = [];
    await open('/', 'Overview');
    const onPhone = new Set<string>();
    const check = async (place: string, colorScheme: 'dark' | 'light', width: number) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height: 900 });
      for (const fault of await accessibilityFaults(page)) found.push(`${place}, ${colorScheme}: ${fault}`);
    };
    await openAll(page, 0, async (place) => {
      // Check each page with its first tab only in the dark scheme of a phone, since all tabs have the same colors and
      // widths.
      const route = routes.find((one) => patternOf(one).test(place)) ?? place;
      if (!onPhone.has(route)) await check(place, 'dark', 390);
      onPhone.add(route);
      await check(place, 'light', 1400);
    });
    assert.deepEqual(found, []);
  });
});
