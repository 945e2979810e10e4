import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PublishedName } from './bundle.ts';

const root = dirname(dirname(import.meta.dirname));

/**
 * Builds a package into a folder, and copies the other files that its manifest lists. Does not change the working tree.
 * Does not check types, which would take four times as long: `npm run check` checks the same files.
 */
export function stagePackage(name: PublishedName, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const flags = ['--disable-warning=ExperimentalWarning', join(root, 'scripts/build.ts')];
  const args = [...flags, name, join(folder, 'dist'), '--noCheck'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the package could not be built:\n${stdout}\n${stderr}`);
  const own = join(root, 'packages', name);
  const { files } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as { files: string[] };
  for (const file of ['package.json', ...files.filter((file) => file !== 'dist')]) {
    // Files that the package does not have itself, such as the licence, documents and examples, come from the project.
    const source = [own, root].map((from) => join(from, file)).find((path) => existsSync(path));
    if (source === undefined) throw new Error(`${name} lists ${file}, which does not exist`);
    cpSync(source, join(folder, file), { recursive: true });
  }
}
