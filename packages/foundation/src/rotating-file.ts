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
  /** Of one file. */
  readonly bytes: number;
  /** Files that are kept beside the newest. */
  readonly older: number;
  /** Whether the folder is made where it is missing; where not, a folder that is gone stays gone. */
  readonly makeFolder: boolean;
}

/** A file of lines that is bounded: when it is full it becomes `.1`, what was `.1` becomes `.2`, and the last goes. */
export class RotatingFile {
  readonly path: string;
  readonly #options: RotatingFileOptions;
  #size: number | undefined;

  constructor(path: string, options: RotatingFileOptions) {
    this.path = path;
    this.#options = options;
  }

  /** A full disk, or a directory that is gone, loses the line: the databases matter more. */
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
   * Every line that is kept, the oldest first, without its line feed; one that was cut off by a crash is left out.
   * Another thread may append meanwhile: what it fills and renames then is neither left out nor read twice.
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

  /** The newest first, because a name passes on to the next older file; one that has both names is taken once. */
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
      // What comes after half a line is a line of its own.
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
