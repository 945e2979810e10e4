import { MessageChannel } from 'node:worker_threads';
import type { MachineClock } from '@portolan/foundation/clock';
import { entryPoint } from '@portolan/foundation/entry-point';
import type { Log } from '@portolan/foundation/log';
import type { IndexChanges, SearchSample } from '../interface/engine.ts';
import type { NodeLink } from '../search/nodes/messages.ts';
import type { ClusterInfo } from '../worker/protocol.ts';
import { HostThread } from './host-thread.ts';
import type { QueryThread } from './query-threads.ts';
import { Restarts } from './restarts.ts';
import type { SearchNodeFiles, SearchNodeInput, SearchNodeOutput } from './search-node-thread.ts';
import type { BuildingFigures } from './search-thread.ts';
import { SearchThreads } from './search-threads.ts';
import { addFigures, noFigures, type ThreadFigures } from './thread-figures.ts';
import { Waiters } from './waiters.ts';

const ENTRY = entryPoint(import.meta.filename, './search-node-thread');

/**
 * Maximum time that a search node may take to end. After this time, the node is terminated. This loses no commit,
 * because commits are on the disk.
 */
const STOP_MS = 5_000;

type States = 'outOfMemory' | 'stopped' | 'stopsSoon';

interface ClusterFigures extends Pick<SearchSample, 'memory' | 'nodes' | 'processor' | States> {
  /** Statistics by index id. */
  readonly followed: Readonly<Record<string, IndexChanges>>;
}

interface Shared {
  readonly search?: SearchThreads;
  readonly log: Log;
  readonly clock: MachineClock;
}

/**
 * Updates and searches the search indexes of a cluster. Without search nodes, a thread that several clusters share
 * updates the indexes, and the query thread runs the searches. With search nodes, the cluster has its own threads for
 * both. The methods must be called one after another.
 */
export class ClusterSearch {
  readonly #id: string;
  readonly #shared: SearchThreads | undefined;
  readonly #log: Log;
  readonly #clock: MachineClock;
  #own: SearchThreads | undefined;
  #nodes: SearchNodeThread[] = [];
  #count: number;
  /** The files and the query thread of the cluster while it is open. */
  #open: { readonly files: SearchNodeFiles; readonly thread: QueryThread } | undefined;
  #followed = false;
  /** Maximum size of the search file in bytes: the size of the disk of the cluster. */
  #most = Number.POSITIVE_INFINITY;
  /** The last reported reason why the indexes are no longer updated. */
  #stopped: string | undefined;
  readonly #restarts: Restarts;
  /** CPU time, in microseconds, of threads that have ended or no longer serve the cluster. */
  #ended = { user: 0, kernel: 0 };

  constructor(id: string, count: number, { search, log, clock }: Shared) {
    this.#id = id;
    this.#count = count;
    this.#shared = search;
    this.#log = log;
    this.#clock = clock;
    this.#restarts = new Restarts(clock);
  }

