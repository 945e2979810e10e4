import type { Log } from '@portolan/foundation/log';
import type { RawDocument } from '../bson/raw.ts';
import type { ClusterRandom } from '../commands/context/cluster.ts';
import { saveProfile } from '../observe/profile-collection.ts';
import type { ClusterStore } from '../storage/cluster-store.ts';

/** Profiler entries of finished operations that are not yet stored in `system.profile`. */
export class PendingProfiles {
  readonly #log: Log;
  readonly #onError: (error: unknown) => void;
  readonly #profiles: Array<{ readonly database: string; readonly document: RawDocument }> = [];

  constructor(log: Log, onError: (error: unknown) => void) {
    this.#log = log;
    this.#onError = onError;
  }

  add(database: string, document: RawDocument): void {
    this.#profiles.push({ database, document });
  }

  /** Stores the profiler entries. Must not run in a statement that writes. */
  store(store: ClusterStore, random: ClusterRandom): void {
    const profiles = this.#profiles.splice(0);
    try {
      store.write(() => {
        for (const { database, document } of profiles) saveProfile(store, database, document, random);
      });
    } catch (error) {
      // Do not throw this error, since the profiled operations have succeeded.
      this.#log.warn({ err: error }, 'entries of the database profiler could not be stored');
      this.#onError(error);
    }
  }
}
