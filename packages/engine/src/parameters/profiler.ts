import type { RawDocument } from '../bson/raw.ts';
import type { Filter } from '../language/filter/index.ts';

/** The operations on a database that are recorded in its `system.profile`. */
export interface ProfileLevel {
  /** 0 for none; 1 for slow operations, or for those that match the filter; 2 for all. */
  readonly level: number;
  readonly filter?: { readonly document: RawDocument; readonly compiled: Filter };
}

const off: ProfileLevel = { level: 0 };

/** The threshold for slow operations and the profiling levels of databases, kept in memory until the cluster closes. */
export class Profiler {
  /** The duration in milliseconds from which an operation is slow. */
  slowms = 100;
  /** The share of slow operations that is recorded, from 0 to 1. */
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
