import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Installs something into a folder that is kept between runs, unless it is already installed there. Processes that
 * install at the same time use separate folders, and the folder of the process that finishes first is kept. Returns the
 * reason if the installation fails, otherwise undefined.
 */
export async function keptInstall(
  folder: string,
  isThere: () => Promise<boolean>,
  install: (fresh: string) => Promise<string | undefined>,
): Promise<string | undefined> {
  if (await isThere()) return undefined;
  await mkdir(dirname(folder), { recursive: true });
  const fresh = await mkdtemp(`${folder}-`);
  try {
    const problem = await install(fresh);
    if (problem !== undefined) return problem;
    await rename(fresh, folder).catch(async () => {
      // The folder exists. Either another process has installed it first, or it contains an older version.
      if (await isThere()) return;
      await rm(folder, { recursive: true, force: true });
      await rename(fresh, folder).catch(async (error) => {
        // Another process has replaced the older version just now.
        if (!(await isThere())) throw error;
      });
    });
    return undefined;
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}
