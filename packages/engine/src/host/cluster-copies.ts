import type { MachineClock } from '@portolan/foundation/clock';
import type { CopiedFolder } from '../backup/copy-all.ts';
import type { CopyOutcome } from '../control/calls.ts';
import type { Backups, PreparedCopies } from './backups.ts';

/** If prepared copies do not begin within this time, they are abandoned, because their client has disappeared. */
const PREPARED_MS = 30_000;
/**
 * Maximum time between the completion of the copies and the call of `finish`. If no client calls `finish` in time, the
 * client has disappeared, and the waiting calls for the deployments run. A client that was only slow still learns from
 * `finish` whether the copies have failed.
 */
const COMPLETE_MS = 5_000;

interface Options {
  readonly clock: MachineClock;
  readonly backups: Pick<Backups, 'prepareCopies'>;
  /** The ids of all deployments. */
  ids(): string[];
  foldersFor(ids: readonly string[], to: string): Promise<CopiedFolder[]>;
  /**
   * Waits until no other call for these deployments is running. Later calls wait until the returned function is called.
   */
  takeTurns(ids: readonly string[]): Promise<() => Promise<void>>;
}

interface Copy {
  readonly ids: readonly string[];
  readonly copies: PreparedCopies;
  /** Abandons the copies if they are incomplete, and lets waiting calls run. */
  readonly end: () => Promise<void>;
  cancelTimer: () => void;
  /** True if a client has called `begin`. The disconnection of another client must not abandon these copies. */
  isBeginning?: boolean;
  /** Resolves when the copies are complete. Absent until they begin. */
  done?: Promise<void>;
}

/**
 * Copies of all clusters as of one point in time. The target folder identifies a set of copies. From `prepare` to
 * `finish`, other calls for the deployments wait, so that no file is replaced or removed meanwhile.
 */
export class ClusterCopies {
  readonly #options: Options;
  readonly #all = new Map<string, Copy>();
  /** Number of calls of `abandon`. */
  #abandoned = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  async prepare(to: string): Promise<void> {
    const abandoned = this.#abandoned;
    await this.#take(to)?.end();
    const { backups, ids, foldersFor, takeTurns } = this.#options;
    const taken = ids();
    const release = await takeTurns(taken);
    try {
      const copies = await backups.prepareCopies(await foldersFor(taken, to));
      let ended: Promise<void> | undefined;
      const end = () => {
        ended ??= copies.end().finally(release);
        return ended;
      };
      this.#all.set(to, { ids: taken, copies, end, cancelTimer: this.#abandonAfter(PREPARED_MS, to) });
      if (abandoned !== this.#abandoned) await this.#take(to)?.end();
    } catch (error) {
      await release();
      throw error;
    }
  }

  async begin(to: string): Promise<CopyOutcome> {
    const copy = this.#all.get(to);
    if (copy === undefined || this.#options.ids().some((id) => !copy.ids.includes(id))) return 'changed';
    copy.isBeginning = true;
    if (!(await copy.copies.begin())) {
      copy.isBeginning = false;
      return 'busy';
    }
    // The copies were abandoned meanwhile if `begin` exceeded the time limit.
    if (this.#all.get(to) !== copy) return 'changed';
    copy.cancelTimer();
    copy.done = copy.copies.done();
    const complete = () => {
      if (this.#all.get(to) !== copy) return;
      copy.cancelTimer = this.#options.clock.after(COMPLETE_MS, () => void copy.end());
    };
    copy.done.then(complete, complete);
    return 'begun';
  }

  async finish(to: string): Promise<void> {
    const copy = this.#take(to);
    try {
      await copy?.done;
    } finally {
      await copy?.end();
    }
  }

  /**
   * Abandons copies that have not begun. Called when a client has disconnected. If the copies belong to another client,
   * that client prepares them again.
   */
  async abandon(): Promise<void> {
    this.#abandoned++;
    const prepared = [...this.#all].filter(([, { isBeginning }]) => isBeginning !== true);
    await Promise.all(prepared.map(([to]) => this.#take(to)?.end()));
  }

  /**
   * Abandons copies after a time. Otherwise, if the client is killed, other calls for the deployments would wait
   * forever.
   */
  #abandonAfter(ms: number, to: string): () => void {
    return this.#options.clock.after(ms, () => void this.#take(to)?.end());
  }

  #take(to: string): Copy | undefined {
    const copy = this.#all.get(to);
    this.#all.delete(to);
    copy?.cancelTimer();
    return copy;
  }
}
