import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stagePackage } from '../scripts/build/stage.ts';

/** The folder is in the project's `node_modules`, so that Node.js finds the dependencies of the package. */
const staged = join(dirname(import.meta.dirname), 'node_modules', `.bench-${process.pid}`);

/** Runs `work` with a folder that contains the published package. Removes the folder afterwards. */
export async function withPackage<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = join(staged, 'portolan');
  stagePackage('portolan', folder);
  try {
    return await work(folder);
  } finally {
    rmSync(staged, { recursive: true, force: true });
  }
}
