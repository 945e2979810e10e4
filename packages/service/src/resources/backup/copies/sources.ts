import type { Log } from '@portolan/foundation/log';
import type { ReadTx } from '../../../store/index.ts';
import { NotYet } from '../../../tasks/index.ts';
import type { Services } from '../../services.ts';
import { mostHopeful } from '../vault/attempts.ts';
import { Vault } from '../vault/vault.ts';
import { copiesOf } from './rows.ts';

/** Where the copies of a cluster's snapshots are kept in a region. */
export function vaultIn({ copies }: Pick<Services, 'copies'>, region: string, clusterId: string): Vault {
  return new Vault(copies(region), clusterId);
}

/** Where a snapshot is read from. */
export interface Place {
  readonly vault: Vault;
  /** Whose copy of the oplog is read first; absent: the archive itself. */
  readonly region?: string;
}

/** A snapshot is read out of the snapshot store or, where it is damaged there, out of a region that has a copy. */
export class Sources {
  readonly #places: readonly Place[];
  readonly #log: Log;

  private constructor(places: readonly Place[], log: Log) {
    this.#places = places;
    this.#log = log;
  }

  /** `oplogs`: regions with copies of the oplog, where that is read, too. */
  static async of(
    tx: ReadTx,
    services: Pick<Services, 'snapshots' | 'copies' | 'log'>,
    snapshot: { readonly id: string; readonly clusterId: string },
    oplogs: readonly string[] = [],
  ): Promise<Sources> {
    const copies = await copiesOf(tx, [snapshot.id]);
    const whole = copies.filter(({ status }) => status === 'completed');
    const original = new Vault(services.snapshots, snapshot.clusterId);
    const others = whole.map(({ region }) => {
      return { vault: vaultIn(services, region, snapshot.clusterId), region };
    });
    // The same snapshot with another oplog.
    const again = oplogs.map((region) => ({ vault: original, region }));
    return new Sources([{ vault: original }, ...others, ...again], services.log);
  }

  /** Does what `use` does with the first that it ends well with; it is to prove what it reads. */
  async read<T>(use: (vault: Vault, place: Place) => Promise<T>): Promise<T> {
    const problems: unknown[] = [];
    for (const place of this.#places) {
      try {
        return await use(place.vault, place);
      } catch (thrown) {
        // Where it is not the source that is away.
        if (thrown instanceof NotYet) throw thrown;
        const error = await place.vault.diagnose(thrown).catch(() => thrown);
        problems.push(error);
        const reason = error instanceof Error ? error.message : String(error);
        if (this.#places.length > 1)
          this.#log.warn({ reason }, 'a snapshot could not be read from one place');
      }
    }
    // Whoever has to try again is told of what may end well then.
    throw mostHopeful(problems);
  }
}
