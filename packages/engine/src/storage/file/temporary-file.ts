import { createCipheriv } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { threadId } from 'node:worker_threads';
import type { SpillFile } from '../../language/workspace.ts';
import { StorageError } from './storage-error.ts';

const FOLDER = 'temporary';
const BLOCK_BYTES = 16;
let last = 0;

/**
 * A temporary file that is unlinked while it is open. Its contents disappear when it is closed or when the process
 * ends, even by a crash. On systems that cannot unlink an open file, the file is removed when it is closed, or when the
 * cluster is next opened.
 */
export class TemporaryFile implements SpillFile {
  readonly #path: string;
  readonly #file: number;
  readonly #key: Uint8Array | undefined;
  #size = 0;
  #open = true;

  /**
   * Creates the file in the folder for temporary files below `dir`. If `key` is given, the file is encrypted with it.
   * Throws `StorageError`.
   */
  constructor(dir: string, key?: Uint8Array) {
    this.#key = key;
    this.#path = temporaryName(dir);
    this.#file = this.#asStorage(() => {
      mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
      const file = openSync(this.#path, 'wx+', 0o600);
      removeQuietly(this.#path);
      return file;
    });
    forgotten.register(this, this.#file, this);
  }

  append(clear: Uint8Array): number {
    const at = this.#size;
    const bytes = this.#crypt(clear, at);
    this.#asStorage(() => {
      let done = 0;
      while (done < bytes.length) {
        done += writeSync(this.#file, bytes, done, bytes.length - done, at + done);
      }
    });
    this.#size += bytes.length;
    return at;
  }

  read(offset: number, length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    let done = 0;
    while (done < length) {
      const count = this.#asStorage(() => readSync(this.#file, bytes, done, length - done, offset + done));
      if (count === 0) break;
      done += count;
    }
    return this.#crypt(bytes, offset);
  }

  /** Encrypts or decrypts with a key stream that depends on the offset. Each offset is written only once. */
  #crypt(bytes: Uint8Array, at: number): Uint8Array {
    if (this.#key === undefined) return bytes;
    const counter = Buffer.alloc(BLOCK_BYTES);
    counter.writeBigUInt64BE(BigInt(Math.floor(at / BLOCK_BYTES)), BLOCK_BYTES - 8);
    const cipher = createCipheriv('aes-256-ctr', this.#key, counter);
    cipher.update(Buffer.alloc(at % BLOCK_BYTES));
    return new Uint8Array(cipher.update(bytes));
  }

  #asStorage<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC';
      const [reason, detail] = isFull
        ? (['full', 'cannot grow: the disk is full'] as const)
        : (['unreadable', 'cannot be written or read'] as const);
      throw new StorageError(this.#path, reason, detail, error);
    }
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    forgotten.unregister(this);
    closeSync(this.#file);
    removeQuietly(this.#path);
  }
}

/** Closes the files of abandoned results, such as those of a cursor that timed out. */
const forgotten = new FinalizationRegistry<number>((file) => closeSync(file));

/** Returns a new path in the folder for temporary files below `dir`. The caller removes the file. */
export function temporaryName(dir: string): string {
  return join(dir, FOLDER, `${process.pid}-${threadId}-${last++}`);
}

/** Removes temporary files that earlier processes left. */
export function emptyTemporary(dir: string): void {
  rmSync(join(dir, FOLDER), { recursive: true, force: true });
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The system does not allow an open file to be unlinked.
  }
}
