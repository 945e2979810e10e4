import { existsSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomically } from '@portolan/foundation/atomic-file';
import type { KeyFolder } from '@portolan/foundation/keys/key-folder';
import { unwrapKey, type WrappedKey, wrapKey } from '@portolan/foundation/keys/wrapped-key';
import type { Random } from '@portolan/foundation/random';
import type { DeploymentSpec } from '../interface/engine.ts';
import { FILE_NAME } from '../storage/file/format.ts';
import { kindOfFile } from '../storage/file/open-database.ts';
import { StorageError } from '../storage/file/storage-error.ts';
import type { Backups } from './backups.ts';

const KEY_BYTES = 32;

/** `cluster.key` beside the file of a cluster. */
type KeyRecord = WrappedKey & { readonly format: 1 };

interface Parts {
  readonly keys: KeyFolder;
  readonly random: Random;
  readonly backups: Pick<Backups, 'reseal'>;
}

/** The keys of clusters' files: beside each its own, wrapped with a master key that lies elsewhere. */
export class FileKeys {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Brings the file of a cluster that nobody has open to what is wanted, and answers its key. The key is written down
   * before anything is encrypted with it, and goes when nothing is any more: cut off anywhere, this is done again, and
   * the file can be read. Another master key wraps the same key anew, and leaves the file as it is.
   */
  async settle(directory: string, wanted: DeploymentSpec['encryption']): Promise<Uint8Array | undefined> {
    const file = join(directory, FILE_NAME);
    const sealed = kindOfFile(file) === 'sealed';
    const record = await readKey(directory);
    if (record === undefined && wanted === undefined) return undefined;
    if (record === undefined && sealed)
      throw new StorageError(
        file,
        'locked',
        'is encrypted, or damaged, and its key is missing: put cluster.key back',
      );
    const key = record === undefined ? this.#parts.random.bytes(KEY_BYTES) : await this.#unwrap(record);
    if (wanted !== undefined && record?.masterKey !== wanted.masterKey) {
      await writeKey(directory, await wrapKey(this.#parts.keys, key, wanted.masterKey));
    }
    if (wanted !== undefined && kindOfFile(file) === 'plain') {
      await this.#parts.backups.reseal(directory, { into: key });
    }
    if (wanted !== undefined) return key;
    if (sealed) await this.#parts.backups.reseal(directory, { from: key });
    await rm(keyFile(directory), { force: true });
    return undefined;
  }

  /** Throws where a file could not be encrypted, since the master key that is wanted is not to be had. */
  async check(wanted: DeploymentSpec['encryption']): Promise<void> {
    if (wanted !== undefined) await this.#parts.keys.box(wanted.masterKey);
  }

  /** The key of the file as it is now, with the form in which it may leave the host; nothing where it is in clear. */
  async of(directory: string): Promise<FileKey | undefined> {
    const wrapped = await readKey(directory);
    if (wrapped === undefined || kindOfFile(join(directory, FILE_NAME)) === 'plain') return undefined;
    return { key: await this.#unwrap(wrapped), wrapped };
  }

  /** Of a snapshot, which was taken of any cluster. */
  async open(wrapped: WrappedKey): Promise<FileKey> {
    return { key: await this.#unwrap(wrapped), wrapped };
  }

  #unwrap(wrapped: WrappedKey): Promise<Uint8Array> {
    return unwrapKey(this.#parts.keys, wrapped);
  }
}

export interface FileKey {
  readonly key: Uint8Array;
  readonly wrapped: WrappedKey;
}

const keyFile = (directory: string) => join(directory, 'cluster.key');

/** The wrapped key of a cluster's file; none where it is not encrypted. */
async function readKey(directory: string): Promise<WrappedKey | undefined> {
  const path = keyFile(directory);
  if (!existsSync(path)) return undefined;
  const text = await readFile(path, 'utf8');
  let record: Partial<KeyRecord> = {};
  try {
    record = Object(JSON.parse(text));
  } catch {
    // Told below.
  }
  const { format, masterKey, wrapped } = record;
  if (format === 1 && typeof masterKey === 'string' && typeof wrapped === 'string')
    return { masterKey, wrapped };
  throw new StorageError(path, 'locked', 'is damaged: the file beside it cannot be read without it');
}

async function writeKey(directory: string, key: WrappedKey): Promise<void> {
  const record: KeyRecord = { format: 1, ...key };
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await writeAtomically(keyFile(directory), `${JSON.stringify(record)}\n`);
}
