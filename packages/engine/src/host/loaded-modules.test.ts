import { equal, ok } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { entryPoint } from './entry-point.ts';

const ENGINE = '/src/engine/embedded/';

/** Prints the address of every module that an import of the first argument loads. */
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
   * What runs commands is loaded in the threads that run them. Once it came into the host's own thread by one import of
   * a constant, which took 20 MB and 180 ms of each start.
   */
  './host': ['bson', 'language', 'planner', 'wire'],
  /** One is started for each snapshot and each look at an oplog; it came with 200 modules by such an import, too. */
  './backup-thread': ['language', 'planner', 'wire'],
};

for (const [name, rooms] of Object.entries(entries)) {
  test(`${name} itself loads nothing of what commands need`, async () => {
    const loaded = await loadedBy(pathToFileURL(entryPoint(import.meta.filename, name)).href);
    const folders = rooms.map((room) => `${ENGINE}${room}/`);
    equal(
      loaded.find((url) => folders.some((folder) => url.includes(folder))),
      undefined,
    );
  });
}
