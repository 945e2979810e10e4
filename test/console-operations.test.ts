import assert from 'node:assert/strict';
import { after } from 'node:test';
import { accessibilityFaults } from './support/accessibility.ts';
import { browserTests, replaceText } from './support/console.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { linked, reportedProject, sourceCluster } from './support/migrations.ts';
import { scopeOf } from './support/service.ts';
import { own } from './support/setups.ts';
import { idle, moveClock, newCluster, newProject, twoRegions } from './support/stage.ts';

/** Two nodes in the east, where the primary is, and three in the west. */
const regions = twoRegions(2, 3);

own.onOneSetup('SQLite, one instance', 'operations and the laboratory in a browser', (setup) => {
  const inBrowser = browserTests(setup);

  inBrowser(
    'an outage starts with two clicks, and the other nodes take over',
    async ({ page, errors, ...console }) => {
      const project = await newProject(setup);
      const path = `/projects${project.slice('/groups'.length)}`;
      const cluster = await newCluster(setup, project, 'harbour', regions);
      const primary = page.getByRole('row').filter({ hasText: 'REPLICA_PRIMARY' });
      const tab = (name: string) => page.getByRole('tab', { name, exact: true }).click();
      const sound = async () => assert.deepEqual(await accessibilityFaults(page), []);
      const absent: string[] = [];
      page.on('response', (response) => response.status() === 404 && absent.push(response.url()));
      await console.open(`${path}/operations`, 'Operations');
      await primary.waitFor();
      const before = await primary.innerText();
      await page.getByText('2 of 5 electable nodes: drivers fail over').waitFor();
      await page.getByText('3 of 5 electable nodes: no primary remains').waitFor();
      await console.press('Simulate outage of US_EAST_1');
      await page.getByText('SIMULATING').waitFor();
      await until(
        'another primary',
        async () => ((await primary.count()) === 1 ? primary.innerText() : before),
        (text) => text !== before,
      );
      await sound();
      await console.press('End outage');
      await page.getByRole('button', { name: 'Simulate outage of US_WEST_2' }).waitFor();
      await idle(setup.owner, cluster);
      assert.deepEqual(absent, []);

      await console.press('Simulate outage of US_WEST_2');
      const reads = (name: RegExp) => page.getByRole('img', { name });
      await reads(/^Reads fail, so far for .+ No member is primary now\.$/).waitFor();
      await page.getByRole('status').getByText('Reads fail. No member is primary now.').waitFor();
      await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
      await page.setViewportSize({ width: 390, height: 800 });
      await sound();
      const animation = 'getComputedStyle(document.querySelector(".reads .failed")).animationName';
      assert.equal(await page.evaluate(animation), 'none');
      assert.equal(await page.evaluate('document.querySelector(".reads").clientWidth < 390'), true);
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: null });
      await page.setViewportSize({ width: 1400, height: 900 });
      await console.press('End outage');
      await reads(
        /^Reads failed for .+, and succeed again\..+ Primary since .+: .+; before: .+\.$/,
      ).waitFor();
      await page.getByRole('button', { name: 'Simulate outage of US_WEST_2' }).waitFor();
      await idle(setup.owner, cluster);
      const sent: string[] = [];
      page.on('request', (request) => sent.push(new URL(request.url()).pathname));
      await page.waitForRequest(/\/commands$/);

      await tab('Access history');
      sent.length = 0;
      await until(
        'two reloads of the projects',
        async () => sent.filter((path) => path.endsWith('/groups')).length,
        (count) => count >= 2,
      );
      assert.deepEqual(
        sent.filter((path) => path.endsWith('/commands')),
        [],
      );
      await page.getByText('Logins of drivers in the last seven days appear here.').waitFor();
      await sound();
      await tab('Auditing');
      await page.getByLabel('Audit the clusters of the project').check();
      await console.fill('Filter', '{"atype": "authenticate"}');
      await sound();
      await console.press('Save auditing');
      await page.getByText('Saved.').waitFor();
      await tab('Maintenance');
      await page.getByLabel('Day').selectOption('Tuesday');
      await console.fill('Hour (UTC)', '3');
      await console.press('Save window');
      await page.getByText('Tuesday, 3:00 UTC').waitFor();
      await sound();
      const confirm = (name: string) =>
        page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
      await console.press('Remove window');
      await confirm('Remove');
      await page.getByText('maintenance starts at any time').waitFor();
      await tab('Live migrations');
      await console.press('Create link token');
      const command = page.getByRole('textbox', { name: 'migration host command' });
      assert.match(await command.inputValue(), /^portolan link --token \S+ --ca-file ca\.pem --source '.+'$/);
      await page.getByText('Deployments appear when').waitFor();
      await page.getByText('Migrate one of the sources below').waitFor();
      await sound();
      const tokens = `/orgs/${setup.bootstrap.orgId}/liveMigrations/linkTokens`;
      await console.press('Delete link');
      await page.getByText('All live migrations into this organization end.').waitFor();
      await sound();
      await confirm('Delete');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expectFault(await setup.owner.delete(tokens), 404, 'UNEXPECTED_ERROR', null);
      await page.setViewportSize({ width: 390, height: 800 });
      await page.reload();
      await until(
        'the selected tab is visible on a phone',
        () => page.getByRole('tab', { name: 'Live migrations' }).boundingBox(),
        (box) => box !== null && box.x > 0 && box.x + box.width < 390,
      );
      assert.deepEqual(
        errors.filter((text) => !/status of (404|409)/.test(text)),
        [],
      );
    },
  );

  inBrowser('a migration is started into a cluster, and cancelled', async ({ page, errors, ...console }) => {
    const scope = scopeOf({ after });
    const { uri } = await sourceCluster(scope, setup, 'old');
    await linked(scope, setup, [uri]);
    await reportedProject(setup);
    const project = await newProject(setup);
    const address = `/projects${project.slice('/groups'.length)}/operations/migrations`;
    const dialog = page.getByRole('dialog');
    const confirm = (name: string) => dialog.getByRole('button', { name, exact: true }).click();
    const sound = async () => assert.deepEqual(await accessibilityFaults(page), []);
    await console.open(address, 'Operations');
    await console.press('Migrate…');
    await dialog.getByText('The project has no clusters.').waitFor();
    assert.equal(await dialog.getByRole('button', { name: 'Migrate', exact: true }).isEnabled(), false);
    await sound();
    await dialog.getByRole('link', { name: 'Create one' }).click();
    await page.getByRole('heading', { name: 'Clusters', level: 1 }).waitFor();
    await newCluster(setup, project, 'new');
    await console.open(address, 'Operations');
    await console.press('Migrate…');
    await dialog.getByLabel('Into cluster').selectOption('new');
    await sound();
    await confirm('Migrate');
    await page.getByRole('region', { name: 'Migration', exact: true }).waitFor();
    await console.press('Cancel migration');
    await dialog.getByText('The cluster keeps the data').waitFor();
    await confirm('Continue migration');
    await dialog.waitFor({ state: 'detached' });
    await console.press('Cancel migration');
    await confirm('Cancel');
    // An open dialog hides the buttons of the page.
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Cancel migration' }).waitFor({ state: 'detached' });
    const listed = await setup.owner.get(`${project}/liveMigrations`);
    const { results } = expectStatus<{ results: { status: string }[] }>(listed, 200);
    assert.deepEqual(
      results.map(({ status }) => status),
      ['FAILED'],
    );
    assert.deepEqual(errors, []);
  });

  inBrowser('alerts are configured, tested and acknowledged', async ({ page, errors, ...console }) => {
    const project = await newProject(setup, { withDefaultAlertsSettings: false });
    const address = `/projects${project.slice('/groups'.length)}/alerts`;
    const dialog = page.getByRole('dialog');
    const confirm = (name: string) => dialog.getByRole('button', { name, exact: true }).click();
    const tab = (name: string) => page.getByRole('tab', { name, exact: true }).click();
    const sound = async () => assert.deepEqual(await accessibilityFaults(page), []);
    await console.open(`${address}/integrations`, 'Alerts');
    await console.press('Add integration');
    await page.getByLabel('Service').selectOption('Slack');
    await console.fill('API token', 'xoxb-ab-harbour');
    await console.fill('Channel', '#harbour');
    await sound();
    await confirm('Add');
    await page.getByRole('cell', { name: 'Channel: #harbour' }).waitFor();

    await tab('Configurations');
    await page.getByText('Create a configuration to be notified').waitFor();
    await console.press('Create configuration');
    await page.getByLabel('Metric').selectOption('CONNECTIONS_PERCENT');
    await page.getByLabel('Threshold').fill('80');
    await console.press('Add matcher');
    await page.getByLabel('Value 1').selectOption('PRIMARY');
    await page.getByLabel('By mail of notification 1').uncheck();
    await sound();
    await console.press('Create');
    await page.getByText('requires emailEnabled or smsEnabled').waitFor();
    await page.getByLabel('Kind of notification 1').selectOption('Slack');
    await page.getByLabel('Use the integration of the project for notification 1').check();
    await console.fill('Channel of notification 1', '#harbour');
    await console.press('Create');
    await page.getByRole('button', { name: 'Save configuration' }).waitFor();
    await page.getByLabel('Event').selectOption('DAILY_BILL_OVER_THRESHOLD');
    await page.getByLabel('Threshold').fill('100');
    await page.getByLabel('Kind of notification 1').selectOption('Mail to an address');
    await console.fill('E-mail address of notification 1', 'purser@example.org');
    await console.press('Save configuration');
    await page.getByText('Saved.').waitFor();
    await page.getByRole('link', { name: 'All alert configurations' }).click();
    await page.getByRole('cell', { name: '> 100', exact: true }).waitFor();
    await console.press('Test DAILY_BILL_OVER_THRESHOLD');
    await page.getByText('Test notifications are being sent.').waitFor();
    await sound();

    const bill = `/operator/v1/orgs/${setup.bootstrap.orgId}/billing`;
    expectStatus(await setup.operator.put(bill, { dailyBill: 101 }), 200);
    await moveClock(setup, 1);
    await tab('Alerts');
    await console.press('Acknowledge DAILY_BILL_OVER_THRESHOLD');
    await console.fill('Comment', 'the crane is expensive');
    await sound();
    await confirm('Acknowledge');
    await page.getByRole('cell', { name: 'the crane is expensive' }).waitFor();
    await console.press('Withdraw DAILY_BILL_OVER_THRESHOLD');
    await confirm('Withdraw');
    await page.getByRole('button', { name: 'Acknowledge DAILY_BILL_OVER_THRESHOLD' }).waitFor();
    await tab('Configurations');
    await page.getByLabel('Enable DAILY_BILL_OVER_THRESHOLD').press('Space');
    await console.press('Delete DAILY_BILL_OVER_THRESHOLD');
    await confirm('Delete');
    await page.getByText('Create a configuration to be notified').waitFor();
    assert.deepEqual(
      errors.filter((text) => !text.includes('status of 400')),
      [],
    );
  });

  inBrowser('a search index is created and tried', async ({ page, errors, ...console }) => {
    const project = await newProject(setup);
    const cluster = await newCluster(setup, project, 'library');
    const documents = [{ text: 'the red ship' }, { text: 'a green boat' }];
    const command = { insert: 'books', documents };
    expectStatus(await setup.owner.post(`${cluster}/commands`, { database: 'shop', command }), 200);
    await console.open(`/projects${project.slice('/groups'.length)}/data/library/shop/books/search`, 'Data');
    await console.press('Create search index');
    await console.fill('Name', 'words');
    await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('row').getByText('READY').waitFor();
    const stage = page.getByRole('textbox', { name: 'Search stage' });
    await stage.getByText('"words"').waitFor();
    await stage.fill((await stage.innerText()).replace('a word', 'ship'));
    await console.press('Search');
    await page.getByText('"the red ship"').waitFor();
    await page.getByText('"score": ').waitFor();
    assert.equal(await page.getByText('"a green boat"').count(), 0);
    assert.deepEqual(await accessibilityFaults(page), []);
    assert.deepEqual(errors, []);
  });

  inBrowser(
    'the laboratory moves time, declares faults and restores states',
    async ({ page, errors, ...console }) => {
      const tab = (name: string) => page.getByRole('tab', { name, exact: true }).click();
      const dialog = page.getByRole('dialog');
      const confirm = (name: string) => dialog.getByRole('button', { name, exact: true }).click();
      const sound = async () => assert.deepEqual(await accessibilityFaults(page), []);
      await console.open('/laboratory', 'Laboratory');
      await console.press('Freeze');
      await page.getByText('frozen').waitFor();
      await sound();
      await tab('Faults');
      await console.press('Declare fault');
      await sound();
      await dialog
        .getByRole('textbox', { name: 'Rule' })
        .fill('{"times": 1, "request": {"operations": ["listAlerts"], "status": 503}}');
      await confirm('Declare');
      await page.getByText('"listAlerts"').waitFor();
      await console.press(/^Delete fault /);
      await sound();
      await confirm('Delete');
      await page.getByText('Declare a fault to see').waitFor();
      await tab('Saved states');
      await console.press('Save state');
      await console.fill('Name', 'before');
      await confirm('Save');
      if (setup.settings.database !== undefined) {
        await page.getByText('Saved states require a SQLite database').first().waitFor();
        return;
      }
      await page.getByRole('cell', { name: 'before', exact: true }).waitFor();
      const project = await newProject(setup, { name: 'made after the state' });
      await console.press('Compare');
      await page.getByRole('cell', { name: 'made after the state' }).waitFor();
      await sound();
      await console.press('Restore…');
      await confirm('Restore');
      await dialog.waitFor({ state: 'detached' });
      assert.equal((await setup.owner.get(project)).status, 404);
      await console.press('Delete before');
      await confirm('Cancel');
      await console.press('Delete before');
      await confirm('Delete');
      await page.getByText('Save the state of the service').waitFor();
      await tab('Clock');
      await console.press('Resume');
      await page.getByText('running').waitFor();
      await tab('Inbox');
      await page.getByRole('heading', { name: 'Notifications of alerts' }).waitFor();
      await sound();
      assert.deepEqual(errors, []);
    },
  );

  inBrowser(
    'the laboratory applies a seed, and shows what it created',
    async ({ page, errors, ...console }) => {
      const dialog = page.getByRole('dialog');
      const row = (place: string) =>
        page.getByRole('row').filter({ has: page.getByText(place, { exact: true }) });
      const cells = (place: string) => row(place).getByRole('cell').allInnerTexts();
      await console.open('/laboratory/seed', 'Laboratory');
      await page.getByText('The service has applied no seed since its start.').waitFor();
      const place = 'projects[0]';
      for (const counts of [
        ['1', '0'],
        ['0', '1'],
      ]) {
        await console.press('Apply seed…');
        await dialog
          .getByRole('textbox', { name: 'Seed document' })
          .fill('{"projects": [{"name": "seeded"}]}');
        assert.deepEqual(await accessibilityFaults(page), []);
        await dialog.getByRole('button', { name: 'Apply', exact: true }).click();
        await dialog.waitFor({ state: 'detached' });
        const shown = async () => (await row(place).count()) === 1 && (await cells(place)).slice(1);
        await until('the result', shown, (found) => JSON.stringify(found) === JSON.stringify(counts));
      }
      await page.getByText('APPLIED').waitFor();
      assert.deepEqual(await accessibilityFaults(page), []);
      await console.press('Apply seed…');
      await replaceText(dialog.getByRole('textbox', { name: 'Seed document' }), '{"harbours": []}');
      await dialog.getByRole('button', { name: 'Apply', exact: true }).click();
      await dialog.getByText('The seed is invalid', { exact: false }).waitFor();
      assert.deepEqual(
        errors.filter((error) => !error.includes('status of 400')),
        [],
      );
    },
  );
});
