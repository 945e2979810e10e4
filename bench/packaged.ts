import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stagePackage } from '../scripts/build/stage.ts';

/** Below the project's `node_modules`, where the dependencies of the package are resolved. */
const staged = join(dirname(import.meta.dirname), 'node_modules', `.bench-${process.pid}`);

/** Runs `work` with a folder that contains the published package, and removes it afterwards. */
export async function withPackage<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = join(staged, 'portolan');
  stagePackage('portolan', folder);
  try {
    return await work(folder);
  } finally {
    rmSync(staged, { recursive: true, force: true });
  }
}
