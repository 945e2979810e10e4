import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** A file of lines that is bounded: when it is full it becomes `.1`, what was `.1` becomes `.2`, and the last goes. */
export class RotatingFile {
  readonly path: string;
  readonly #bytes: number;
  readonly #older: number;
  #size: number | undefined;

  constructor(path: string, bytes: number, older: number) {
    this.path = path;
    this.#bytes = bytes;
    this.#older = older;
  }

  /** A full disk, or a directory that is gone, loses the line: the databases matter more. */
  append(line: string): void {
    try {
      const size = this.#currentSize();
      if (size > 0 && size + line.length > this.#bytes) this.rotate();
      appendFileSync(this.path, line, { mode: 0o600 });
      this.#size = (this.#size ?? 0) + Buffer.byteLength(line);
    } catch {
      this.#size = undefined;
    }
  }

  rotate(): void {
    rmSync(this.#name(this.#older), { force: true });
    for (let age = this.#older; age > 0; age--) {
      if (exists(this.#name(age - 1))) renameSync(this.#name(age - 1), this.#name(age));
    }
    this.#size = 0;
  }

  /** Every line that is kept, the oldest first, without its line feed; one that was cut off by a crash is left out. */
  *lines(): Generator<string> {
    for (let age = this.#older; age >= 0; age--) {
      const text = read(this.#name(age));
      const lines = text.split('\n');
      lines.pop();
      yield* lines;
    }
  }

  #currentSize(): number {
    if (this.#size === undefined) {
      mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
      this.#size = statSync(this.path, { throwIfNoEntry: false })?.size ?? 0;
      // What comes after half a line is a line of its own.
      if (this.#size > 0 && !read(this.path).endsWith('\n')) appendFileSync(this.path, '\n');
    }
    return this.#size;
  }

  #name(age: number): string {
    return age === 0 ? this.path : `${this.path}.${age}`;
  }
}

/** Of a member's log, in the folder `log` of its cluster. */
export function logFileName(member: string, log: 'audit' | 'server'): string {
  return `${member}.${log}.log`;
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
