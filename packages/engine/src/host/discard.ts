import { rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isAbsent } from '@portolan/foundation/thrown';

export const DISCARDED = '.removed-';

/** Deletes a directory. Renames it first. If the removal is interrupted, the next start of the host completes it. */
export async function discard(directory: string): Promise<void> {
  const discarded = join(dirname(directory), DISCARDED + basename(directory));
  await rm(discarded, { recursive: true, force: true });
  try {
    await rename(directory, discarded);
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
  await rm(discarded, { recursive: true, force: true });
}
