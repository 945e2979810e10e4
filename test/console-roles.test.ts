import assert from 'node:assert/strict';
import { browserTests } from './support/console.ts';
import { crawlConsole } from './support/console-crawl.ts';
import { expectStatus, until } from './support/expect.ts';
import { own } from './support/setups.ts';
import { idIn, newCluster, newProject } from './support/stage.ts';
import { newPerson, people } from './support/users.ts';

own.onOneSetup('SQLite, one instance', 'the console for people with few roles', (setup) => {
  const inBrowser = browserTests(setup);

  /** Creates a project with something in every list. */
  async function fullProject(): Promise<string> {
    const { owner } = setup;
    const project = await newProject(setup);
    const cluster = await newCluster(setup, project, 'harbour', { providerBackupEnabled: true });
    const command = { insert: 'ships', documents: [{ name: 'Hanse' }] };
    expectStatus(await owner.post(`${cluster}/commands`, { database: 'shop', command }), 200);
    const taken = await owner.post(`${cluster}/backup/snapshots`, { retentionInDays: 3 });
    const { id } = expectStatus<{ id: string }>(taken, 200);
    await until(
      'a snapshot',
      () => owner.get(`${cluster}/backup/snapshots/${id}`),
      (reply) => reply.json().status === 'completed',
    );
    const users = {
      databaseName: 'admin',
      username: 'sailor',
      password: 'the password of a sailor',
      roles: [{ roleName: 'read', databaseName: 'shop' }],
    };
    setup.keepOutOfLogs(users.password);
    expectStatus(await owner.post(`${project}/databaseUsers`, users), 201);
    expectStatus(await owner.post(`${project}/accessList`, [{ ipAddress: '192.0.2.1' }]), 201);
    const roles = ['GROUP_READ_ONLY'];
    expectStatus(await owner.post(`${project}/apiKeys`, { desc: 'reads', roles }), 200);
    const account = { name: 'reads', description: 'reads', roles, secretExpiresAfterHours: 8 };
    expectStatus(await owner.post(`${project}/serviceAccounts`, account), 201);
    const slack = { type: 'SLACK', apiToken: 'xoxb-ab-harbour', channelName: 'harbour' };
    expectStatus(await owner.post(`${project}/integrations/SLACK`, slack), 200);
    await people(setup, project);
    return project;
  }

  let made: Promise<string> | undefined;
  const personas: readonly (readonly [string, (groupId: string) => readonly object[]])[] = [
    ['a reader of the organization', () => [{ orgId: setup.bootstrap.orgId, roleName: 'ORG_READ_ONLY' }]],
    [
      'a reader of the project and its data',
      (groupId) => [
        { groupId, roleName: 'GROUP_READ_ONLY' },
        { groupId, roleName: 'GROUP_DATA_ACCESS_READ_ONLY' },
      ],
    ],
  ];
  for (const [name, rolesIn] of personas)
    inBrowser(
      `${name} finds no button and no page that the service rejects`,
      async ({ page, errors, open, press }) => {
        made ??= fullProject();
        const project = await made;
        const { username, password } = await newPerson(setup, setup.owner, rolesIn(idIn(project)));
        await press('Log out');
        await page.getByLabel('User name').fill(username);
        await page.getByLabel('Password').fill(password);
        await press('Log in');
        await page.getByRole('navigation').getByRole('link', { name: 'Operations' }).first().waitFor();
        const foreign = `/projects/${setup.bootstrap.groupId}/`;
        const { visited, findings } = await crawlConsole(page, (address) => !address.startsWith(foreign));
        assert.deepEqual(findings, []);
        assert.ok(visited.length > 20, visited.join(' '));
        await open(`/projects/${idIn(project)}/clusters`, 'Clusters');
        await page.getByText('To create clusters, you need the role Project Owner.').waitFor();
        // The database server rejects commands on its internal databases.
        assert.deepEqual(
          errors.filter((text) => !text.includes('status of 400')),
          [],
        );
      },
    );
});
