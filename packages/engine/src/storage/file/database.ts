/**
 * The part of the interface of `node:sqlite` that connections use. The library for encrypted files implements it as
 * well.
 */
export interface Database {
  readonly isOpen: boolean;
  readonly isTransaction: boolean;
  prepare(sql: string): Statement;
  exec(sql: string): void;
  close(): void;
}

export interface Statement {
  setReturnArrays(on: boolean): void;
  run(...values: SqlValue[]): {
    readonly changes: number | bigint;
    readonly lastInsertRowid: number | bigint;
  };
  get(...values: SqlValue[]): unknown;
  iterate(...values: SqlValue[]): Iterable<unknown>;
}

export type SqlValue = null | number | bigint | string | Uint8Array;
