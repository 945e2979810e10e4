import { createRequire } from 'node:module';
import type { Database, SqlValue, Statement } from './database.ts';

/** The used part of better-sqlite3-multiple-ciphers. The package's `exports` hide its own types. */
interface Native {
  readonly open: boolean;
  readonly inTransaction: boolean;
  pragma(sql: string): unknown;
  prepare(sql: string): NativeStatement;
  exec(sql: string): void;
  unsafeMode(on: boolean): void;
  close(): void;
}

interface NativeStatement {
  /** True if the statement returns rows. */
  readonly reader: boolean;
  readonly busy: boolean;
  raw(on: boolean): NativeStatement;
  run(...values: SqlValue[]): { readonly changes: number; readonly lastInsertRowid: number };
  get(...values: SqlValue[]): unknown;
  iterate(...values: SqlValue[]): Iterable<unknown>;
}

type NativeDatabase = new (file: string, options: { readonly: boolean; timeout: number }) => Native;

interface Options {
  readonly readOnly: boolean;
  readonly timeout: number;
  /** The encryption key, 32 bytes. */
  readonly key: Uint8Array;
}

const require = createRequire(import.meta.url);

/**
 * A file whose pages and WAL are encrypted and authenticated with AEGIS-256 by SQLite3 Multiple Ciphers
 * (docs/decisions/0017). Opening the first such file loads the library. The class has the interface of `DatabaseSync`.
 */
export class SealedDatabase implements Database {
  readonly #db: Native;

  constructor(file: string, { readOnly, timeout, key }: Options) {
    this.#db = openNative(file, { readonly: readOnly, timeout });
    try {
      this.#db.pragma(`key = '${rawKey(key)}'`);
      // Allow other statements to run while one is being iterated, as `node:sqlite` does.
      this.#db.unsafeMode(true);
    } catch (error) {
      this.#db.close();
      throw withCode(error);
    }
  }

  get isOpen(): boolean {
    return this.#db.open;
  }

  get isTransaction(): boolean {
    return this.#db.inTransaction;
  }

  prepare(sql: string): Statement {
    return new SealedStatement(this.#db, sql);
  }

  exec(sql: string): void {
    asSqlite(() => this.#db.exec(sql));
  }

  close(): void {
    this.#db.close();
  }
}

/**
 * Changes the encryption key of a file in place, page by page. The file must not be open elsewhere. `from` is
 * the current key and `into` the new key; undefined means unencrypted. If the change fails or is interrupted,
 * the file is lost.
 */
export function reseal(file: string, from: Uint8Array | undefined, into: Uint8Array | undefined): void {
  const db = openNative(file, { readonly: false, timeout: 0 });
  try {
    asSqlite(() => {
      if (from !== undefined) db.pragma(`key = '${rawKey(from)}'`);
      db.pragma('journal_mode = DELETE');
      db.pragma('journal_mode = OFF');
      db.pragma(`rekey = '${into === undefined ? '' : rawKey(into)}'`);
    });
  } finally {
    db.close();
  }
}

function openNative(file: string, options: { readonly: boolean; timeout: number }): Native {
  const Ciphers: NativeDatabase = require('better-sqlite3-multiple-ciphers');
  return asSqlite(() => {
    const db = new Ciphers(file, options);
    // The cipher must be set before the key. The key is random, so no key derivation is needed.
    db.pragma(`cipher = 'aegis'`);
    return db;
  });
}

const rawKey = (key: Uint8Array) => `raw:${Buffer.from(key).toString('hex')}`;

/**
 * A prepared statement. The library's statement is busy while it is iterated; a concurrent call prepares another one.
 */
class SealedStatement implements Statement {
  readonly #db: Native;
  readonly #sql: string;
  #last: NativeStatement;

  constructor(db: Native, sql: string) {
    this.#db = db;
    this.#sql = sql;
    this.#last = this.#prepare();
  }

  /** Does nothing, because this class always returns arrays. */
  setReturnArrays(): void {}

  run(...values: SqlValue[]) {
    return asSqlite(() => {
      const statement = this.#free();
      if (!statement.reader) return statement.run(...values);
      statement.get(...values);
      return { changes: 0, lastInsertRowid: 0 };
    });
  }

  get(...values: SqlValue[]): unknown {
    return asSqlite(() => {
      const statement = this.#free();
      if (statement.reader) return plainRow(statement.get(...values));
      statement.run(...values);
      return undefined;
    });
  }

  *iterate(...values: SqlValue[]): Generator<unknown> {
    const statement = asSqlite(() => this.#free());
    if (!statement.reader) {
      asSqlite(() => statement.run(...values));
      return;
    }
    try {
      for (const row of statement.iterate(...values)) yield plainRow(row);
    } catch (error) {
      throw withCode(error);
    }
  }

  #free(): NativeStatement {
    if (this.#last.busy) this.#last = this.#prepare();
    return this.#last;
  }

  #prepare(): NativeStatement {
    return asSqlite(() => {
      const statement = this.#db.prepare(this.#sql);
      return statement.reader ? statement.raw(true) : statement;
    });
  }
}

/** Converts buffers to the arrays that `node:sqlite` returns; some of their methods differ. */
function plainRow(row: unknown): unknown {
  if (!Array.isArray(row)) return row;
  for (let at = 0; at < row.length; at++) {
    const value = row[at];
    if (Buffer.isBuffer(value)) row[at] = new Uint8Array(value.buffer, value.byteOffset, value.length);
  }
  return row;
}

/** SQLite's result codes by name (sqlite.org/rescode.html), because the library reports only names. */
const codes: Readonly<Record<string, number>> = {
  SQLITE_BUSY: 5,
  SQLITE_LOCKED: 6,
  SQLITE_READONLY: 8,
  SQLITE_IOERR: 10,
  SQLITE_CORRUPT: 11,
  SQLITE_FULL: 13,
  SQLITE_CANTOPEN: 14,
  SQLITE_NOTADB: 26,
  SQLITE_CONSTRAINT_UNIQUE: 2067,
};

function asSqlite<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw withCode(error);
  }
}

/** Adds the numeric code to an error, as `node:sqlite` does. */
function withCode(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return error;
  const { code } = error;
  const primary = code.split('_').slice(0, 2).join('_');
  return Object.assign(error, { errcode: codes[code] ?? codes[primary] ?? 1 });
}
