import { storeMigrations } from './migrations.ts';
import type { Migration } from './store.ts';

/** What a database is to fit. */
export interface Fitting {
  /** All that this version knows, but the store's own. */
  readonly migrations?: readonly Migration[];
  /** That of the secret key which is to open what it has sealed. */
  readonly fingerprint?: string;
}

/** What a database tells of itself. */
export interface Stored {
  /** The number of the newest migration that was applied. */
  readonly newest: number;
  /** The setting `FINGERPRINT` as it is stored, none before the first start is over. */
  readonly fingerprint: string | undefined;
}

/** Why a service of this version and with this secret key would not start with a database: nothing for one that fits. */
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
