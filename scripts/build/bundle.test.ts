import { deepEqual, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { filesBelow } from '../check/tree.ts';
import { PROGRAM_SETTING } from '../suite/program.ts';

/** The folder of the build that the tests of whole services start. */
const built = dirname(process.env[PROGRAM_SETTING] ?? '');
const files = filesBelow(built, '.').filter((path) => path.endsWith('.js') && !path.startsWith('console/'));

const STATIC = /^(?:import|\} from|export \* from)[^;'"]*["'](\.[^"']+)["'];$/gm;
const DYNAMIC = /\bimport\(["'](\.[^"']*open-parts[^"']*)["']\)/g;

/** Returns the file and all files that Node.js loads before it runs the file. */
function loadedWith(file: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(file)) return found;
  found.add(file);
  const text = readFileSync(join(built, file), 'utf8');
  for (const pattern of [STATIC, DYNAMIC])
    for (const [, path = ''] of text.matchAll(pattern)) loadedWith(join(dirname(file), path), found);
  return found;
}

test('a start of the service loads few files', () => {
  const loaded = loadedWith('commands/start.js');
  ok(
    [...loaded].some((file) => file.includes('open-parts')),
    'the steps of the start are among them',
  );
  // A start loaded 48 files when this limit was set. Without bundles of packages, it would load hundreds.
  ok(loaded.size <= 55, `${loaded.size} files`);
});

test('a process or thread of the engine loads one file of its own', () => {
  for (const entry of ['engine/host/main.js', 'engine/worker/thread.js', 'engine/wire/thread.js'])
    ok(loadedWith(entry).size <= 3, `${entry} loads ${loadedWith(entry).size} files`);
});

test('no built file imports a module of Node.js with an import statement', () => {
  const importing = files.filter((file) =>
    /^(?:import|\} from)[^;'"]*["']node:/m.test(readFileSync(join(built, file), 'utf8')),
  );
  deepEqual(importing, []);
});
