import { lstat, mkdir, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { faultOfDatabase } from '../store/index.ts';
import { CLUSTERS, DATABASE, HOST_ID, stateFolder } from './layout.ts';
import { type Manifest, readManifest } from './manifest.ts';

/**
 * Like `readManifest`, but also checks the content. Throws an error with a message for the user if a part of the state
 * is missing, or if the state contains anything except files and folders.
 */
export async function readCompleteState(dataDirectory: string, name: string): Promise<Manifest | undefined> {
  const manifest = await readManifest(dataDirectory, name);
  if (manifest !== undefined) await requireParts(stateFolder(dataDirectory, name), manifest);
  return manifest;
}

/**
 * Throws if a part is missing. A restore of such a state would keep the present part of the service, or start the
 * service with an empty part.
 */
async function requireParts(folder: string, { clusters }: Manifest): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  // Reject links, because they can point outside of the state, and because a restore does not copy them.
  const irregular = entries.find((entry) => !entry.isFile() && !entry.isDirectory());
  if (irregular !== undefined) {
    const path = relative(folder, join(irregular.parentPath, irregular.name));
    throw new Error(
      `${path} in it is ${irregular.isSymbolicLink() ? 'a link' : 'neither a file nor a folder'}`,
    );
  }
  for (const file of [DATABASE, HOST_ID]) {
    if ((await found(folder, file))?.isFile() !== true) throw new Error(`it has no file ${file}`);
  }
  // Create the folder, since some archive programs omit empty folders.
  if (clusters === 0) await mkdir(join(folder, CLUSTERS), { recursive: true, mode: 0o700 });
  if ((await found(folder, CLUSTERS))?.isDirectory() !== true)
    throw new Error(`it has no folder ${CLUSTERS}`);
  const fault = faultOfDatabase(join(folder, DATABASE));
  if (fault !== undefined) throw new Error(`its ${DATABASE} ${fault}`);
}

const found = (folder: string, part: string) => lstat(join(folder, part)).catch(() => undefined);
