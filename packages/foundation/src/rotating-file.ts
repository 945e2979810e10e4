import {
  appendFileSync,
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';

export interface RotatingFileOptions {
  /** Maximum size of one file, in bytes. */
  readonly bytes: number;
  /** Number of older files that are kept. */
  readonly older: number;
  /** True to create a missing folder. */
  readonly makeFolder: boolean;
}

/**
 * A file of lines with a limited size. A full file is renamed to `.1`, `.1` to `.2` and so on; the oldest is deleted.
 */
export class RotatingFile {
  readonly path: string;
  readonly #options: RotatingFileOptions;
  #size: number | undefined;

  constructor(path: string, options: RotatingFileOptions) {
    this.path = path;
    this.#options = options;
  }

  /**
   * Appends a line. If that fails, for example because the disk is full, drops the line: databases must continue to
   * work.
   */
  append(line: string): void {
    try {
      const added = Buffer.byteLength(line);
      const size = this.#currentSize();
      if (size > 0 && size + added > this.#options.bytes) this.rotate();
      appendFileSync(this.path, line, { mode: 0o600 });
      this.#size = (this.#size ?? 0) + added;
    } catch {
      this.#size = undefined;
    }
  }

  rotate(): void {
    const { older } = this.#options;
    rmSync(this.#name(older), { force: true });
    for (let age = older; age > 0; age--) {
      if (exists(this.#name(age - 1))) renameSync(this.#name(age - 1), this.#name(age));
    }
    this.#size = 0;
  }

  /**
   * Yields all lines without line feeds, the oldest first, except an incomplete last line. Files that another thread
   * rotates meanwhile are neither skipped nor read twice.
   */
  *lines(): Generator<string> {
    const files = this.#openAll();
    try {
      for (const file of files) {
        const lines = readFileSync(file, 'utf8').split('\n');
        lines.pop();
        yield* lines;
      }
    } finally {
      for (const file of files) closeSync(file);
    }
  }

  /**
   * Opens all files, the newest first, because rotation renames files to older names. A file that is found under two
   * names counts once.
   */
  #openAll(): number[] {
    const files = new Map<bigint, number>();
    for (let age = 0; age <= this.#options.older; age++) {
      const file = openIfThere(this.#name(age));
      if (file === undefined) continue;
      const { ino } = fstatSync(file, { bigint: true });
      if (files.has(ino)) closeSync(file);
      else files.set(ino, file);
    }
    return [...files.values()].reverse();
  }

  #currentSize(): number {
    if (this.#size === undefined) {
      if (this.#options.makeFolder) mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
      this.#size = statSync(this.path, { throwIfNoEntry: false })?.size ?? 0;
      // Ends an incomplete line, so that the next line starts a new one.
      if (this.#size > 0 && !endsWithLineFeed(this.path)) appendFileSync(this.path, '\n');
    }
    return this.#size;
  }

  #name(age: number): string {
    return age === 0 ? this.path : `${this.path}.${age}`;
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function endsWithLineFeed(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const last = Buffer.alloc(1);
    readSync(file, last, 0, 1, fstatSync(file).size - 1);
    return last.toString() === '\n';
  } finally {
    closeSync(file);
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch {
    return undefined;
  }
}
