import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startClouds } from './support/clouds.ts';
import { type CrashPlan, withCrashes } from './support/crashes.ts';
import { KilledBackups, type Work } from './support/killed-backups.ts';
import { own } from './support/setups.ts';

/** The steps that differ most, among those that every run takes (a restore takes 27 to 35); `npm run soak -- killed-backups` draws out of all. */
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

// What is done again does not depend on the service's database.
own.onSetup(
  'SQLite, one instance',
  'killed backups',
  (setup) => {
    test('end well or say why, leave the old data or the new, and no files', async (t) => {
      const backups = await KilledBackups.begin(setup, clouds.google, folder);
      t.after(() => backups.close());
      for (const [work, death] of deaths) {
        const { died, steps } = await backups.round(work, death);
        assert.equal(died, true, `${work}: ${steps}`);
      }
    });
  },
  { ...clouds.options, environment: { ...clouds.options.environment, ...withCrashes(folder) } },
);
