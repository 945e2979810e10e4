import type { MachineClock } from '@portolan/foundation/clock';
import { sql } from 'kysely';
import type { Database } from './database.ts';
import { StoreError, type StoreErrorKind } from './errors.ts';

/** Errors that affect every write. */
const LASTING = new Set<StoreErrorKind>(['full', 'readOnly', 'damaged', 'unavailable']);
/**
 * How long an error is remembered after a failed write. A successful write does not end this time, because small writes
 * may succeed between failures even if the disk is full.
 */
const KEPT_MS = 10_000;

interface StoreHealth {
  noteFailure(this: void, error: unknown): void;
  check(this: void): Promise<StoreErrorKind | undefined>;
}

/** Remembers the errors of writes, and tests whether reads work. */
export function storeHealth(database: Database, machine: MachineClock): StoreHealth {
  let met: { readonly kind: StoreErrorKind; readonly at: number } | undefined;
  return {
    noteFailure(error) {
      if (!(error instanceof StoreError) || !LASTING.has(error.kind)) return;
      met = { kind: error.kind, at: machine.monotonic() };
    },
    async check() {
      try {
        await database.read((db) => sql`select 1`.execute(db));
      } catch (error) {
        return error instanceof StoreError ? error.kind : 'unavailable';
      }
      return met !== undefined && machine.monotonic() - met.at < KEPT_MS ? met.kind : undefined;
    },
  };
}
