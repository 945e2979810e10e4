import { collectionOfThread, IDLE_MS, type IdleCollection } from '@portolan/foundation/idle-collection';
import { type Repetition, repeat, rethrow } from '@portolan/foundation/repeat';
import type { Observation } from '../observe/observation.ts';
import type { NodeLink } from '../search/nodes/messages.ts';
import { RunningStatement } from '../storage/model/running-statement.ts';
import type { WorkerDependencies } from './dependencies.ts';
import { descriptionOf } from './description.ts';
import { Expiry } from './expiry.ts';
import { OpenCluster } from './open-cluster.ts';
import type { Respond } from './operations.ts';
import type { ClusterFiles, ClusterInfo, LastWrite, WireRequest } from './protocol.ts';
import { Sampling, workOf } from './sampling.ts';
import { Scheduler } from './scheduler.ts';
import type { SchedulerPorts } from './scheduler-ports.ts';
import { Upkeep } from './upkeep.ts';

export type { Respond } from './operations.ts';

/**
 * Runs the commands of several clusters in turns, within a query thread (`thread.ts`). A turn runs all waiting
 * requests. Reads run immediately. The writes of a cluster run together in one transaction, and their replies are sent
 * when the transaction is durable. At its interruption checks, a long statement lets other statements run. These
 * statements are nested in the long one.
 */
export class QueryWorker {
  readonly #dependencies: WorkerDependencies;
  readonly #clusters = new Map<string, OpenCluster>();
  /** The statement that is running on this thread. The files of all clusters share this object. */
  readonly #running = new RunningStatement();
  readonly #scheduler: Scheduler;
  readonly #expiry: Expiry;
  /** Releases the memory of idle clusters. */
  readonly #resting: Repetition;
  readonly #upkeep: Upkeep;
  readonly #sampling = new Sampling(() => process.threadCpuUsage());
  readonly #collection: IdleCollection;
  #allRest = true;
  /** Called when an operation can continue without a new request. */
  onWake: () => void = () => this.runTurn();

