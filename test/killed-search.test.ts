import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Thread, withCrashes } from './support/crashes.ts';
import { KilledSearch, type SearchWork } from './support/killed-search.ts';
import { own } from './support/setups.ts';

/** `npm run soak -- killed-search` kills the host at other steps. */
const ofHost: ReadonlyArray<readonly [SearchWork, number]> = [
  ['build', 3],
  ['update', 2],
  ['redefine', 5],
];
const ofThreads: ReadonlyArray<readonly [SearchWork, number, Thread]> = [
  ['build', 3, 'search-thread'],
  ['update', 2, 'search-thread'],
  ['redefine', 5, 'search-node-thread'],
];

const folder = mkdtempSync(join(tmpdir(), 'portolan-crashes-'));
after(() => rmSync(folder, { recursive: true, force: true }));

// One setup is enough, since the engine host does not depend on the service's database.
own.onSetup(
  'SQLite, one instance',
  'search indexes of killed hosts and threads',
  (setup) => {
    let search: KilledSearch;
    before(async () => {
      search = await KilledSearch.begin(setup, {
        folder,
        documents: 1_000,
        seed: 17,
        isCrashCertain: true,
      });
    });
    after(() => search.close());

    const dies = async (work: SearchWork, at: number, thread?: Thread) => {
      const { crashed: died, steps } = await search.round(work, { at, thread });
      assert.equal(died, true, `${work}: ${steps}`);
    };

    test('a killed engine host leaves indexes that become ready and equal a new build', async () => {
      for (const [work, at] of ofHost) await dies(work, at);
    });

    test('an ended thread of search nodes leaves indexes that become ready and equal a new build', async () => {
      await search.addNodes(2);
      for (const [work, at, thread] of ofThreads) await dies(work, at, thread);
    });
  },
  {
    environment: withCrashes(folder),
    expectedErrors:
      /the engine host cannot be reached or started|search node ended|search index thread ended/,
  },
);