  /** Connects the search nodes to the query thread, which must have opened the file of the cluster. */
  opened(thread: QueryThread, files: SearchNodeFiles, info: ClusterInfo): void {
    this.#open = { thread, files };
    this.#limit(info);
    thread.searchStopped(this.#id, this.#stopped);
    for (const node of this.#nodes) this.#connect(node);
    this.#start();
  }

  /** Tells the threads that the configuration of the cluster has changed. */
  configure(thread: QueryThread | undefined, info: ClusterInfo): void {
    thread?.configure(this.#id, info);
    this.#limit(info);
  }

  #limit({ diskBytes = Number.POSITIVE_INFINITY }: ClusterInfo): void {
    this.#most = diskBytes;
    (this.#own ?? this.#shared)?.limit(this.#id, diskBytes);
  }

  /** Starts updating the indexes. Must be called when the cluster has search indexes. */
  follow(files: SearchNodeFiles): void {
    this.#followed = true;
    const state = (stopped: string | undefined) => {
      this.#stopped = stopped;
      this.#open?.thread.searchStopped(this.#id, stopped);
    };
    const bounded = { ...files, most: this.#most };
    if (this.#count === 0) {
      this.#shared?.follow(this.#id, bounded, state);
      return;
    }
    this.#own ??= new SearchThreads('own', { log: this.#log, clock: this.#clock });
    this.#own.follow(this.#id, bounded, state);
  }

  /** Sets the number of search nodes. With search nodes, a separate thread of the cluster updates the indexes. */
  async resize(count: number): Promise<void> {
    this.#restarts.cancel();
    const moves = (count === 0) !== (this.#count === 0);
    if (moves) await this.#unfollow();
    this.#count = count;
    const leaving = this.#nodes.splice(count);
    await this.#end(leaving);
    this.#start();
    if (moves && this.#followed && this.#open !== undefined) this.follow(this.#open.files);
  }

  /** Resolves when no file of the cluster is open in a search thread. */
  async close(): Promise<void> {
    this.#restarts.cancel();
    this.#open = undefined;
    this.#followed = false;
    this.#stopped = undefined;
    const nodes = this.#nodes.splice(0);
    await Promise.all([this.#unfollow(), this.#end(nodes)]);
  }

  /** Resolves when the statistics of the threads that belong to the cluster are up to date. */
  async reportFigures(): Promise<void> {
    await Promise.all([this.#own?.reportFigures(), ...this.#nodes.map((node) => node.reportFigures())]);
  }

  /** The last reported statistics of updates and searches. */
  figures(): ClusterFigures {
    const building = (this.#own ?? this.#shared)?.figures(this.#id);
    const threads = [
      ...(building === undefined ? [] : [building]),
      ...this.#nodes.map((node) => node.figures),
    ];
    const { processor, memory } = threads.reduce(addFigures, noFigures);
    return {
      nodes: this.#nodes.length,
      processor: { user: processor.user + this.#ended.user, kernel: processor.kernel + this.#ended.kernel },
      memory,
      followed: building?.indexes ?? {},
      ...this.#states(building),
    };
  }

  #states(building: BuildingFigures | undefined): Pick<ClusterFigures, States> {
    const ended = this.#restarts.outOfMemory || (this.#own ?? this.#shared)?.outOfMemory === true;
    return {
      ...(this.#stopped !== undefined && { stopped: this.#stopped }),
      ...(building?.room === 'little' && { stopsSoon: true }),
      ...(ended && { outOfMemory: true }),
    };
  }

  /** Adds the CPU time of a thread that ends, so that the total never decreases. */
  #keep(figures: ThreadFigures | undefined): void {
    this.#ended.user += figures?.processor.user ?? 0;
    this.#ended.kernel += figures?.processor.kernel ?? 0;
  }

  #end(nodes: readonly SearchNodeThread[]): Promise<unknown> {
    for (const { figures } of nodes) this.#keep(figures);
    return Promise.all(nodes.map((node) => node.end(this.#clock)));
  }

  async #unfollow(): Promise<void> {
    this.#keep((this.#own ?? this.#shared)?.figures(this.#id));
    await this.#shared?.close(this.#id);
    await this.#own?.close(this.#id);
    await this.#own?.stop();
    this.#own = undefined;
  }

  #start(): void {
    while (this.#open !== undefined && this.#nodes.length < this.#count) {
      const node = new SearchNodeThread(this.#open.files, (reason) => this.#gone(node, reason));
      this.#nodes.push(node);
      this.#connect(node);
    }
  }

  #connect(node: SearchNodeThread): void {
    this.#open?.thread.addSearchNode(this.#id, node.link());
  }

  /** Restarts a node after a pause. Other nodes take over its searches. */
  #gone(node: SearchNodeThread, reason: string): void {
    this.#log.error({ cluster: this.#id, reason }, 'search node ended');
    this.#keep(node.figures);
    this.#nodes = this.#nodes.filter((one) => one !== node);
    this.#restarts.after(reason, () => this.#start());
  }
}

class SearchNodeThread {
  readonly #alive = new Int32Array(new SharedArrayBuffer(4));
  readonly #thread: HostThread<SearchNodeOutput>;
  #closed = () => {};
  readonly #reports = new Waiters();
  /** The last reported statistics of the node. */
  figures = noFigures;

  constructor(files: SearchNodeFiles, onGone: (reason: string) => void) {
    Atomics.store(this.#alive, 0, 1);
    this.#thread = new HostThread<SearchNodeOutput>(ENTRY, files, {
      message: (output) => {
        if ('closed' in output) {
          this.#closed();
          return;
        }
        this.figures = output.figures;
        this.#reports.resolveAll();
      },
      gone: (reason) => {
        Atomics.store(this.#alive, 0, 0);
        this.#closed();
        this.#reports.resolveAll();
        onGone(reason);
      },
    });
  }

  /** Creates a connection to the node. The query thread receives one end and closes it. */
  link(): NodeLink {
    const { port1, port2 } = new MessageChannel();
    this.#thread.post({ connect: port2 } satisfies SearchNodeInput, [port2]);
    return { port: port1, alive: this.#alive.buffer as SharedArrayBuffer };
  }

  async reportFigures(): Promise<void> {
    this.#thread.post({ report: true } satisfies SearchNodeInput);
    await this.#reports.wait();
  }

  async end(clock: MachineClock): Promise<void> {
    // From here on, no thread sends requests to the node or waits for its replies.
    Atomics.store(this.#alive, 0, 0);
    await new Promise<void>((resolve) => {
      this.#closed = resolve;
      clock.after(STOP_MS, resolve);
      this.#thread.post({ close: true } satisfies SearchNodeInput);
    });
    await this.#thread.end();
    this.#reports.resolveAll();
  }
}
