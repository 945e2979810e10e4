/**
 * `npm run build [-- FOLDER [FLAG…]]`: the source as JavaScript in `dist/`, or in another folder: `src/main.ts` becomes
 * `dist/main.js`, and whatever else the source reads is copied to where it would be. Flags go to the compiler; `--noCheck`
 * leaves out the check of types.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { bundle } from './build/bundle.ts';
import { binaryOf } from './check/commands.ts';
import { filesBelow } from './check/tree.ts';

const root = dirname(import.meta.dirname);
const usual = join(root, 'dist');
const [folder = usual, ...flags] = process.argv.slice(2);
const target = resolve(folder);

/** Answers the compiler's exit code. */
function compile(project: string, ...more: string[]): number | null {
  const args = ['-p', join(root, project), ...more, ...flags];
  return spawnSync(process.execPath, [binaryOf('@typescript/native', 'tsc'), ...args], { stdio: 'inherit' })
    .status;
}

/**
 * What other programs load is CommonJS, which `import` and `require` of every Node.js take; all the rest is modules.
 * Declarations name files as they are in the source.
 */
function finishLibrary(): void {
  const folder = join(target, 'library');
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
  for (const path of filesBelow(target, 'library').filter((path) => path.endsWith('.d.ts'))) {
    const file = join(target, path);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace(/(['"]\.{1,2}\/[^'"]+)\.ts(?=['"])/g, '$1.js'));
  }
}

if (target !== usual && existsSync(target)) throw new Error(`${target} exists; name a folder that does not`);
// What was built from files that are gone since must not stay.
rmSync(target, { recursive: true, force: true });
const isChecked = flags.includes('--noCheck') ? 0 : compile('tsconfig.json');
process.exitCode = (isChecked ?? 1) || (compile('tsconfig.library.json', '--outDir', target) ?? 1);
if (process.exitCode === 0) {
  await bundle(root, target);
  finishLibrary();
}
