import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startClouds } from './support/clouds.ts';
import { type CrashPlan, withCrashes } from './support/crashes.ts';
import { KilledBackups, type Work } from './support/killed-backups.ts';
import { own } from './support/setups.ts';

/**
 * The steps before which a process is killed. A restore has 27 to 35 steps. `npm run soak -- killed-backups` chooses
 * among all of them.
 */
const deaths: ReadonlyArray<readonly [Work, CrashPlan]> = [
  ['archive', { role: 'service', before: 'rename' }],
  ['pointInTime', { role: 'host', before: 'renameSync cluster.db' }],
  ['pointInTime', { role: 'service', at: 20 }],
  ['export', { role: 'service', before: 'database' }],
  ['policy', { role: 'service', at: 4 }],
];

const clouds = await startClouds();
const folder = mkdtempSync(join(tmpdir(), 'portolan-crashes-'));
after(async () => {
  await clouds.stop();
  rmSync(folder, { recursive: true, force: true });
});

// One setup is enough, since retrying this work does not depend on the service's database.
own.onSetup(
  'SQLite, one instance',
  'killed backups',
  (setup) => {
    test('complete or fail with a reason, leave the old or the new data, and leave no files behind', async (t) => {
      const backups = await KilledBackups.begin(setup, clouds.google, folder);
      t.after(() => backups.close());
      for (const [work, death] of deaths) {
        const { crashed: died, steps } = await backups.round(work, death);
        assert.equal(died, true, `${work}: ${steps}`);
      }
    });
  },
  { ...clouds.options, environment: { ...clouds.options.environment, ...withCrashes(folder) } },
);
