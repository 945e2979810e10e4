import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page, Request } from 'playwright-core';
import { newPage, startBrowser } from './support/browser.ts';
import { expectStatus, until } from './support/expect.ts';
import { own } from './support/setups.ts';
import { newCluster } from './support/stage.ts';

const OPEN_PAGES = 5;
const MINUTE_MS = 60_000;
const STEP_MS = 3000;

/** A request to an operation that allows 100 requests per minute and project. */
const LIMITED = /\/events\?|\/measurements\?|\/dbAccessHistory\//;
const STREAM = /\/events\/stream$/;

own.onOneSetup('SQLite, one instance', 'requests of the console', (setup) => {
  let browser: Browser | undefined;
  before(async () => {
    browser = await startBrowser();
  });
  after(() => browser?.close());

  /** Opens the overview in a new browser context, whose clock the test controls. */
  async function openOverview(by: Browser) {
    const { page, errors } = await newPage(by);
    const requested: string[] = [];
    let waiting = 0;
    page.on('request', (request) => {
      if (STREAM.test(request.url())) return;
      requested.push(request.url());
      waiting++;
    });
    const ended = (request: Request) => {
      if (!STREAM.test(request.url())) waiting--;
    };
    page.on('requestfinished', ended).on('requestfailed', ended);
    await page.clock.install();
    const streaming = page.waitForResponse(STREAM);
    const link = await setup.operator.post('/operator/v1/console/links', undefined);
    await page.goto(expectStatus<{ url: string }>(link, 201).url);
    await page.getByText('Latest events').first().waitFor();
    await streaming;
    const settled = () =>
      until(
        'the end of the requests',
        async () => waiting,
        (count) => count === 0,
      );
    await settled();
    const pass = async (ms: number) => {
      for (let passed = 0; passed < ms; passed += STEP_MS) {
        await page.clock.runFor(STEP_MS);
        await settled();
      }
    };
    return { page, errors, requested, pass };
  }

  /** A page reads the events again when its stream opens. This can be after the response of the stream has begun. */
  const assertFew = (urls: readonly string[]) => {
    const limited = urls.filter((url) => LIMITED.test(url));
    assert.ok(limited.length <= 1, limited.join('\n'));
  };
  const shows = (page: Page, event: string) => page.getByText(event).first().waitFor();

  test('five open overviews do not poll operations that the service limits', async (t) => {
    if (browser === undefined) return t.diagnostic('Chromium is not installed: the console is not tested');
    const { groupId } = setup.bootstrap;
    const opened = [];
    for (let count = 0; count < OPEN_PAGES; count++) opened.push(await openOverview(browser));
    for (const { requested } of opened) requested.length = 0;
    for (const { pass } of opened) await pass(MINUTE_MS);
    const entries = [{ ipAddress: '192.0.2.77' }];
    expectStatus(await setup.owner.post(`/groups/${groupId}/accessList`, entries), 201);
    for (const { page, requested } of opened) {
      await shows(page, 'NETWORK_PERMISSION_ENTRY_ADDED');
      assertFew(requested);
      const ofProject = requested.filter((url) => url.includes(groupId));
      // The page may read each list of the project twice in a minute, and once more after the event.
      assert.ok(ofProject.length <= 12, ofProject.join('\n'));
    }
    await newCluster(setup, `/groups/${groupId}`, 'quay');
    for (const { page, errors, pass, requested } of opened) {
      const shown = async () => {
        await pass(STEP_MS);
        return page.getByRole('link', { name: 'quay' }).count();
      };
      await until('the new cluster', shown, (count) => count === 1);
      assertFew(requested);
      assert.deepEqual(errors, []);
    }
  });
});
