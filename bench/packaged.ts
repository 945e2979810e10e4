import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stagePackage } from '../scripts/build/stage.ts';

/** Below the modules of the project, where the package finds what it depends on. */
const staged = join(dirname(import.meta.dirname), 'node_modules', `.bench-${process.pid}`);

/** Runs `work` with the folder of the package as it is published, which goes afterwards. */
export async function withPackage<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = join(staged, 'portolan');
  stagePackage('portolan', folder);
  try {
    return await work(folder);
  } finally {
    rmSync(staged, { recursive: true, force: true });
  }
}
