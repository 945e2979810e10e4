import type { Log } from '@portolan/foundation/log';
import { errorMessage } from '@portolan/foundation/thrown';
import { PermanentError } from '../../../replication/permanent-error.ts';
import type { ReadTx } from '../../../store/index.ts';
import { NotYet } from '../../../tasks/index.ts';
import type { Services } from '../../services.ts';
import { mostRetryable } from '../chunk-store/attempts.ts';
import { ChunkStore } from '../chunk-store/chunk-store.ts';
import { copiesOf } from './rows.ts';

/** Returns the chunk store of a cluster's snapshot copies in a region. */
export function chunkStoreIn(
  { copies }: Pick<Services, 'copies'>,
  region: string,
  clusterId: string,
): ChunkStore {
  return new ChunkStore(copies(region), clusterId);
}

/** A chunk store from which a snapshot can be read. */
export interface Source {
  readonly chunkStore: ChunkStore;
  /** The region whose copy of the archived oplog is read first. If absent, the archived oplog itself is read first. */
  readonly region?: string;
}

/** Reads a snapshot from the snapshot store or, if it is damaged there, from a region with a copy. */
export class Sources {
  readonly #places: readonly Source[];
  readonly #log: Log;

  private constructor(places: readonly Source[], log: Log) {
    this.#places = places;
    this.#log = log;
  }

  /**
   * Finds the sources of a snapshot. `oplogs` are the regions that have copies of the archived oplog, for callers that
   * also read the archived oplog.
   */
  static async of(
    tx: ReadTx,
    services: Pick<Services, 'snapshots' | 'copies' | 'log'>,
    snapshot: { readonly id: string; readonly clusterId: string },
    oplogs: readonly string[] = [],
  ): Promise<Sources> {
    const copies = await copiesOf(tx, [snapshot.id]);
    const whole = copies.filter(({ status }) => status === 'completed');
    const original = new ChunkStore(services.snapshots, snapshot.clusterId);
    const others = whole.map(({ region }) => {
      return { chunkStore: chunkStoreIn(services, region, snapshot.clusterId), region };
    });
    // Also try the original snapshot with each copy of the oplog.
    const again = oplogs.map((region) => ({ chunkStore: original, region }));
    return new Sources([{ chunkStore: original }, ...others, ...again], services.log);
  }

  /** Calls `use` with each source until one succeeds; `use` must verify what it reads. */
  async read<T>(use: (chunkStore: ChunkStore, place: Source) => Promise<T>): Promise<T> {
    const problems: unknown[] = [];
    for (const place of this.#places) {
      try {
        return await use(place.chunkStore, place);
      } catch (thrown) {
        // Do not try other sources, since these errors do not depend on the source.
        if (thrown instanceof NotYet || thrown instanceof PermanentError) throw thrown;
        const error = await place.chunkStore.diagnose(thrown).catch(() => thrown);
        problems.push(error);
        const reason = errorMessage(error);
        if (this.#places.length > 1)
          this.#log.warn({ reason }, 'snapshot could not be read from one of its sources');
      }
    }
    // The number of retries of the task depends on this error.
    throw mostRetryable(problems);
  }
}
