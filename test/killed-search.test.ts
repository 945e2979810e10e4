import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { withDeaths } from './support/deaths.ts';
import { KilledSearch, type SearchWork } from './support/killed-search.ts';
import { own } from './support/setups.ts';

/** `npm run soak -- killed-search` draws others. */
const deaths: ReadonlyArray<readonly [SearchWork, number]> = [
  ['build', 3],
  ['build', 8],
  ['update', 2],
  ['redefine', 5],
];

const folder = mkdtempSync(join(tmpdir(), 'portolan-deaths-'));
after(() => rmSync(folder, { recursive: true, force: true }));

// The engine host is the same whatever the service's database.
own.onSetup(
  'SQLite, one instance',
  'search indexes of killed engine hosts',
  (setup) => {
    test('end ready, with what a fresh build has', async (t) => {
      const search = await KilledSearch.begin(setup, { folder, documents: 6_000, seed: 17 });
      t.after(() => search.close());
      for (const [work, at] of deaths) {
        const { died, steps } = await search.round(work, at);
        assert.equal(died, true, `${work}: ${steps}`);
      }
    });
  },
  { environment: withDeaths(folder), expectedErrors: /no engine host/ },
);
