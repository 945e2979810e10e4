import assert from 'node:assert/strict';
import { accessibilityFaults } from './support/accessibility.ts';
import { browserTests } from './support/console.ts';
import { expectStatus } from './support/expect.ts';
import { own } from './support/setups.ts';
import { idle, newCluster, newProject } from './support/stage.ts';

own.onOneSetup('SQLite, one instance', 'the backups of a cluster in a browser', (setup) => {
  const inBrowser = browserTests(setup);

  inBrowser(
    'are taken, restored into another cluster, downloaded, scheduled and deleted',
    async (console) => {
      const { page, errors, open, press, fill } = console;
      const project = await newProject(setup);
      const cluster = await newCluster(setup, project, 'harbour', { providerBackupEnabled: true });
      const other = await newCluster(setup, project, 'copy');
      const command = (path: string, body: object) =>
        setup.owner.post(`${path}/commands`, { database: 'shop', command: body });
      expectStatus(await command(cluster, { insert: 'ships', documents: [{ _id: 1 }] }), 200);
      const dialog = page.getByRole('dialog');
      const confirm = (name: string) => dialog.getByRole('button', { name, exact: true }).click();
      const tab = (name: string) => page.getByRole('tab', { name, exact: true }).click();
      const sound = async () => assert.deepEqual(await accessibilityFaults(page), []);

      await open(`/projects${project.slice('/groups'.length)}/backups/harbour`, 'Backups');
      await press('Take snapshot');
      await page.getByRole('row').getByText('completed').waitFor();
      await sound();
      await press('Restore…');
      await dialog.getByLabel('Into cluster').selectOption('copy');
      await sound();
      await confirm('Restore');
      // The list of restores opens by itself.
      await page.getByRole('columnheader', { name: 'Verification' }).waitFor();
      await tab('Snapshots');
      await press('Download…');
      await confirm('Prepare');
      // The number of documents varies, because the snapshot also contains documents of internal databases.
      await page
        .getByText(/identical, \d+ documents/)
        .first()
        .waitFor();
      await page.getByRole('link', { name: 'Download 1' }).waitFor();
      await sound();
      await idle(setup.owner, other);
      const counted = expectStatus<{ reply: { n: number } }>(await command(other, { count: 'ships' }), 200);
      assert.equal(counted.reply.n, 1);

      await tab('Schedule');
      await fill('Hour (UTC)', '7');
      await press('Add item');
      await press('Save schedule');
      await page.getByText('Saved.').waitFor();
      const schedule = await setup.owner.get(`${cluster}/backup/schedule`);
      assert.equal(expectStatus<{ referenceHourOfDay: number }>(schedule, 200).referenceHourOfDay, 7);
      await sound();
      await tab('Point in time');
      await press('Turn on continuous backup');
      const moment = page.getByLabel('Point in time, in your time zone');
      await moment.waitFor();
      const slider = page.getByRole('slider', { name: 'Point in time on the time line' });
      await slider.press('Home');
      const listed = await setup.owner.get(`${cluster}/backup/snapshots`);
      const { results } = expectStatus<{ results: { createdAt: string }[] }>(listed, 200);
      const oldest = Math.min(...results.map(({ createdAt }) => Date.parse(createdAt)));
      assert.equal(new Date(await moment.inputValue()).getTime(), oldest);
      await slider.press('End');
      assert.ok(new Date(await moment.inputValue()).getTime() > oldest);
      await sound();
      await tab('Exports');
      await page.getByText('Export a snapshot under Snapshots.').waitFor();
      await press('Add role');
      await confirm('Add');
      await press('Authorize…');
      await page.getByRole('textbox', { name: 'external id' }).waitFor();
      await fill('ARN of the role', 'not an arn of any role');
      await sound();
      await confirm('Authorize');
      await page.getByText('cannot be assumed').waitFor();
      const arn = 'arn:aws:iam::123456789012:role/exports';
      await fill('ARN of the role', arn);
      await confirm('Authorize');
      await page.getByRole('cell', { name: arn, exact: true }).waitFor();
      await press('Add bucket');
      await fill('Bucket', 'x');
      await dialog.getByText(arn).waitFor({ state: 'attached' });
      await sound();
      await confirm('Add');
      await dialog.getByText('not a valid bucket name').waitFor();
      await page.keyboard.press('Escape');
      await sound();
      await tab('Compliance policy');
      await page.getByText('The project has no compliance policy.').waitFor();
      await sound();
      await tab('Snapshots');
      await press('Delete…');
      await confirm('Delete');
      await page.getByText('No snapshots').waitFor();
      assert.deepEqual(
        errors.filter((text) => !text.includes('status of 400')),
        [],
      );
    },
  );
});
