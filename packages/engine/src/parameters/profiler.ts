import type { RawDocument } from '../bson/raw.ts';
import type { Filter } from '../language/filter/index.ts';

/** What of the operations on a database is kept in its `system.profile`. */
export interface ProfileLevel {
  /** 0: nothing; 1: what is slow, or matches the filter; 2: everything. */
  readonly level: number;
  readonly filter?: { readonly document: RawDocument; readonly compiled: Filter };
}

const off: ProfileLevel = { level: 0 };

/** Which operations are slow, and on which databases more than that is wanted. Forgotten when the cluster closes. */
export class Profiler {
  /** Milliseconds from which on an operation is slow. */
  slowms = 100;
  /** The part of slow operations that is kept, 0 to 1. */
  sampleRate = 1;
  readonly #levels = new Map<string, ProfileLevel>();

  of(database: string): ProfileLevel {
    return this.#levels.get(database) ?? off;
  }

  set(database: string, level: ProfileLevel): void {
    this.#levels.set(database, level);
  }

  /** Nothing but slow operations is of interest anywhere. */
  get quiet(): boolean {
    return this.#levels.size === 0;
  }
}
