import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Installs something into a folder that is kept between runs, unless it is there. Several files of tests may want it at
 * once: each makes its own beside it, and the first one is kept. Answers why it cannot be had; nothing when it is there.
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
      // Another has been quicker, or what is there is of an older version.
      if (await isThere()) return;
      await rm(folder, { recursive: true, force: true });
      await rename(fresh, folder);
    });
    return undefined;
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}
