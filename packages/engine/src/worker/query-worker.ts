import { type Repetition, repeat, rethrow } from '@portolan/foundation/repeat';
import type { Operations } from '../commands/context/operations.ts';
import { interruptions, Postponed, WaitForCommit, WaitForPreparation } from '../errors/interruption.ts';
import { ServerError } from '../errors/server-error.ts';
import type { Observation } from '../observe/observation.ts';
import type { NodeLink } from '../search/nodes/messages.ts';
import { RunningStatement } from '../storage/running-statement.ts';
import { StorageError } from '../storage/storage-error.ts';
import { errorAnswer, withConcernError } from './answer.ts';
import { Backlog } from './backlog.ts';
import { ConnectionOrder } from './connection-order.ts';
import { Expiry, expireDocuments } from './expiry.ts';
import { OpenCluster, type WorkerSeams } from './open-cluster.ts';
import { Operation, type Respond } from './operations.ts';
import type { ClusterFiles, ClusterInfo, LastWrite, WireRequest } from './protocol.ts';
import { countOperation, makeReady, type Ready, runReady } from './ready.ts';
import { needsNoData } from './request.ts';
import { Sampling, workOf } from './sampling.ts';
import { Statements } from './statements.ts';
import { WaitingOperations } from './waiting-operations.ts';

export type { Respond } from './operations.ts';

/** A cluster that has had no request for this long gives its cached pages back. */
const IDLE_MS = 30_000;

/** What a statement needs is made in some 30 ms. */
const PREPARED_MS = 10_000;

/** How a worker that is in the middle of a statement talks to the world. */
interface Ports {
  /** Takes what has come in: submits requests, tells of connections that are gone. */
  receive(): void;
  /** Sends the answers that are there. */
  send(): void;
  /** A command has met damage in the file of a cluster. */
  damaged(clusterId: string): void;
}

const noPorts: Ports = { receive() {}, send() {}, damaged() {} };

/**
 * Runs the commands of some clusters, in turns. In a turn everything that waits is run: what reads at once, what
 * writes together, in one transaction for each cluster; the answers to writes leave when that is on the disk. A
 * statement that takes long lets others run at its check points, inside of it.
 */
export class QueryWorker {
  readonly #seams: WorkerSeams;
  readonly #clusters = new Map<string, OpenCluster>();
  readonly #backlog = new Backlog();
  /** Those that have written. */
  readonly #commits = new Set<OpenCluster>();
  /** Those with profiles that are still to be kept. */
  readonly #profiled = new Set<OpenCluster>();
  readonly #order = new ConnectionOrder();
  /** The statement that runs on this thread; the files of all its clusters are read by it. */
  readonly #running = new RunningStatement();
  readonly #statements: Statements;
  readonly #waiting: WaitingOperations;
  readonly #expiry: Expiry;
  /** Gives back the memory of clusters that nobody uses. */
  readonly #resting: Repetition;
  readonly #sampling = new Sampling(() => process.threadCpuUsage());
  #lastId = 0;
  #allRest = true;
  ports = noPorts;
  /** Called when there is something to run although nothing was submitted. */
  onWake = () => this.runTurn();

