import { BoundedCache } from '@portolan/foundation/bounded-cache';
import type { CompiledQuery } from 'kysely';

/** The tables, and their foreign keys with `ON DELETE CASCADE`. Read from the database on first use. */
export interface TableLinks {
  readonly tables: ReadonlySet<string>;
  /** Maps each table to the tables that refer to it with `ON DELETE CASCADE`. */
  readonly followers: ReadonlyMap<string, readonly string[]>;
}

/**
 * Maximum number of statements whose tables are cached. If a query contains a list, each length of the list requires a
 * separate statement.
 */
const TEXTS_KEPT = 1000;

/**
 * Determines whether a table may have changed since it was read. This requires that only one process writes to the
 * database. Every table that occurs in the text of a statement counts as read and as changed. So a change may be
 * reported although there was none, but no change is missed.
 */
export class TableVersions {
  readonly #readLinks: () => TableLinks;
  #links: TableLinks | undefined;
  readonly #named = new BoundedCache<string, readonly string[]>({
    entries: TEXTS_KEPT,
    longestKey: Number.POSITIVE_INFINITY,
  });
  readonly #versions = new Map<string, number>();
  readonly #changing = new Set<string>();

  constructor(readLinks: () => TableLinks) {
    this.#readLinks = readLinks;
  }

  /** Records a statement of the current write transaction. */
  changing(query: CompiledQuery): void {
    if (query.query.kind === 'SelectQueryNode') return;
    for (const table of this.namedIn(query.sql)) this.#add(table);
  }

  /** Records the end of the current write transaction, whether or not it was committed. */
  ended(): void {
    for (const table of this.#changing) this.#versions.set(table, this.versionOf(table) + 1);
    this.#changing.clear();
  }

  versionOf(table: string): number {
    return this.#versions.get(table) ?? 0;
  }

  namedIn(text: string): readonly string[] {
    return this.#named.of(text, this.#tablesIn);
  }

  readonly #tablesIn = (text: string): readonly string[] => {
    const { tables } = this.#known();
    return [...new Set(text.toLowerCase().match(/\w+/g) ?? [])].filter((word) => tables.has(word));
  };

  /** Forgets the known tables. Must be called after a schema change. */
  forget(): void {
    this.#links = undefined;
    this.#named.clear();
  }

  #add(table: string): void {
    if (this.#changing.has(table)) return;
    this.#changing.add(table);
    for (const follower of this.#known().followers.get(table) ?? []) this.#add(follower);
  }

  #known(): TableLinks {
    this.#links ??= this.#readLinks();
    return this.#links;
  }
}

/** The tables that a reader has read, with their versions at that time. */
export class ReadTables {
  readonly #versions: TableVersions;
  readonly #seen = new Map<string, number>();

  constructor(versions: TableVersions) {
    this.#versions = versions;
  }

  /**
   * Records that a statement reads tables. If several statements read a table, the version at the first statement
   * counts, because the later statements may see newer data.
   */
  note(text: string): void {
    for (const table of this.#versions.namedIn(text)) {
      if (!this.#seen.has(table)) this.#seen.set(table, this.#versions.versionOf(table));
    }
  }

  unchanged(): boolean {
    for (const [table, version] of this.#seen) {
      if (this.#versions.versionOf(table) !== version) return false;
    }
    return true;
  }
}
