import type { MachineClock } from '@portolan/foundation/clock';
import type { Log } from '@portolan/foundation/log';
import type { Operations } from '../commands/context/operations.ts';
import { interruptions, Postponed, WaitForCommit, WaitForPreparation } from '../errors/interruption.ts';
import { ServerError } from '../errors/server-error.ts';
import type { RunningStatement } from '../storage/model/running-statement.ts';
import { errorAnswer, withConcernError } from './answer.ts';
import { Backlog } from './backlog.ts';
import { ConnectionOrder } from './connection-order.ts';
import type { OpenCluster } from './open-cluster.ts';
import { Operation, type Respond } from './operations.ts';
import type { LastWrite, WireRequest } from './protocol.ts';
import { countOperation, makeReady, type Ready, runReady } from './ready.ts';
import { needsNoData } from './request.ts';
import { Statements } from './statements.ts';
import { WaitingOperations } from './waiting-operations.ts';

/** Preparing a statement (`WaitForPreparation`) takes some 30 ms; the statement gives up after this time. */
const PREPARED_MS = 10_000;

/** The worker's ports, as used in the middle of a statement. */
export interface SchedulerPorts {
  /** Reads incoming messages: submits requests and reports closed connections. */
  receive(): void;
  /** Sends the finished answers. */
  send(): void;
}

const noPorts: SchedulerPorts = { receive() {}, send() {} };

interface SchedulerOptions {
  readonly machine: MachineClock;
  readonly log: Log;
  readonly clusters: ReadonlyMap<string, OpenCluster>;
  /** The statement that runs on this thread. */
  readonly running: RunningStatement;
  /** Called when an operation becomes runnable without a new request. */
  readonly onRunnable: () => void;
}

/** Decides which requests of a worker run when, runs them, and commits what they write. */
export class Scheduler {
  readonly #machine: MachineClock;
  readonly #log: Log;
  readonly #clusters: ReadonlyMap<string, OpenCluster>;
  readonly #onRunnable: () => void;
  readonly #backlog = new Backlog();
  /** Clusters that have written since `takeCommits`. */
  readonly #commits = new Set<OpenCluster>();
  /** Clusters with profiles to store. */
  readonly #profiled = new Set<OpenCluster>();
  readonly #order = new ConnectionOrder();
  readonly #statements: Statements;
  readonly #waiting: WaitingOperations;
  #lastId = 0;
  ports = noPorts;

