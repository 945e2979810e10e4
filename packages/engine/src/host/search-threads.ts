import type { MachineClock } from '@portolan/foundation/clock';
import { entryPoint } from '@portolan/foundation/entry-point';
import type { Log } from '@portolan/foundation/log';
import { HostThread } from './host-thread.ts';
import { Restarts } from './restarts.ts';
import type { BuildingFigures, SearchInput, SearchOutput } from './search-thread.ts';
import { Waiters } from './waiters.ts';

const ENTRY = entryPoint(import.meta.filename, './search-thread');

interface FollowedFiles {
  readonly dir: string;
  readonly key: Uint8Array | undefined;
  /** Maximum size of the search file in bytes. */
  readonly most: number;
}

interface FollowedCluster extends FollowedFiles {
  /** Called with the reason when updates stop, and with undefined when they run again. */
  readonly state: (stopped: string | undefined) => void;
}

/**
 * Starts and supervises the thread that updates the search indexes of clusters. The thread starts when the first
 * cluster is added.
 */
export class SearchThreads {
  readonly #log: Log;
  readonly #disk: 'own' | 'shared';
  readonly #restarts: Restarts;
  readonly #followed = new Map<string, FollowedCluster>();
  readonly #closing = new Map<string, () => void>();
  #reports = new Waiters();
  /** The last reported statistics of each cluster. */
  readonly #figures = new Map<string, BuildingFigures>();
  #thread: HostThread<SearchOutput> | undefined;
  #stopped = false;

  /** `disk` is `own` if the thread belongs to one cluster. */
  constructor(disk: 'own' | 'shared', { log, clock }: { readonly log: Log; readonly clock: MachineClock }) {
    this.#disk = disk;
    this.#log = log;
    this.#restarts = new Restarts(clock);
  }

  /** Updates the search indexes of a cluster until `close` is called. */
  follow(id: string, files: FollowedFiles, state: FollowedCluster['state']): void {
    if (this.#stopped || this.#followed.has(id)) return;
    this.#followed.set(id, { ...files, state });
    if (this.#thread !== undefined) this.#open(id, files);
    else if (!this.#restarts.waiting) this.#start();
  }

  /** Changes the maximum size of the search file of a cluster. */
  limit(id: string, most: number): void {
    const followed = this.#followed.get(id);
    if (followed === undefined || followed.most === most) return;
    this.#followed.set(id, { ...followed, most });
    this.#thread?.post({ limit: id, most } satisfies SearchInput);
  }

  get outOfMemory(): boolean {
    return this.#restarts.outOfMemory;
  }

  /** Resolves when no file of the cluster is open in the thread. */
  async close(id: string): Promise<void> {
    this.#figures.delete(id);
    if (!this.#followed.delete(id) || this.#thread === undefined) return;
    const thread = this.#thread;
    await new Promise<void>((resolve) => {
      this.#closing.set(id, resolve);
      thread.post({ close: id } satisfies SearchInput);
    });
  }

  /** Returns the last reported statistics of a cluster. */
  figures(id: string): BuildingFigures | undefined {
    return this.#figures.get(id);
  }

  /** Resolves when the statistics are up to date. */
  async reportFigures(): Promise<void> {
    if (this.#thread === undefined) return;
    this.#thread.post({ report: true } satisfies SearchInput);
    await this.#reports.wait();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#restarts.cancel();
    this.#settle();
    await this.#thread?.end();
  }

  #start(): void {
    this.#thread = new HostThread<SearchOutput>(
      ENTRY,
      {},
      {
        message: (output) => {
          if ('closed' in output) {
            this.#closing.get(output.closed)?.();
            this.#closing.delete(output.closed);
          } else if ('figures' in output) {
            for (const [id, figures] of Object.entries(output.figures)) {
              if (this.#followed.has(id)) this.#figures.set(id, figures);
            }
            this.#reports.resolveAll();
          } else this.#reportState(output.state, output.stopped);
        },
        gone: (reason) => {
          this.#log.error({ reason }, 'search index thread ended');
          this.#thread = undefined;
          this.#settle();
          if (this.#stopped) return;
          for (const id of this.#followed.keys()) this.#reportState(id, 'the search index thread has ended');
          this.#restarts.after(reason, () => {
            if (this.#followed.size > 0) this.#start();
          });
        },
      },
    );
    for (const [id, files] of this.#followed) this.#open(id, files);
  }

  /** Resolves all calls that wait until the thread closes a file. The thread has ended, so it has no open files. */
  #settle(): void {
    this.#reports.resolveAll();
    for (const resolve of this.#closing.values()) resolve();
    this.#closing.clear();
  }

  #reportState(id: string, stopped: string | undefined): void {
    if (stopped !== undefined) {
      this.#log.warn({ cluster: id, reason: stopped }, 'search indexes are not updated');
    }
    this.#followed.get(id)?.state(stopped);
  }

  #open(id: string, { dir, key, most }: FollowedFiles): void {
    this.#thread?.post({ open: id, dir, key, most, disk: this.#disk } satisfies SearchInput);
  }
}
