import type { MachineClock } from '@portolan/foundation/clock';
import type { Log } from '@portolan/foundation/log';
import { entryPoint } from './entry-point.ts';
import { HostThread } from './host-thread.ts';
import { Restarts } from './restarts.ts';
import type { BuildingFigures, SearchInput, SearchOutput } from './search-thread.ts';
import { Told } from './told.ts';

const ENTRY = entryPoint(import.meta.filename, './search-thread');

interface FollowedFiles {
  readonly dir: string;
  readonly key: Uint8Array | undefined;
}

interface FollowedCluster extends FollowedFiles {
  /** Is told why nothing of it is followed, or that it is. */
  readonly state: (stopped: string | undefined) => void;
}

/** The thread that follows the search indexes of clusters; it is started with the first of them. */
export class SearchThreads {
  readonly #log: Log;
  readonly #disk: 'own' | 'shared';
  readonly #restarts: Restarts;
  readonly #followed = new Map<string, FollowedCluster>();
  readonly #closing = new Map<string, () => void>();
  #told = new Told();
  /** What was told last of each cluster. */
  readonly #figures = new Map<string, BuildingFigures>();
  #thread: HostThread<SearchOutput> | undefined;
  #stopped = false;

  /** `disk`: whether the thread is a cluster's own. */
  constructor(disk: 'own' | 'shared', { log, clock }: { readonly log: Log; readonly clock: MachineClock }) {
    this.#disk = disk;
    this.#log = log;
    this.#restarts = new Restarts(clock);
  }

  /** Has the search indexes of a cluster followed until it is closed. */
  follow(id: string, files: FollowedFiles, state: FollowedCluster['state']): void {
    if (this.#stopped || this.#followed.has(id)) return;
    this.#followed.set(id, { ...files, state });
    if (this.#thread !== undefined) this.#open(id, files);
    else if (!this.#restarts.waiting) this.#start();
  }

  get outOfMemory(): boolean {
    return this.#restarts.outOfMemory;
  }

  /** When this resolves, nothing of the cluster's files is open here. */
  async close(id: string): Promise<void> {
    this.#figures.delete(id);
    if (!this.#followed.delete(id) || this.#thread === undefined) return;
    const thread = this.#thread;
    await new Promise<void>((resolve) => {
      this.#closing.set(id, resolve);
      thread.post({ close: id } satisfies SearchInput);
    });
  }

  /** What building has taken for a cluster, as it was told last. */
  figures(id: string): BuildingFigures | undefined {
    return this.#figures.get(id);
  }

  /** When this resolves, what building has taken until now is known. */
  async tell(): Promise<void> {
    if (this.#thread === undefined) return;
    this.#thread.post({ tell: true } satisfies SearchInput);
    await this.#told.next();
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
            this.#told.now();
          } else this.#tellState(output.state, output.stopped);
        },
        gone: (reason) => {
          this.#log.error({ reason }, 'the thread of search indexes ended');
          this.#thread = undefined;
          this.#settle();
          if (this.#stopped) return;
          for (const id of this.#followed.keys()) this.#tellState(id, 'the thread that follows has ended');
          this.#restarts.after(reason, () => {
            if (this.#followed.size > 0) this.#start();
          });
        },
      },
    );
    for (const [id, files] of this.#followed) this.#open(id, files);
  }

  /** A thread that is gone has nothing open. */
  #settle(): void {
    this.#told.now();
    for (const resolve of this.#closing.values()) resolve();
    this.#closing.clear();
  }

  #tellState(id: string, stopped: string | undefined): void {
    if (stopped !== undefined) {
      this.#log.warn({ cluster: id, reason: stopped }, 'search indexes are not followed');
    }
    this.#followed.get(id)?.state(stopped);
  }

  #open(id: string, { dir, key }: FollowedFiles): void {
    this.#thread?.post({ open: id, dir, key, disk: this.#disk } satisfies SearchInput);
  }
}