  constructor(seams: WorkerSeams) {
    this.#seams = seams;
    this.#statements = new Statements(seams.machine, this.#running, () => this.#letOthersRun());
    this.#expiry = new Expiry(
      seams.machine,
      () => this.#clusters.values(),
      (cluster) => this.#expire(cluster),
      () => this.#statements.depth > 0,
    );
    seams.service.onChange(() => this.#expiry.clockMoved(this.#clusters.values()));
    this.#resting = repeat({
      machine: seams.machine,
      run: () => this.#rest(),
      interval: () => (this.#allRest ? Number.POSITIVE_INFINITY : IDLE_MS),
      onError: rethrow,
    });
    this.#waiting = new WaitingOperations(seams.machine, (operation) => {
      this.#backlog.queue.add(operation);
      this.onWake();
    });
  }

  /** Throws `StorageError` when the file cannot be used. A cluster that is open takes the new `info`. */
  open(clusterId: string, files: ClusterFiles, info: ClusterInfo): void {
    if (this.#clusters.has(clusterId)) {
      this.configure(clusterId, info);
      return;
    }
    const operations = this.#operationsOf(clusterId);
    const cluster = OpenCluster.open(clusterId, files, info, this.#seams, operations, this.#running);
    cluster.onRelease = () => this.#release(clusterId);
    cluster.onProfiled = () => this.#profiled.add(cluster);
    this.#clusters.set(clusterId, cluster);
    this.#commits.add(cluster);
    this.#expiry.add(cluster);
  }

  /** True when more documents have expired than could go at once. */
  #expire(cluster: OpenCluster): boolean {
    const more = expireDocuments(cluster);
    if (cluster.committed()) {
      this.#commits.add(cluster);
      this.#wake(cluster.id, false);
      this.onWake();
    }
    return more;
  }

  /** Writes that have waited for a transaction may be run. */
  #release(clusterId: string): void {
    this.#wake(clusterId, false);
    if (this.#statements.depth === 0) this.onWake();
  }

  /** Tells what the members of every open cluster have done so far. */
  sample(observe: (clusterId: string, observation: Observation) => void): void {
    this.#sampling.share(this.#clusters.values());
    for (const [clusterId, cluster] of this.#clusters) {
      const waiting = [...this.#all()]
        .filter(({ wire, state }) => wire.clusterId === clusterId && state === 'queued')
        .map(({ caller, writes }) => ({ member: caller.member, writes }));
      observe(clusterId, workOf(cluster, waiting));
    }
  }

  configure(clusterId: string, info: ClusterInfo): void {
    this.#clusters.get(clusterId)?.configure(info);
    // Some wait for another primary.
    this.#wake(clusterId, false);
    if (this.#statements.depth === 0) this.onWake();
  }

  /** A thread searches for a cluster from here on. */
  addSearchNode(clusterId: string, link: NodeLink): void {
    this.#clusters.get(clusterId)?.searchNodes.add(link);
  }

  /** Why the search indexes of a cluster follow its data no more; undefined: they do. */
  searchStopped(clusterId: string, stopped: string | undefined): void {
    const cluster = this.#clusters.get(clusterId);
    if (cluster !== undefined) cluster.search.stopped = stopped;
  }

  /** Ends what runs in a cluster that is to be closed; without a cluster, in all of them. */
  interrupt(clusterId?: string): void {
    for (const operation of this.#statements) {
      const concerned = clusterId === undefined || operation.wire.clusterId === clusterId;
      if (concerned) operation.kill(interruptions.shutdown());
    }
  }

  /** Runs what waits, then closes the file. */
  close(clusterId: string): void {
    this.#wake(clusterId, true);
    this.runTurn();
    this.#clusters.get(clusterId)?.close();
    this.#clusters.delete(clusterId);
  }

  closeAll(): void {
    for (const clusterId of [...this.#clusters.keys()]) this.close(clusterId);
    void this.#resting.stop();
    void this.#expiry.stop();
  }

  /** Puts a request into the next turn. */
  submit(wire: WireRequest, respond: Respond): void {
    this.#lastId = (this.#lastId + 1) % 0x7fffffff;
    const { machine } = this.#seams;
    this.#backlog.queue.add(new Operation(this.#lastId, wire, respond, machine.monotonic()));
  }

  /** A caller is gone: what it has asked ends, but for writes that have not begun; those it may have left behind. */
  disconnected(connectionId: number): void {
    for (const operation of this.#all()) {
      if (operation.caller.connectionId !== connectionId) continue;
      operation.orphan = true;
      const { command, writes, request, state } = operation;
      if (command === undefined || request?.unacknowledged) continue;
      if (!writes || state === 'running') operation.kill(interruptions.disconnected());
    }
    this.#sweep();
  }

  /** The newest writes of clusters that have written since this was asked last. */
  takeCommits(): LastWrite[] {
    if (this.#commits.size === 0) return [];
    const commits = [...this.#commits].map((cluster) => cluster.lastWrite);
    this.#commits.clear();
    return commits;
  }

  lastWrites(): LastWrite[] {
    return [...this.#clusters.values()].map((cluster) => cluster.lastWrite);
  }

  runTurn(): void {
    while (this.#pass()) {}
    this.#resting.wake(IDLE_MS);
  }

  /** Runs all that may run now; false when there was nothing. */
  #pass(): boolean {
    let ran = false;
    for (const operation of this.#backlog.queue)
      if (this.#mayRun(operation) && this.#take(operation)) ran = true;
    for (const [cluster, group] of this.#backlog.groups) {
      if (this.#statements.closed(cluster)) continue;
      this.#backlog.groups.delete(cluster);
      if (group.length === 0) continue;
      this.#commit(cluster, group);
      ran = true;
    }
    this.#keepProfiles();
    return ran;
  }

  /** Before the answers leave, so that whoever has one finds the profile of it. */
  #keepProfiles(): void {
    for (const cluster of this.#profiled) {
      if (this.#statements.closed(cluster)) continue;
      this.#profiled.delete(cluster);
      cluster.keepProfiles();
    }
  }

  #mayRun(operation: Operation): boolean {
    if (!operation.ordered && this.#order.mustWait(operation.caller.connectionId)) return false;
    if (this.#statements.depth === 0) return true;
    if (!this.#statements.admits(operation)) return false;
    const cluster = this.#clusters.get(operation.wire.clusterId);
    return cluster === undefined || !this.#statements.closed(cluster) || needsNoData(operation.wire.sections);
  }

  /** Runs a request that reads, lets one that writes wait for others; false when its connection has to wait. */
  #take(operation: Operation): boolean {
    try {
      const ready = this.#admit(operation);
      if (!ready.writes && this.#order.hasWritten(operation.caller.connectionId)) {
        this.#order.putOff(operation.caller.connectionId);
        return false;
      }
      this.#backlog.queue.delete(operation);
      if (ready.writes) this.#takeWrite(ready);
      else this.#respond(operation, runReady(ready, this.#statements, false));
    } catch (error) {
      this.#backlog.queue.delete(operation);
      this.#fail(operation, error);
    }
    return true;
  }

  #admit(operation: Operation): Ready {
    const cluster = this.#clusters.get(operation.wire.clusterId);
    if (cluster === undefined) {
      throw new ServerError('ShutdownInProgress', 'The server is in quiesce mode and will shut down');
    }
    cluster.touch(this.#seams.machine.monotonic());
    return makeReady(operation, cluster);
  }

  #takeWrite(ready: Ready): void {
    const { operation, cluster } = ready;
    if (!operation.ordered) {
      operation.ordered = true;
      this.#order.writes(operation.caller.connectionId);
    }
    // What takes long keeps nobody else waiting.
    if (operation.long) this.#commit(cluster, [ready]);
    else this.#backlog.join(ready);
  }

  /** One transaction for all; no answer leaves before it is committed. */
  #commit(cluster: OpenCluster, group: readonly Ready[]): void {
    let ends: Array<() => void>;
    try {
      ends = cluster.store.write(() => this.#runGroup(cluster, group));
    } catch (error) {
      ends = group.map(
        ({ operation }) =>
          () =>
            this.#fail(operation, error),
      );
    }
    if (cluster.committed()) this.#commits.add(cluster);
    for (const end of ends) end();
    this.#wake(cluster.id, false);
  }

  /** What is to be done with each of the group when all is committed. */
  #runGroup(cluster: OpenCluster, group: readonly Ready[]): Array<() => void> {
    const run = (ready: Ready) => {
      const document = runReady(ready, this.#statements, group.length > 1);
      return () => this.#respondWhenReplicated(ready, document);
    };
    const [only] = group;
    // Alone, a command that fails undoes the transaction itself.
    if (only !== undefined && group.length === 1) return [run(only)];
    return group.map((ready) => {
      try {
        return cluster.store.savepoint(() => run(ready));
      } catch (error) {
        return () => this.#fail(ready.operation, error);
      }
    });
  }

  #respondWhenReplicated({ operation, generic, cluster }: Ready, document: Uint8Array): void {
    const { waits } = generic.writeConcern;
    if (waits === undefined) {
      this.#respond(operation, document);
      return;
    }
    cluster.replicationWaits.add(waits, (met) => {
      this.#respond(operation, met ? document : withConcernError(document, waits.timedOut));
    });
  }

  #respond(operation: Operation, document: Uint8Array): void {
    if (operation.ordered) this.#order.done(operation.caller.connectionId);
    operation.respond(document);
  }

  /** Answers what went wrong, unless the request is only to be run again. */
  #fail(operation: Operation, error: unknown): void {
    if (error instanceof WaitForCommit) {
      this.#waiting.add(operation, error.ms, error.changed);
      return;
    }
    if (error instanceof WaitForPreparation) {
      let prepared = false;
      this.#waiting.add(operation, PREPARED_MS, () => prepared);
      const again = () => {
        prepared = true;
        this.#wake(operation.wire.clusterId, false);
        this.onWake();
      };
      error.prepared.then(again, again);
      return;
    }
    if (error instanceof Postponed) {
      operation.long = true;
      // Nothing that its connection has sent since may come before it.
      if (operation.ordered) this.#order.putOff(operation.caller.connectionId);
      this.#backlog.queue.add(operation);
      return;
    }
    const cluster = this.#clusters.get(operation.wire.clusterId);
    if (cluster !== undefined) countOperation(operation, cluster, undefined, error);
    if (error instanceof StorageError && error.reason === 'damaged') {
      this.ports.damaged(operation.wire.clusterId);
    }
    this.#respond(operation, errorAnswer(error, this.#seams.log, cluster?.times ?? {}, operation));
  }

  /** In the middle of a statement: takes what has come in, runs what may run beside it, and sends the answers. */
  #letOthersRun(): void {
    this.ports.receive();
    this.#sweep();
    while (this.#pass()) {}
    this.ports.send();
  }

  /** Answers those that wait although they were killed or their time is up. */
  #sweep(): void {
    const now = this.#seams.machine.monotonic();
    for (const operation of this.#waiting.takeDue()) this.#backlog.queue.add(operation);
    for (const operation of [...this.#backlog]) {
      try {
        operation.checkEnd(now);
      } catch (error) {
        this.#backlog.remove(operation);
        this.#fail(operation, error);
      }
    }
  }

  /** Everything that has come and is not answered yet. */
  *#all(): Generator<Operation> {
    yield* this.#statements;
    yield* this.#backlog;
    yield* this.#waiting;
  }

  #operationsOf(clusterId: string): Operations {
    const worker = this;
    const list = () => [...worker.#all()].filter(({ wire }) => wire.clusterId === clusterId);
    return {
      get current() {
        return worker.#statements.current;
      },
      list,
      kill(wanted, reason) {
        for (const operation of list()) if (wanted(operation)) operation.kill(reason);
        worker.#sweep();
      },
    };
  }

  /** Puts what waits for something to happen in a cluster into the next turn. */
  #wake(clusterId: string, awaitTimedOut: boolean): void {
    const woken = awaitTimedOut ? this.#waiting.take(clusterId) : this.#waiting.takeChanged(clusterId);
    for (const operation of woken) {
      operation.awaitTimedOut = awaitTimedOut;
      this.#backlog.queue.add(operation);
    }
  }

  #rest(): void {
    const oldest = this.#seams.machine.monotonic() - IDLE_MS;
    const resting = [...this.#clusters.values()].map((cluster) => cluster.restSince(oldest));
    this.#allRest = !resting.includes(false);
  }
}
