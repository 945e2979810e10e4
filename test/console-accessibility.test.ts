import assert from 'node:assert/strict';
import { accessibilityFaults } from './support/accessibility.ts';
import { browserTests } from './support/console.ts';
import { own } from './support/setups.ts';

own.onOneSetup('SQLite, one instance', 'accessibility of the console', (setup) => {
  const inBrowser = browserTests(setup);

  inBrowser(
    'no page has a serious accessibility fault, on a desktop or a phone',
    async ({ page, errors, open }) => {
      const project = `/projects/${setup.bootstrap.groupId}`;
      const organization = `/organizations/${setup.bootstrap.orgId}`;
      const pages: readonly (readonly [string, string])[] = [
        ['/', 'Overview'],
        [`${project}/clusters`, 'Clusters'],
        [`${project}/access`, 'Database access'],
        [`${project}/people`, 'People and keys'],
        [`${project}/alerts`, 'Alerts'],
        [`${project}/alerts/configurations`, 'Alerts'],
        [`${project}/alerts/configurations/new`, 'Alerts'],
        [`${organization}/access`, 'Access to First organization'],
        [`${organization}/access/accounts`, 'Access to First organization'],
        [`${project}/events`, 'Events'],
        ['/requests', 'Requests'],
        ['/tasks', 'Tasks'],
        ['/nowhere', 'There is no such page'],
      ];
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.setViewportSize(
          colorScheme === 'dark' ? { width: 390, height: 800 } : { width: 1400, height: 900 },
        );
        for (const [path, title] of pages) {
          await open(path, title);
          assert.deepEqual(await accessibilityFaults(page), [], `${title}, ${colorScheme}`);
        }
      }
      assert.deepEqual(errors, []);
    },
  );
});
