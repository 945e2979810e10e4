/**
 * `npm run soak [-- --minutes 10] [--seed N] [part of a path…]` runs long random tests, one after another. Each
 * `NAME.soak.ts` is a program beside the source that it tests, or in `test/soak/`. It accepts both flags, stops in
 * time, and exits with an error code if it has found an error. The seed is printed, so that a failure can be repeated.
 * Flags that only some tests accept (`--requests`, `--faults`, `--database`) are passed on.
 */
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { filesBelow } from './check/tree.ts';
import { builtProgram, PROGRAM_SETTING } from './suite/program.ts';
import { readTexts } from './suite/texts.ts';

const root = dirname(import.meta.dirname);
const FOLDERS = ['packages', 'test'];

/** Like other tests, long tests start services from the build. */
process.env[PROGRAM_SETTING] ??= (await builtProgram(root, readTexts(root))).program;

function soakFiles(filters: readonly string[]): string[] {
  return FOLDERS.flatMap((folder) => filesBelow(root, folder))
    .filter((path) => path.endsWith('.soak.ts'))
    .filter((path) => filters.length === 0 || filters.some((filter) => path.includes(filter)));
}

/** Returns whether the file succeeded. */
function soak(file: string, flags: readonly string[]): boolean {
  console.log([file, ...flags].join(' '));
  const args = [...process.execArgv, join(root, file), ...flags];
  const { status, signal } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) console.log(`${file} failed with ${signal ?? `code ${status}`}; seed ${seed}`);
  return status === 0;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: String(randomInt(2 ** 32)) },
    minutes: { type: 'string', default: '10' },
    requests: { type: 'string' },
    faults: { type: 'string' },
    database: { type: 'string' },
  },
});
const { seed } = values;
const flags = Object.entries(values).flatMap(([name, value]) => [`--${name}`, value]);
const files = soakFiles(positionals);
if (files.length === 0) console.log(`no soak file in ${FOLDERS.join(' or ')}`);
const failed = files.filter((file) => !soak(file, flags));
if (files.length > 0)
  console.log(`${files.length - failed.length} passed, ${failed.length} failed; seed ${seed}`);
process.exitCode = failed.length === 0 ? 0 : 1;
