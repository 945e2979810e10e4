import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { browserTests } from './support/console.ts';
import { expectStatus } from './support/expect.ts';
import { own } from './support/setups.ts';
import { moveClock, newProject } from './support/stage.ts';

/** More tabs than the six connections that Chromium opens to a host. */
const TABS = 8;
const MONTH_S = 30 * 24 * 3600;
/** How long a page waits before it opens a rejected event stream again. */
const RETRY_MS = 10_000;
const STREAM = /\/events\/stream$/;
const EVENT_LIST = /\/events\?/;

own.onOneSetup('SQLite, one instance', 'live updates in a browser', (setup) => {
  const inBrowser = browserTests(setup);

  inBrowser(
    'an alert appears on a page that was opened before time moved',
    async ({ page, errors, open }) => {
      const project = await newProject(setup, { withDefaultAlertsSettings: false });
      const configuration = {
        eventTypeName: 'DAILY_BILL_OVER_THRESHOLD',
        enabled: true,
        threshold: { operator: 'GREATER_THAN', threshold: 100, units: 'RAW' },
        notifications: [{ typeName: 'EMAIL', emailAddress: 'purser@example.org' }],
      };
      expectStatus(await setup.owner.post(`${project}/alertConfigs`, configuration), 201);
      await open(`/projects${project.slice('/groups'.length)}/alerts`, 'Alerts');
      await page.getByText('Alerts appear when').waitFor();
      const bill = `/operator/v1/orgs/${setup.bootstrap.orgId}/billing`;
      expectStatus(await setup.operator.put(bill, { dailyBill: 101 }), 200);
      await moveClock(setup, MONTH_S);
      await page.getByRole('button', { name: 'Acknowledge DAILY_BILL_OVER_THRESHOLD' }).waitFor();
      await page.getByRole('cell', { name: '101', exact: true }).waitFor();
      await open('/laboratory/mails', 'Laboratory');
      await page.getByText(/Value: 101\s+https/).waitFor();
      assert.deepEqual(errors, []);
    },
  );

  inBrowser('each of many tabs gets the events of one stream', async ({ page, errors }) => {
    const tabs: Page[] = [page];
    while (tabs.length < TABS) {
      const tab = await page.context().newPage();
      await tab.goto(page.url());
      await tab.getByText('Latest events').first().waitFor();
      // From now on, the tab can get events only from the stream.
      await tab.route(EVENT_LIST, (route) => route.abort());
      tabs.push(tab);
    }
    const streaming = page.context().waitForEvent('response', (response) => STREAM.test(response.url()));
    await tabs[0]?.close();
    // The next tab opens the stream.
    await streaming;
    const entry = [{ ipAddress: '192.0.2.1' }];
    expectStatus(await setup.owner.post(`/groups/${setup.bootstrap.groupId}/accessList`, entry), 201);
    for (const tab of tabs.slice(1)) await tab.getByText('NETWORK_PERMISSION_ENTRY_ADDED').first().waitFor();
    assert.deepEqual(errors, []);
  });

  inBrowser('a page opens its event stream again after it was rejected', async ({ page, open }) => {
    // The page that is open may have requested a stream without a response yet.
    await page.goto('about:blank');
    await page.clock.install();
    await page.route(STREAM, (route) => route.fulfill({ status: 503 }), { times: 1 });
    const rejected = page.waitForResponse(STREAM);
    await open('/', 'Overview');
    assert.equal((await rejected).status(), 503);
    const accepted = page.waitForResponse(STREAM);
    await page.clock.runFor(RETRY_MS);
    assert.equal((await accepted).status(), 200);
  });
});
