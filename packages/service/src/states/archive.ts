import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { syncTree } from '@portolan/foundation/copy-tree';
import { systemRandom } from '@portolan/foundation/random';
import { packTar, unpackTar } from 'modern-tar/fs';
import { giveName } from './exchange.ts';
import { requireState, StateError } from './fork.ts';
import { stateFolder, statesIn } from './layout.ts';
import { readWhole } from './whole.ts';

/** A tar archive, packed with zstd; its checksum tells of damage. */
const packing = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };

/** Writes a state into one file, which is there whole or not at all. No secret key is in it, and no master key. */
export async function exportState(dataDirectory: string, name: string, file: string): Promise<void> {
  await requireState(dataDirectory, name);
  // A name that nobody else has: two may write the same file at once, and then one of them stays, whole.
  const unfinished = join(dirname(file), `.exporting-${systemRandom().uuid()}`);
  try {
    const written = createWriteStream(unfinished, { mode: 0o600, flags: 'wx' });
    await pipeline(packTar(stateFolder(dataDirectory, name)), createZstdCompress(packing), written);
    const opened = await open(unfinished, 'r');
    await opened.sync().finally(() => opened.close());
    await rename(unfinished, file);
  } catch (error) {
    throw new StateError(`${file} cannot be written: ${(error as Error).message}`);
  } finally {
    // The original error is reported.
    await rm(unfinished, { force: true }).catch(() => {});
  }
}

/** Takes a state out of such a file, under a name that no other one has. */
export async function importState(dataDirectory: string, file: string, name: string): Promise<void> {
  if (existsSync(stateFolder(dataDirectory, name)))
    throw new StateError(`There is a state ${name} already: delete it, or give another name`);
  await mkdir(statesIn(dataDirectory), { recursive: true, mode: 0o700 });
  const made = `.importing-${systemRandom().uuid()}`;
  const folder = stateFolder(dataDirectory, made);
  try {
    await pipeline(createReadStream(file), createZstdDecompress(), unpackTar(folder, MODES)).catch(
      (error: Error) => {
        throw new StateError(`${file} cannot be read as a state: ${error.message}`);
      },
    );
    const manifest = await readWhole(dataDirectory, made).catch((error: Error) => {
      throw new StateError(`${file} holds no state that can be used: ${error.message}`);
    });
    if (manifest === undefined) throw new StateError(`${file} holds no state`);
    await syncTree(folder);
    await giveName(dataDirectory, folder, name);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const MODES = { fmode: 0o600, dmode: 0o700 };