  constructor(dependencies: WorkerDependencies) {
    this.#dependencies = dependencies;
    if (dependencies.statementBytes !== undefined) this.#running.mostBytes = dependencies.statementBytes;
    this.#scheduler = new Scheduler({
      machine: dependencies.machine,
      log: dependencies.log,
      clusters: this.#clusters,
      running: this.#running,
      onRunnable: () => this.onWake(),
      onOperation: (operation) => dependencies.describe?.(descriptionOf(operation)),
      yieldProcessor: () => dependencies.yieldProcessor?.(),
    });
    this.#expiry = new Expiry(
      dependencies.machine,
      () => this.#clusters.values(),
      (cluster, work) => this.#scheduler.writeInBackground(cluster, 'the removal of expired documents', work),
      () => this.#scheduler.busy,
    );
    dependencies.service.onChange(() => this.#expiry.clockMoved(this.#clusters.values()));
    this.#collection = collectionOfThread(
      dependencies.machine,
      () => dependencies.collect?.(),
      dependencies.workedMs,
    );
    this.#upkeep = new Upkeep(dependencies.machine, {
      clusters: this.#clusters,
      isBusy: () => this.#scheduler.busy,
      areAllResting: () => this.#allRest,
      wrote: (cluster) => this.#scheduler.wroteInBackground(cluster),
    });
    this.#resting = repeat({
      machine: dependencies.machine,
      run: () => this.#rest(),
      interval: () => (this.#allRest ? Number.POSITIVE_INFINITY : IDLE_MS),
      onError: rethrow,
    });
  }

  /** Opens a cluster, or changes the settings of an open one. Throws `StorageError` if its file cannot be used. */
  open(clusterId: string, files: ClusterFiles, info: ClusterInfo): void {
    if (this.#clusters.has(clusterId)) {
      this.configure(clusterId, info);
      return;
    }
    const operations = this.#scheduler.operationsOf(clusterId);
    const cluster = OpenCluster.open(clusterId, files, info, this.#dependencies, operations, this.#running);
    cluster.onRelease = () => this.#scheduler.changed(clusterId);
    cluster.onProfiled = () => this.#scheduler.profiled(cluster);
    cluster.cursors.onTimedOut = () => this.#collection.touch();
    this.#clusters.set(clusterId, cluster);
    this.#scheduler.opened(cluster);
    this.#expiry.add(cluster);
    cluster.store.dropLeftovers();
  }

  /** Yields the counters of the members of every open cluster. Between two clusters, requests can be served. */
  *samples(): Generator<readonly [clusterId: string, observation: Observation]> {
    this.#sampling.share(this.#clusters.values());
    for (const [clusterId, cluster] of this.#clusters) {
      const waiting = [...this.#scheduler.all()]
        .filter(({ wire, state }) => wire.clusterId === clusterId && state === 'queued')
        .map(({ caller, writes }) => ({ member: caller.member, writes }));
      yield [clusterId, workOf(cluster, waiting)];
    }
  }

  configure(clusterId: string, info: ClusterInfo): void {
    this.#clusters.get(clusterId)?.configure(info);
    // Some operations may be waiting for a new primary.
    this.#scheduler.changed(clusterId);
  }

  /** Adds a search node to a cluster. */
  addSearchNode(clusterId: string, link: NodeLink): void {
    this.#clusters.get(clusterId)?.searchNodes.add(link);
  }

  /**
   * Sets the reason why the search indexes of a cluster are no longer updated, or undefined if they are
   * updated.
   */
  searchStopped(clusterId: string, stopped: string | undefined): void {
    const cluster = this.#clusters.get(clusterId);
    if (cluster !== undefined) cluster.search.stopped = stopped;
  }

  /** Interrupts the statements of a cluster that is about to close, or of all clusters. */
  interrupt(clusterId?: string): void {
    this.#scheduler.interrupt(clusterId);
  }

  /**
   * Runs waiting operations, and then closes the file. Returns a promise if another thread still checkpoints the file.
   * It resolves when both threads have closed the file.
   */
  close(clusterId: string): Promise<void> | undefined {
    const closing = this.#end(clusterId)?.store.closeAfterCheckpoint();
    return closing ?? this.#dependencies.checkpoints?.running(clusterId);
  }

  /** Runs the waiting operations of a cluster, and removes the cluster. Returns it with its file open. */
  #end(clusterId: string): OpenCluster | undefined {
    const cluster = this.#clusters.get(clusterId);
    cluster?.store.waitNoMore();
    this.#scheduler.wake(clusterId, true);
    this.runTurn();
    cluster?.release();
    this.#clusters.delete(clusterId);
    this.#scheduler.closed(clusterId);
    return cluster;
  }

  closeAll(): void {
    for (const clusterId of [...this.#clusters.keys()]) this.#end(clusterId)?.store.close();
    void this.#resting.stop();
    void this.#upkeep.stop();
    void this.#expiry.stop();
    this.#collection.stop();
  }

  /** Queues a request. `runTurn` runs it. */
  submit(wire: WireRequest, respond: Respond): void {
    this.#scheduler.submit(wire, respond);
  }

  /** Kills the requests of connections that have closed, except unacknowledged writes. */
  disconnected(connectionIds: ReadonlySet<number>): void {
    this.#scheduler.disconnected(connectionIds);
  }

  set ports(ports: SchedulerPorts) {
    this.#scheduler.ports = ports;
  }

  /** Returns the newest writes of the clusters that have written since the last call. */
  takeCommits(): LastWrite[] {
    return this.#scheduler.takeCommits();
  }

  lastWrites(): LastWrite[] {
    return [...this.#clusters.values()].map((cluster) => cluster.lastWrite);
  }

  /**
   * Runs everything that can run. After `ms` milliseconds, stops when no statement is paused, and returns true if
   * statements may wait.
   */
  runTurn(ms = Number.POSITIVE_INFINITY): boolean {
    const wokeUp = this.#allRest;
    const isLeft = this.#scheduler.run(ms);
    this.#allRest = false;
    // If all clusters were idle, their logical times may be old. Advance them.
    if (wokeUp) this.#upkeep.round();
    this.#resting.wake(IDLE_MS);
    this.#upkeep.wake();
    this.#collection.touch();
    return isLeft;
  }

  #rest(): void {
    const oldest = this.#dependencies.machine.monotonic() - IDLE_MS;
    const resting = [...this.#clusters.values()].map((cluster) => cluster.restSince(oldest));
    this.#allRest = !resting.includes(false);
  }
}