  constructor({ machine, log, clusters, running, onRunnable }: SchedulerOptions) {
    this.#machine = machine;
    this.#log = log;
    this.#clusters = clusters;
    this.#onRunnable = onRunnable;
    this.#statements = new Statements(machine, running, () => this.#letOthersRun());
    this.#waiting = new WaitingOperations(machine, (operation) => {
      this.#backlog.queue.add(operation);
      onRunnable();
    });
  }

  /** A statement is running. */
  get busy(): boolean {
    return this.#statements.depth > 0;
  }

  /** Reports the newest write of a cluster that has just been opened. */
  opened(cluster: OpenCluster): void {
    this.#commits.add(cluster);
  }

  /** Stores the profiles of a cluster after the current pass. */
  profiled(cluster: OpenCluster): void {
    this.#profiled.add(cluster);
  }

  /** Reports what a background write has committed. */
  wroteInBackground(cluster: OpenCluster): void {
    if (!cluster.committed()) return;
    this.#commits.add(cluster);
    this.wake(cluster.id, false);
    this.#onRunnable();
  }

  /**
   * Runs the operations that wait in a cluster for a change that is not a commit, such as another primary or the end of
   * a transaction.
   */
  changed(clusterId: string): void {
    this.wake(clusterId, false);
    if (!this.busy) this.#onRunnable();
  }

  /** Interrupts the running statements of a cluster that is to be closed; without a cluster, of all of them. */
  interrupt(clusterId?: string): void {
    for (const operation of this.#statements) {
      const concerned = clusterId === undefined || operation.wire.clusterId === clusterId;
      if (concerned) operation.kill(interruptions.shutdown());
    }
  }

  /** Adds a request to the next turn. */
  submit(wire: WireRequest, respond: Respond): void {
    this.#lastId = (this.#lastId + 1) % 0x7fffffff;
    this.#backlog.queue.add(new Operation(this.#lastId, wire, respond, this.#machine.monotonic()));
  }

  /** A connection has closed: its requests end, except writes that have not begun. */
  disconnected(connectionId: number): void {
    for (const operation of this.all()) {
      if (operation.caller.connectionId !== connectionId) continue;
      operation.orphan = true;
      const { command, writes, request, state } = operation;
      if (command === undefined || request?.unacknowledged) continue;
      if (!writes || state === 'running') operation.kill(interruptions.disconnected());
    }
    this.#sweep();
  }

  /** The newest writes of the clusters that have written since the last call. */
  takeCommits(): LastWrite[] {
    if (this.#commits.size === 0) return [];
    const commits = [...this.#commits].map((cluster) => cluster.lastWrite);
    this.#commits.clear();
    return commits;
  }

  /** Runs everything that may run now; returns false if there was nothing. */
  pass(): boolean {
    let ran = false;
    for (const operation of this.#backlog.queue)
      if (this.#mayRun(operation) && this.#start(operation)) ran = true;
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

  /** Stores profiles before the answers leave, so that a client can read the profile of an answered operation. */
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

  /** Runs a read, or queues a write for its group; returns false if its connection has to wait. */
  #start(operation: Operation): boolean {
    try {
      const ready = this.#admit(operation);
      if (!ready.writes && this.#order.hasWritten(operation.caller.connectionId)) {
        this.#order.putOff(operation.caller.connectionId);
        return false;
      }
      this.#backlog.queue.delete(operation);
      if (ready.writes) this.#queueWrite(ready);
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
    cluster.touch(this.#machine.monotonic());
    return makeReady(operation, cluster);
  }

  #queueWrite(ready: Ready): void {
    const { operation, cluster } = ready;
    if (!operation.ordered) {
      operation.ordered = true;
      this.#order.writes(operation.caller.connectionId);
    }
    // A long write gets a separate transaction, so that no other waits for it.
    if (operation.long) this.#commit(cluster, [ready]);
    else this.#backlog.join(ready);
  }

  /** Runs a group in one transaction; its answers leave after the commit. */
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
    this.wake(cluster.id, false);
  }

  /** Runs the group; returns what to do for each operation after the commit. */
  #runGroup(cluster: OpenCluster, group: readonly Ready[]): Array<() => void> {
    const run = (ready: Ready) => {
      const document = runReady(ready, this.#statements, group.length > 1);
      return () => this.#respondWhenReplicated(ready, document);
    };
    const [only] = group;
    // The failure of a single command rolls back the transaction itself, without a savepoint.
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

  /** Answers with the error, or queues the operation again if it has to wait. */
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
        this.wake(operation.wire.clusterId, false);
        this.#onRunnable();
      };
      error.prepared.then(again, again);
      return;
    }
    if (error instanceof Postponed) {
      operation.long = true;
      // Later requests of its connection must not overtake it.
      if (operation.ordered) this.#order.putOff(operation.caller.connectionId);
      this.#backlog.queue.add(operation);
      return;
    }
    const cluster = this.#clusters.get(operation.wire.clusterId);
    if (cluster !== undefined) countOperation(operation, cluster, undefined, error);
    cluster?.met(error);
    this.#respond(operation, errorAnswer(error, this.#log, cluster?.times ?? {}, operation));
  }

  /** In the middle of a statement: receives messages, runs other operations, and sends the answers. */
  #letOthersRun(): void {
    this.ports.receive();
    this.#sweep();
    while (this.pass()) {}
    this.ports.send();
  }

  /** Answers waiting operations that were killed or are past their deadline. */
  #sweep(): void {
    const now = this.#machine.monotonic();
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

  /** All unanswered operations. */
  *all(): Generator<Operation> {
    yield* this.#statements;
    yield* this.#backlog;
    yield* this.#waiting;
  }

  operationsOf(clusterId: string): Operations {
    const scheduler = this;
    const list = () => [...scheduler.all()].filter(({ wire }) => wire.clusterId === clusterId);
    return {
      get current() {
        return scheduler.#statements.current;
      },
      list,
      kill(wanted, reason) {
        for (const operation of list()) if (wanted(operation)) operation.kill(reason);
        scheduler.#sweep();
      },
    };
  }

  /** Moves operations that wait for a change in a cluster to the next turn. */
  wake(clusterId: string, awaitTimedOut: boolean): void {
    const woken = awaitTimedOut ? this.#waiting.take(clusterId) : this.#waiting.takeChanged(clusterId);
    for (const operation of woken) {
      operation.awaitTimedOut = awaitTimedOut;
      this.#backlog.queue.add(operation);
    }
  }
}
