import type { CompiledQuery } from 'kysely';

/** How the tables hang together, read off the database when it is first asked for. */
export interface TableLinks {
  readonly tables: ReadonlySet<string>;
  /** Tables whose rows may go with a row of another one (`ON DELETE CASCADE`), by that other one. */
  readonly followers: ReadonlyMap<string, readonly string[]>;
}

/** Statements whose tables are remembered; lists of other lengths are other statements. */
const TEXTS_KEPT = 1000;

/**
 * Tells whether a table may have changed since it was read, in a database that one process alone writes. Every table
 * that a statement's text names counts as read by it, and as changed by it, so that it may say "changed" too often and
 * never too seldom.
 */
export class TableVersions {
  readonly #readLinks: () => TableLinks;
  #links: TableLinks | undefined;
  readonly #named = new Map<string, readonly string[]>();
  readonly #versions = new Map<string, number>();
  readonly #changing = new Set<string>();

  constructor(readLinks: () => TableLinks) {
    this.#readLinks = readLinks;
  }

  /** A statement of the one write transaction that is under way. */
  changing(query: CompiledQuery): void {
    if (query.query.kind === 'SelectQueryNode') return;
    for (const table of this.namedIn(query.sql)) this.#add(table);
  }

  /** That transaction is over, committed or not. */
  ended(): void {
    for (const table of this.#changing) this.#versions.set(table, this.versionOf(table) + 1);
    this.#changing.clear();
  }

  versionOf(table: string): number {
    return this.#versions.get(table) ?? 0;
  }

  namedIn(text: string): readonly string[] {
    let named = this.#named.get(text);
    if (named === undefined) {
      const { tables } = this.#known();
      named = [...new Set(text.toLowerCase().match(/\w+/g) ?? [])].filter((word) => tables.has(word));
      if (this.#named.size >= TEXTS_KEPT) this.#named.clear();
      this.#named.set(text, named);
    }
    return named;
  }

  /** After a change of tables. */
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

/** What a reader has read from, and in which state. */
export class ReadTables {
  readonly #versions: TableVersions;
  readonly #seen = new Map<string, number>();

  constructor(versions: TableVersions) {
    this.#versions = versions;
  }

  /** Of several statements that read a table, the first tells: the others may have seen a later state. */
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
