import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { syncTree } from '@portolan/foundation/copy-tree';
import { systemRandom } from '@portolan/foundation/random';
import { packTar, unpackTar } from 'modern-tar/fs';
import { readCompleteState } from './complete-state.ts';
import { publishState } from './exchange.ts';
import { requireState, StateError } from './fork.ts';
import { stateFolder, statesIn } from './layout.ts';

/** Options of the compression of exported states, which are tar archives. The checksum detects damage. */
const packing = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };

/** Exports a state to a file, atomically. The file contains neither the secret key nor master keys. */
export async function exportState(dataDirectory: string, name: string, file: string): Promise<void> {
  await requireState(dataDirectory, name);
  // A unique name, so that concurrent exports to the same file do not disturb each other. The export that ends last
  // determines the file.
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
    // Ignore errors, so that the original error is reported.
    await rm(unfinished, { force: true }).catch(() => {});
  }
}

/** Imports a state from an exported file, under a name that must be unused. */
export async function importState(dataDirectory: string, file: string, name: string): Promise<void> {
  if (existsSync(stateFolder(dataDirectory, name)))
    throw new StateError(`There is already a state ${name}: delete it, or choose another name`);
  await mkdir(statesIn(dataDirectory), { recursive: true, mode: 0o700 });
  const made = `.importing-${systemRandom().uuid()}`;
  const folder = stateFolder(dataDirectory, made);
  try {
    await pipeline(createReadStream(file), createZstdDecompress(), unpackTar(folder, MODES)).catch(
      (error: Error) => {
        throw new StateError(`${file} cannot be read as a state: ${error.message}`);
      },
    );
    const manifest = await readCompleteState(dataDirectory, made).catch((error: Error) => {
      throw new StateError(`${file} contains an unusable state: ${error.message}`);
    });
    if (manifest === undefined) throw new StateError(`${file} contains no state`);
    await syncTree(folder);
    await publishState(dataDirectory, folder, name);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const MODES = { fmode: 0o600, dmode: 0o700 };
