import { storeMigrations } from './migrations.ts';
import type { Migration } from './store.ts';

/** The version and secret key that a database must match. */
export interface Fitting {
  /** All migrations of this version, except those of the store itself. */
  readonly migrations?: readonly Migration[];
  /** Fingerprint of the secret key. */
  readonly fingerprint?: string;
}

/** The properties of an existing database. */
export interface Stored {
  /** Number of the newest applied migration. */
  readonly newest: number;
  /** The stored setting `FINGERPRINT`; undefined until the first start is complete. */
  readonly fingerprint: string | undefined;
}

/**
 * Returns why a service with this version and secret key would not start with a database; undefined if the service
 * would start.
 */
export function misfit(stored: Stored, { migrations, fingerprint }: Fitting): string | undefined {
  if (migrations !== undefined) {
    const known = [...storeMigrations, ...migrations].map(({ number }) => number);
    if (stored.newest > Math.max(...known)) return 'was written by a newer version of Portolan';
  }
  const isForeign =
    fingerprint !== undefined &&
    stored.fingerprint !== undefined &&
    stored.fingerprint !== JSON.stringify(fingerprint);
  return isForeign ? 'was written with another secret key' : undefined;
}
