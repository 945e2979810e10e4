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

/**
 * What runs commands is loaded in the threads that run them. Once it came into the host's own thread by one import of a
 * constant, which took 20 MB and 180 ms of each start.
 */
test('the host itself loads nothing of what commands need', async () => {
  const entry = pathToFileURL(entryPoint(import.meta.filename, './host')).href;
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    '--input-type=module',
    '--eval',
    PRINTING,
    entry,
  ]);
  const loaded = stdout.trim().split('\n');
  ok(loaded.includes(entry));
  const rooms = ['bson', 'language', 'planner', 'wire'].map((room) => `${ENGINE}${room}/`);
  equal(
    loaded.find((url) => rooms.some((room) => url.includes(room))),
    undefined,
  );
});
