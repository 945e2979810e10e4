/**
 * `npm run build [-- PACKAGE [FOLDER [FLAG…]]]` builds a published package, `engine` or `portolan`, as JavaScript into
 * its `dist/` or into FOLDER. Without arguments, it builds both. FLAGs are passed to the compiler; `--noCheck` skips
 * the type check.
 */
import { existsSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { bundle, isPublished, type PublishedName } from './build/bundle.ts';
import { compile, compileLibrary } from './build/library.ts';

const root = dirname(import.meta.dirname);
const [name, folder, ...flags] = process.argv.slice(2);

async function build(published: PublishedName): Promise<number> {
  const usual = join(root, 'packages', published, 'dist');
  const target = resolve(folder ?? usual);
  if (target !== usual && existsSync(target))
    throw new Error(`${target} exists; name a folder that does not`);
  // Remove the output of files that no longer exist.
  rmSync(target, { recursive: true, force: true });
  const code = flags.includes('--noCheck') ? 0 : compile(root, ['-p', join(root, 'tsconfig.json'), ...flags]);
  if (code !== 0) return code;
  await bundle(root, published, target);
  return compileLibrary(root, published, target, flags);
}

if (name !== undefined && !isPublished(name)) throw new Error(`there is no package ${name} to build`);
for (const published of name === undefined ? (['engine', 'portolan'] as const) : [name])
  process.exitCode ||= await build(published);
