import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = dirname(dirname(import.meta.dirname));

/**
 * Builds into a folder, beside a copy of what else the manifest lists: what is published, while the working tree stays as
 * it is. Types are not checked: `npm run check` has checked those of the same files, which takes four times as long.
 */
export function stagePackage(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const flags = ['--disable-warning=ExperimentalWarning', join(root, 'scripts/build.ts')];
  const args = [...flags, join(folder, 'dist'), '--noCheck'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the package could not be built:\n${stdout}\n${stderr}`);
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: string[] };
  for (const file of ['package.json', ...files]) {
    if (file !== 'dist') cpSync(join(root, file), join(folder, file), { recursive: true });
  }
}
