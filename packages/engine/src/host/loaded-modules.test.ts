import { equal, ok } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { entryPoint } from '@portolan/foundation/entry-point';

const ENGINE = '/packages/engine/src/';

/** A program that imports its first argument and prints the URL of every module that is loaded. */
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
   * The main thread of the host must not load modules of commands. The import of a single constant can load them, which
   * takes 20 MB and 180 ms per start.
   */
  './host': ['commands/aggregation', 'commands/crud', 'language', 'planner'],
  /**
   * The backup thread starts for each snapshot and each read of an oplog. A single import can load 200 modules into it.
   */
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
