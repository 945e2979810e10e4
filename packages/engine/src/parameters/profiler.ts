import type { RawDocument } from '../bson/raw.ts';
import type { Filter } from '../language/filter/index.ts';

/** Determines which operations on a database are recorded in its `system.profile`. */
export interface ProfileLevel {
  /**
   * 0: records no operations. 1: records slow operations or, if there is a filter, those that match it. 2: records all
   * operations.
   */
  readonly level: number;
  readonly filter?: { readonly document: RawDocument; readonly compiled: Filter };
}

const off: ProfileLevel = { level: 0 };

/** The threshold for slow operations and the profiling levels of databases, kept in memory until the cluster closes. */
export class Profiler {
  /** The minimum duration of a slow operation, in milliseconds. */
  slowms = 100;
  /** The proportion of slow operations that is recorded, from 0 to 1. */
  sampleRate = 1;
  readonly #levels = new Map<string, ProfileLevel>();

  of(database: string): ProfileLevel {
    return this.#levels.get(database) ?? off;
  }

  set(database: string, level: ProfileLevel): void {
    this.#levels.set(database, level);
  }

  /** True if no database has its own profiling level. */
  get quiet(): boolean {
    return this.#levels.size === 0;
  }
}
