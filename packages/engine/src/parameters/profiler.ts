import type { RawDocument } from '../bson/raw.ts';
import type { Filter } from '../language/filter/index.ts';

/** Which operations on a database are recorded in its `system.profile`. */
export interface ProfileLevel {
  /** 0: none; 1: slow operations, or those that match the filter; 2: all. */
  readonly level: number;
  readonly filter?: { readonly document: RawDocument; readonly compiled: Filter };
}

const off: ProfileLevel = { level: 0 };

/** The threshold of slow operations and the profiling levels of databases. In memory until the cluster closes. */
export class Profiler {
  /** Milliseconds from which an operation is slow. */
  slowms = 100;
  /** The fraction of slow operations that is recorded, 0 to 1. */
  sampleRate = 1;
  readonly #levels = new Map<string, ProfileLevel>();

  of(database: string): ProfileLevel {
    return this.#levels.get(database) ?? off;
  }

  set(database: string, level: ProfileLevel): void {
    this.#levels.set(database, level);
  }

  /** True if no database has a profiling level of its own. */
  get quiet(): boolean {
    return this.#levels.size === 0;
  }
}
