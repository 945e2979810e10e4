import { equal, ok } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { entryPoint } from './entry-point.ts';

const ENGINE = '/src/engine/embedded/';

/** Prints the URL of every module that an import of the first argument loads. */
const PRINTING = `
  import { registerHooks } from 'node:module';
  registerHooks({ load(url, context, next) { console.log(url); return next(url, context); } });
  await import(process.argv[1]);
`;

async function loadedBy(entry: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    '--input-type=module',
    '--eval',
    PRINTING,
    entry,
  ]);
  const loaded = stdout.trim().split('\n');
  ok(loaded.includes(entry));
  return loaded;
}

const entries = {
  /**
   * Command modules belong in the query threads. An import of one constant once loaded them into the host's main
   * thread, which took 20 MB and 180 ms at each start.
   */
  './host': ['bson', 'language', 'planner', 'wire'],
  /** The thread starts for each snapshot and each read of an oplog; a similar import once loaded 200 modules. */
  './backup-thread': ['language', 'planner', 'wire'],
};

for (const [name, rooms] of Object.entries(entries)) {
  test(`${name} loads no modules of commands`, async () => {
    const loaded = await loadedBy(pathToFileURL(entryPoint(import.meta.filename, name)).href);
    const folders = rooms.map((room) => `${ENGINE}${room}/`);
    equal(
      loaded.find((url) => folders.some((folder) => url.includes(folder))),
      undefined,
    );
  });
}
