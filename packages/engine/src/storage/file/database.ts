/** The part of the `node:sqlite` interface that connections use; the library for encrypted files implements it too. */
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
