import { createCipheriv } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { threadId } from 'node:worker_threads';
import type { SpillFile } from '../../language/workspace.ts';
import { StorageError } from './storage-error.ts';
import type { TemporarySpace } from './temporary-space.ts';

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
  readonly #held: Held;
  #open = true;

  /**
   * Creates the file in the folder for temporary files below `dir`. If `key` is given, the file is encrypted with it.
   * If `space` is given, the file grows only within it. Throws `StorageError`.
   */
  constructor(dir: string, key?: Uint8Array, space?: TemporarySpace) {
    this.#key = key;
    this.#path = temporaryName(dir);
    this.#file = this.#asStorage(() => {
      mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
      const file = openSync(this.#path, 'wx+', 0o600);
      removeQuietly(this.#path);
      return file;
    });
    this.#held = { file: this.#file, space, size: 0 };
    forgotten.register(this, this.#held, this);
  }

  append(clear: Uint8Array): number {
    const at = this.#held.size;
    if (this.#held.space?.take(clear.length) === false) throw this.#full();
    this.#held.size += clear.length;
    const bytes = this.#crypt(clear, at);
    this.#asStorage(() => {
      let done = 0;
      while (done < bytes.length) {
        done += writeSync(this.#file, bytes, done, bytes.length - done, at + done);
      }
    });
    return at;
  }

  read(offset: number, length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    let done = 0;
    while (done < length) {
      const count = this.#asStorage(() => readSync(this.#file, bytes, done, length - done, offset + done));
      if (count === 0) throw new StorageError(this.#path, 'unreadable', 'cannot be read: it ends too early');
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
      if (isFull) throw this.#full(error);
      throw new StorageError(this.#path, 'unreadable', 'cannot be written or read', error);
    }
  }

  #full(cause?: unknown): StorageError {
    return new StorageError(this.#path, 'full', 'cannot grow: the disk is full', cause);
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    forgotten.unregister(this);
    free(this.#held);
    removeQuietly(this.#path);
  }
}

/** Closes the files of abandoned results, such as those of a cursor that timed out. */
const forgotten = new FinalizationRegistry<Held>(free);

/** What an open file holds. */
interface Held {
  readonly file: number;
  readonly space: TemporarySpace | undefined;
  size: number;
}

function free({ file, space, size }: Held): void {
  closeSync(file);
  space?.release(size);
}

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
