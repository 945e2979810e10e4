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
      await page.keyboard.press('Escape');
      await page.getByLabel('Failed only').check();
      await page.goBack();
      await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
      await page.goForward();
      const copy = await page.context().newPage();
      await copy.goto(page.url());
      for (const view of [page, copy]) {
        await view
          .getByRole('button', { name: `POST /api/service/v2${project}/accessList` })
          .first()
          .waitFor();
        assert.equal(await view.getByRole('textbox', { name: 'Path contains' }).inputValue(), project);
        assert.equal(await view.getByLabel('Failed only').isChecked(), true);
      }
      assert.deepEqual(errors, []);
    },
  );

  inBrowser('a name that exists already is rejected at its field', async ({ page, errors, ...console }) => {
    const { owner, bootstrap } = setup;
    const name = uniqueName('taken');
    const project = await newProject(setup, { name });
    await newCluster(setup, project, 'taken');
    const password = 'a compass and a chart';
    const roles = [{ roleName: 'read', databaseName: 'shop' }];
    const user = { databaseName: 'admin', username: 'taken', password, roles };
    expectStatus(await owner.post(`${project}/databaseUsers`, user), 201);
    const role = { roleName: 'taken', actions: [], inheritedRoles: [{ role: 'read', db: 'shop' }] };
    expectStatus(await owner.post(`${project}/customDBRoles/roles`, role), 200);
    expectStatus(await owner.post(`/orgs/${bootstrap.orgId}/teams`, { name, usernames: [] }), 200);

    const dialog = page.getByRole('dialog');
    /** Sends the open form with a name that exists, and expects the error at the field of the name. */
    async function expectTaken(submit: string, label: string, text: string) {
      await console.fill(label, text);
      await dialog.getByRole('button', { name: submit, exact: true }).click();
      // The dialog shows the error above the form and at the field.
      await dialog.getByText('already exists').nth(1).waitFor();
      const field = dialog.getByRole('textbox', { name: label, exact: true });
      assert.equal(await field.getAttribute('aria-invalid'), 'true', label);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
    }

    await console.press('Create project');
    await expectTaken('Create', 'Name', name);
    const address = `/projects${project.slice('/groups'.length)}`;
    await console.open(`${address}/clusters`, 'Clusters');
    await console.press('Create cluster');
    await expectTaken('Create', 'Name', 'taken');
    await console.open(`${address}/access`, 'Database access');
    await console.press('Create role');
    await expectTaken('Create', 'Name', 'taken');
    await console.press('Add database user');
    await console.fill('Password', password);
    await expectTaken('Add', 'User name', 'taken');
    await page.goto(`${bootstrap.url}/console/#/organizations/${bootstrap.orgId}/access/teams`);
    await console.press('Create team');
    await expectTaken('Create', 'Name', name);
    assert.deepEqual(
      errors.filter((text) => !text.includes('status of 409')),
      [],
    );
  });
});
