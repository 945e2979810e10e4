import { lstat, mkdir, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { faultOfDatabase } from '../store/index.ts';
import { CLUSTERS, DATABASE, HOST_ID, stateFolder } from './layout.ts';
import { type Manifest, readManifest } from './manifest.ts';

/** As `readManifest`; throws a sentence where the state lacks a part, too, or holds what none has. */
export async function readWhole(dataDirectory: string, name: string): Promise<Manifest | undefined> {
  const manifest = await readManifest(dataDirectory, name);
  if (manifest !== undefined) await requireParts(stateFolder(dataDirectory, name), manifest);
  return manifest;
}

/** Without one of them that of the service would stay beside what is restored, or be made anew and empty. */
async function requireParts(folder: string, { clusters }: Manifest): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  // A link would lead to what is not the state's, and is not copied with it.
  const strange = entries.find((entry) => !entry.isFile() && !entry.isDirectory());
  if (strange !== undefined) {
    const path = relative(folder, join(strange.parentPath, strange.name));
    throw new Error(
      `${path} in it is ${strange.isSymbolicLink() ? 'a link' : 'neither a file nor a folder'}`,
    );
  }
  for (const file of [DATABASE, HOST_ID]) {
    if ((await found(folder, file))?.isFile() !== true) throw new Error(`it has no file ${file}`);
  }
  // Archives may leave empty folders out.
  if (clusters === 0) await mkdir(join(folder, CLUSTERS), { recursive: true, mode: 0o700 });
  if ((await found(folder, CLUSTERS))?.isDirectory() !== true)
    throw new Error(`it has no folder ${CLUSTERS}`);
  const fault = faultOfDatabase(join(folder, DATABASE));
  if (fault !== undefined) throw new Error(`its ${DATABASE} ${fault}`);
}

const found = (folder: string, part: string) => lstat(join(folder, part)).catch(() => undefined);
