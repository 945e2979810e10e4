import assert from 'node:assert/strict';
import { accessibilityFaults } from './support/accessibility.ts';
import { browserTests } from './support/console.ts';
import { expectStatus, until } from './support/expect.ts';
import { own } from './support/setups.ts';
import { idle, newCluster, newProject } from './support/stage.ts';

own.onOneSetup('SQLite, one instance', 'a cluster in a browser', (setup) => {
  const inBrowser = browserTests(setup);

  inBrowser('is created by the rules, filled, failed over, enlarged and measured', async (console) => {
    const { page, errors, open, press, fill } = console;
    const project = await newProject(setup);
    const dialog = page.getByRole('dialog');
    const sound = async () => assert.deepEqual(await accessibilityFaults(page), []);
    const path = `/projects${project.slice('/groups'.length)}/clusters`;
    await open(path, 'Clusters');
    await press('Create cluster');
    await fill('Name', 'harbour');
    await dialog.getByLabel('Size').selectOption('M0');
    assert.equal(await dialog.getByLabel('Version').count(), 0);
    await dialog.getByLabel('Size').selectOption('M30');
    await dialog.getByLabel('Type').selectOption('SHARDED');
    await dialog.getByLabel('Shards').waitFor();
    await dialog.getByLabel('Type').selectOption('REPLICASET');
    await dialog.getByLabel('Size').selectOption('M10');
    await dialog.getByLabel('Version').selectOption('7.0');
    const create = dialog.getByRole('button', { name: 'Create', exact: true });
    assert.equal(await create.isEnabled(), true);
    await press('Add region');
    assert.equal(await create.isEnabled(), false, 'several regions require the size of the disk');
    await fill('Disk in GB', '20');
    assert.equal(await create.isEnabled(), true);
    await press('Remove region 2');
    await fill('Name', 'har bour');
    await sound();
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await dialog
      .getByText(/may contain letters, digits and hyphens/)
      .first()
      .waitFor();
    const name = dialog.getByRole('textbox', { name: 'Name', exact: true });
    assert.equal(await name.getAttribute('aria-invalid'), 'true');
    await fill('Name', 'harbour');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('row', { name: 'harbour' }).getByText('IDLE').waitFor();

    await open(`${path}/harbour`, 'harbour');
    const primary = page.getByRole('row').filter({ hasText: 'REPLICA_PRIMARY' });
    const before = await primary.innerText();
    await press('Load sample data');
    await press('Fail over');
    await until(
      'another primary',
      async () => ((await primary.count()) === 1 ? primary.innerText() : before),
      (text) => text !== before,
    );
    const reads = page.getByRole('region', { name: 'Reads during a failover' });
    await reads.getByRole('img', { name: /reads? .*failed.* Primary since .+: .+; before: .+\.$/ }).waitFor();
    await reads.getByText('Reads as a table').press('Enter');
    await reads.getByRole('cell', { name: 'success', exact: true }).first().waitFor();
    await sound();
    await reads.getByRole('button', { name: 'Stop reading' }).press('Enter');
    await reads.getByRole('button', { name: 'Read now' }).waitFor();
    await page.getByRole('cell', { name: 'US_EAST_1', exact: true }).waitFor();
    await page.getByRole('tab', { name: 'Logs', exact: true }).click();
    await fill('Only lines that contain', 'election');
    await page
      .getByRole('region', { name: 'Lines of the log' })
      .getByText(/election/i)
      .waitFor();
    await sound();
    const [saved] = await Promise.all([page.waitForEvent('download'), press('Download')]);
    assert.match(saved.suggestedFilename(), /-mongodb\.log\.gz$/);
    await page.getByRole('tab', { name: 'Overview', exact: true }).click();
    await sound();
    await page.getByText('IDLE').waitFor();
    await press('Change…');
    await dialog.getByLabel('Size').selectOption('M20');
    await dialog.getByLabel('Version').selectOption('8.0');
    await dialog.getByLabel('Electable nodes in region 1').fill('2');
    await press('Add region');
    await dialog.getByLabel('Region 2', { exact: true }).selectOption('EU_WEST_1');
    await sound();
    await dialog.getByRole('button', { name: 'Change', exact: true }).click();
    await page.getByRole('definition').filter({ hasText: /^M20$/ }).waitFor();

    await page.getByRole('cell', { name: 'EU_WEST_1', exact: true }).waitFor();

    await page.keyboard.press('Control+k');
    await page.getByLabel('Search by name').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('harb meas');
    await page.getByRole('list', { name: 'Results' }).getByText('harbour, measurements').waitFor();
    await sound();
    await page.keyboard.press('Enter');
    await page.getByRole('figure', { name: 'Operations' }).locator('canvas').waitFor();
    await page.getByLabel('Period').selectOption('Last day');
    await page.getByRole('figure', { name: 'Memory' }).locator('canvas').waitFor();
    await sound();
    const cluster = expectStatus<{ dbMajorVersion: string; diskSizeGB: number }>(
      await setup.owner.get(`${project}/clusters/harbour`),
      200,
    );
    assert.deepEqual([cluster.dbMajorVersion, cluster.diskSizeGB], ['8.0', 20]);
    // A read during the failover can be rejected.
    assert.deepEqual(
      errors.filter((text) => !/status of (400|409)/.test(text)),
      [],
    );
  });

  inBrowser('the search finds resources by name', async ({ page, errors, open }) => {
    const { owner, bootstrap } = setup;
    const project = await newProject(setup);
    const cluster = await newCluster(setup, project, 'quay', { providerBackupEnabled: true });
    const command = { insert: 'ships', documents: [{ name: 'Hanse' }] };
    expectStatus(await owner.post(`${cluster}/commands`, { database: 'shop', command }), 200);
    const index = {
      database: 'shop',
      collectionName: 'ships',
      name: 'brine words',
      type: 'search',
      definition: { mappings: { dynamic: true } },
    };
    expectStatus(await owner.post(`${cluster}/search/indexes`, index), 201);
    const snapshot = { description: 'brine before the storm', retentionInDays: 3 };
    expectStatus(await owner.post(`${cluster}/backup/snapshots`, snapshot), 200);
    const password = 'a brine and a compass';
    setup.keepOutOfLogs(password);
    const roles = [{ roleName: 'read', databaseName: 'shop' }];
    const user = { databaseName: 'admin', username: 'brine-sailor', password, roles };
    expectStatus(await owner.post(`${project}/databaseUsers`, user), 201);
    const role = { roleName: 'brineReader', actions: [], inheritedRoles: [{ role: 'read', db: 'shop' }] };
    expectStatus(await owner.post(`${project}/customDBRoles/roles`, role), 200);
    const org = `/orgs/${bootstrap.orgId}`;
    for (let number = 1; number <= 10; number++) {
      const key = { desc: `brine key ${number}`, roles: ['ORG_MEMBER'] };
      expectStatus(await owner.post(`${org}/apiKeys`, key), 200);
    }
    const account = { name: 'brine account', description: 'a pipeline', roles: ['ORG_MEMBER'] };
    expectStatus(await owner.post(`${org}/serviceAccounts`, { ...account, secretExpiresAfterHours: 8 }), 201);
    expectStatus(await owner.post(`${org}/teams`, { name: 'brine crew', usernames: [] }), 200);
    const invitation = { username: 'brine-guest@example.org', roles: ['ORG_MEMBER'] };
    expectStatus(await owner.post(`${org}/invites`, invitation), 200);
    const address = { ipAddress: '192.0.2.1', comment: 'the brine works' };
    expectStatus(await owner.post(`${project}/accessList`, [address]), 201);
    const hook = { type: 'WEBHOOK', webhookUrl: 'https://example.org/brine' };
    expectStatus(await owner.post(`${project}/integrations/WEBHOOK`, hook), 200);

    // Events reload the lists, so the test omits them to count the requests that typing causes.
    await page.route(/\/events\/stream$/, (route) =>
      route.fulfill({ contentType: 'text/event-stream', body: '' }),
    );
    await page.reload();
    await open(`/projects${project.slice('/groups'.length)}/events`, 'Events');
    const sent: string[] = [];
    page.on('request', (request) => sent.push(new URL(request.url()).pathname));
    await page.keyboard.press('Control+k');
    const field = page.getByLabel('Search by name');
    await field.and(page.locator(':focus')).waitFor();
    const results = page.getByRole('list', { name: 'Results' });
    const entry = (name: string) => results.getByRole('link', { name });
    await page.keyboard.type('b');
    await page.getByText('No page has this name').or(entry('Backups').first()).first().waitFor();
    assert.deepEqual(
      sent.filter((path) => path.endsWith('/databaseUsers')),
      [],
    );
    await page.keyboard.type('rine');
    for (const name of [
      'brine crew team',
      'brine account service account',
      'brine-guest@example.org invitation',
      '192.0.2.1 access list, the brine works',
      'brine-sailor database user of admin',
      'brineReader custom role',
      'brine before the storm snapshot of quay',
      'brine words search index of shop.ships, quay',
      '2 more in API keys',
    ])
      await entry(name).waitFor();
    assert.equal(await entry('API key').count(), 9);
    assert.deepEqual(await accessibilityFaults(page), []);
    await field.fill('webhook');
    await entry('Webhook integration').waitFor();
    await field.fill('shop');
    await entry('shop database, quay').waitFor();
    const collection = await entry('ships collection of shop, quay').getAttribute('href');
    assert.equal(collection, `#/projects${project.slice('/groups'.length)}/data/quay/shop/ships`);
    await field.fill('Console Owner person');
    await entry('Console Owner').first().waitFor();
    await field.fill('createApiKey operation');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor();
    assert.equal(await page.getByLabel('Operation', { exact: true }).inputValue(), 'createApiKey');
    await page.getByRole('cell', { name: 'createApiKey', exact: true }).first().waitFor();
    assert.equal(sent.filter((path) => path.endsWith('/databaseUsers')).length, 1);
    assert.deepEqual(errors, []);
  });

  inBrowser('of several zones is created, and a zone moves to another region', async (console) => {
    const { page, errors, open, press, fill } = console;
    const project = await newProject(setup);
    const dialog = page.getByRole('dialog');
    const path = `/projects${project.slice('/groups'.length)}/clusters`;
    await open(path, 'Clusters');
    await press('Create cluster');
    await fill('Name', 'world');
    await dialog.getByLabel('Size').selectOption('M30');
    await dialog.getByLabel('Type').selectOption('GEOSHARDED');
    await press('Add zone');
    await fill('Name of zone 1', 'West');
    await fill('Name of zone 2', 'East');
    await dialog.getByLabel('Region 1 of zone 1', { exact: true }).selectOption('US_EAST_1');
    await dialog.getByLabel('Region 1 of zone 2', { exact: true }).selectOption('EU_WEST_1');
    await press('Add zone');
    await press('Remove zone 3');
    await fill('Disk in GB', '40');
    assert.deepEqual(await accessibilityFaults(page), []);
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('row', { name: 'world' }).waitFor();
    const cluster = `${project}/clusters/world`;
    const zones = async () => {
      const reply = await setup.owner.get(cluster);
      const { clusterType, replicationSpecs } = expectStatus<GlobalDocument>(reply, 200);
      return [clusterType, ...replicationSpecs.map((one) => [one.zoneName, Object.keys(one.regionsConfig)])];
    };
    assert.deepEqual(await zones(), ['GEOSHARDED', ['West', ['US_EAST_1']], ['East', ['EU_WEST_1']]]);
    await idle(setup.owner, cluster);
    await open(`${path}/world`, 'world');
    await press('Change…');
    await dialog.getByLabel('Region 1 of East', { exact: true }).selectOption('EU_CENTRAL_1');
    await dialog.getByRole('button', { name: 'Change', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.deepEqual(await zones(), ['GEOSHARDED', ['West', ['US_EAST_1']], ['East', ['EU_CENTRAL_1']]]);
    assert.deepEqual(errors, []);
  });
});

interface GlobalDocument {
  readonly clusterType: string;
  readonly replicationSpecs: readonly { readonly zoneName: string; readonly regionsConfig: object }[];
}
