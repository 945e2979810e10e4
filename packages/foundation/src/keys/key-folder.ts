import { existsSync } from 'node:fs';
import { chmod, link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Random } from '../random.ts';
import { type SecretBox, secretBox } from '../secret-box.ts';

const KEY_BYTES = 32;

/** The error for a required master key that is missing. */
class MasterKeyMissing extends Error {
  override readonly name = 'MasterKeyMissing';
}

/**
 * The folder with the master keys of the local key providers. Each key has a file of its own, named by its id and
 * readable only by its owner, with 32 bytes as base64. Master keys wrap data keys and should be stored apart from the
 * data. Services and engine hosts that share clusters share this folder.
 */
export class KeyFolder {
  readonly #path: string;
  readonly #random: Random;

  constructor(path: string, random: Random) {
    this.#path = path;
    this.#random = random;
  }

  /** Creates a key unless it exists. Several processes may do this concurrently. */
  async make(id: string): Promise<void> {
    if (existsSync(this.#file(id))) return;
    await mkdir(this.#path, { recursive: true, mode: 0o700 });
    await chmod(this.#path, 0o700);
    const written = `${this.#file(id)}.${this.#random.bytes(8).toString('hex')}`;
    try {
      const file = await open(written, 'wx', 0o600);
      try {
        await file.writeFile(`${this.#random.bytes(KEY_BYTES).toString('base64')}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
      // Unlike a rename, a link does not replace an existing file.
      await link(written, this.#file(id)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      });
    } finally {
      await rm(written, { force: true });
    }
  }

  /** Returns a box that wraps and unwraps data keys. Throws `MasterKeyMissing`. */
  async box(id: string): Promise<SecretBox> {
    const text = await readFile(this.#file(id), 'utf8').catch((error: NodeJS.ErrnoException) => {
      throw new MasterKeyMissing(`the master key ${id} cannot be read from the key folder (${error.code})`);
    });
    const key = Buffer.from(text.trim(), 'base64');
    if (key.length !== KEY_BYTES)
      throw new MasterKeyMissing(`the master key ${id} does not contain 32 bytes as base64`);
    return secretBox(key, this.#random);
  }

  #file(id: string): string {
    return join(this.#path, `${id}.key`);
  }
}
