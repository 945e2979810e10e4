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

/** The content of the file `cluster.key` next to the data file of a cluster. */
type KeyRecord = WrappedKey & { readonly format: 1 };

interface Parts {
  readonly keys: KeyFolder;
  readonly random: Random;
  readonly backups: Pick<Backups, 'reseal'>;
}

/**
 * The keys of data files. Each key is wrapped with a master key and stored next to its file. The master keys are stored
 * elsewhere.
 */
export class FileKeys {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Encrypts, decrypts or rekeys the closed file of a cluster as configured, and returns its key. A key is written
   * before it encrypts anything, and removed after everything is decrypted. Therefore the file can be read after an
   * interruption at any time, and the call can be repeated. A change of the master key only wraps the existing key
   * again.
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

  /** Throws if the configured master key is not available. */
  async check(wanted: DeploymentSpec['encryption']): Promise<void> {
    if (wanted !== undefined) await this.#parts.keys.box(wanted.masterKey);
  }

  /**
   * Returns the current key of the file and its wrapped form. Only the wrapped form may leave the host. Returns
   * undefined if the file is not encrypted.
   */
  async of(directory: string): Promise<FileKey | undefined> {
    const wrapped = await readKey(directory);
    if (wrapped === undefined || kindOfFile(join(directory, FILE_NAME)) === 'plain') return undefined;
    return { key: await this.#unwrap(wrapped), wrapped };
  }

  /** Unwraps the key of a snapshot. The snapshot may belong to any cluster. */
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

/** Reads the wrapped key of a cluster's file. Returns undefined if the file is not encrypted. */
async function readKey(directory: string): Promise<WrappedKey | undefined> {
  const path = keyFile(directory);
  if (!existsSync(path)) return undefined;
  const text = await readFile(path, 'utf8');
  let record: Partial<KeyRecord> = {};
  try {
    record = Object(JSON.parse(text));
  } catch {
    // Continue with the empty record, for which the code below throws an error.
  }
  const { format, masterKey, wrapped } = record;
  if (format === 1 && typeof masterKey === 'string' && typeof wrapped === 'string')
    return { masterKey, wrapped };
  throw new StorageError(
    path,
    'locked',
    'is damaged: the database file next to it cannot be read without it',
  );
}

async function writeKey(directory: string, key: WrappedKey): Promise<void> {
  const record: KeyRecord = { format: 1, ...key };
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await writeAtomically(keyFile(directory), `${JSON.stringify(record)}\n`);
}
