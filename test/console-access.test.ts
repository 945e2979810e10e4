import assert from 'node:assert/strict';
import { accessibilityFaults } from './support/accessibility.ts';
import { browserTests } from './support/console.ts';
import { expectFault, expectStatus } from './support/expect.ts';
import { own } from './support/setups.ts';
import { newCluster, newProject, uniqueName } from './support/stage.ts';

own.onOneSetup('SQLite, one instance', 'access to a project in a browser', (setup) => {
  const inBrowser = browserTests(setup);

  inBrowser(
    'a database user gets another password and fewer rights',
    async ({ page, errors, ...console }) => {
      const project = await newProject(setup);
      await newCluster(setup, project, 'harbour');
      const dialog = page.getByRole('dialog');
      const save = (name: string) => dialog.getByRole('button', { name, exact: true });
      await console.open(`/projects${project.slice('/groups'.length)}/access`, 'Database access');
      await console.press('Add database user');
      await console.fill('User name', 'sailor');
      await console.fill('Password', 'a compass and a chart');
      await save('Add').click();
      await page.getByRole('cell', { name: 'readWriteAnyDatabase@admin', exact: true }).waitFor();

      await console.press('Edit sailor');
      await dialog.getByLabel('Role 1', { exact: true }).selectOption('read');
      assert.equal(await save('Save').isEnabled(), false, 'a role on a database needs its name');
      await console.fill('Database of role 1', 'shop');
      await console.fill('Collection of role 1', 'ships');
      await console.press('Add role');
      await dialog.getByLabel('Role 2', { exact: true }).selectOption('dbAdmin');
      await console.fill('Database of role 2', 'shop');
      await console.press('Add role');
      await console.press('Remove role 3');
      await dialog.getByLabel('Add cluster').selectOption('harbour');
      await dialog.getByText('The user may log in only to these clusters').waitFor();
      await console.fill('New password', 'short');
      assert.deepEqual(await accessibilityFaults(page), []);
      await save('Save').click();
      await dialog.getByText('fewer than 8 characters').first().waitFor();
      await console.fill('New password', 'a sextant and a clock');
      await save('Save').click();
      await page.getByRole('cell', { name: 'read@shop.ships, dbAdmin@shop', exact: true }).waitFor();
      await page.getByRole('cell', { name: 'harbour', exact: true }).waitFor();
      const user = await setup.owner.get(`${project}/databaseUsers/admin/sailor`);
      assert.deepEqual(expectStatus<{ scopes: unknown }>(user, 200).scopes, [
        { name: 'harbour', type: 'CLUSTER' },
      ]);
      assert.deepEqual(expectStatus<{ roles: unknown }>(user, 200).roles, [
        { collectionName: 'ships', databaseName: 'shop', roleName: 'read' },
        { databaseName: 'shop', roleName: 'dbAdmin' },
      ]);
      assert.deepEqual(
        errors.filter((text) => !text.includes('status of 400')),
        [],
      );
    },
  );

  inBrowser(
    'an invitation is confirmed, and its link is in the inbox',
    async ({ page, errors, ...console }) => {
      const project = await newProject(setup);
      const username = `${uniqueName('invited')}@example.org`;
      await console.open(`/projects${project.slice('/groups'.length)}/people`, 'People and keys');
      await console.press('Add person');
      await console.fill('E-mail address', username);
      await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByText(`${username} gets a mail with a link.`).waitFor();
      assert.deepEqual(await accessibilityFaults(page), []);
      await console.open('/laboratory/nowhere', 'Laboratory');
      await page.getByText('Service time', { exact: true }).waitFor();
      await console.open('/laboratory/mails', 'Laboratory');
      const link = page
        .getByRole('row', { name: username })
        .getByRole('textbox', { name: 'link in the mail' });
      await link.waitFor();
      assert.match(await link.inputValue(), /\/console\/#\/invitation\?token=\w+/);
      assert.deepEqual(await accessibilityFaults(page), []);
      assert.deepEqual(errors, []);
    },
  );

  inBrowser(
    'a failed request says why, and shows its body if bodies are recorded',
    async ({ page, errors, ...console }) => {
      const project = await newProject(setup);
      // Each instance keeps its own requests. This instance serves the page.
      const account = setup.accountAt(0);
      const fail = async () => {
        const reply = await account.post(`${project}/accessList`, [{ ipAddress: 'the moon' }]);
        expectFault(reply, 400, 'INVALID_IP_ADDRESS_OR_CIDR_NOTATION', ['the moon']);
      };
      await fail();
      await console.open('/requests', 'Requests');
      await console.fill('Path contains', project);
      const request = page.getByRole('button', { name: `POST /api/service/v2${project}/accessList` }).first();
      await request.click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('the moon is neither an IP address nor a CIDR block').waitFor();
      await dialog.getByText('not recorded', { exact: true }).first().waitFor();
      await page.keyboard.press('Escape');
      await page.getByLabel('Record bodies').click();
      await page.getByLabel('Record bodies').and(page.locator(':checked')).waitFor();
      await fail();
      await page.getByRole('row').nth(2).waitFor();
      await request.click();
      await dialog.getByText('"ipAddress"').first().waitFor();
      assert.deepEqual(await accessibilityFaults(page), []);
      assert.deepEqual(errors, []);
    },
  );
});
