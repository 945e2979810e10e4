import type { MachineClock } from '@portolan/foundation/clock';
import type { Log } from '@portolan/foundation/log';
import type { Operations } from '../commands/context/operations.ts';
import { interruptions, Postponed, WaitForCommit, WaitForPreparation } from '../errors/interruption.ts';
import { ServerError } from '../errors/server-error.ts';
import { errorAnswer, withConcernError } from './answer.ts';
import { backgroundOperation } from './background-operation.ts';
import { Backlog } from './backlog.ts';
import { ConnectionOrder } from './connection-order.ts';
import type { OpenCluster } from './open-cluster.ts';
import { Operation, type Respond } from './operations.ts';
import type { LastWrite, WireRequest } from './protocol.ts';
import { countOperation, makeReady, type Ready, runReady } from './ready.ts';
import { needsNoData } from './request.ts';
import { noPorts, type SchedulerOptions } from './scheduler-ports.ts';
import { StartOrder } from './start-order.ts';
import { Statements } from './statements.ts';
import { WaitingOperations } from './waiting-operations.ts';

/** Maximum time for the preparation of a statement (`WaitForPreparation`), which normally takes about 30 ms. */
const PREPARED_MS = 10_000;

/**
 * Maximum times for which the thread starts waiting statements before it sends replies and receives messages, and for
 * which writes share a transaction. The statement that was started last runs to its end.
 */
const TURN_MS = 5;
const GROUP_MS = 10;

/** Maximum number of turns of other statements at one interruption check of a statement. */
const MAX_TURNS = 4;

/** Parsing a request of this size or more can take a millisecond or longer, so other statements may run in between. */
const LARGE_BYTES = 65_536;

/** Schedules the requests of a query thread, runs them, and commits what they write. */
export class Scheduler {
  readonly #machine: MachineClock;
  readonly #log: Log;
  readonly #clusters: ReadonlyMap<string, OpenCluster>;
  readonly #onRunnable: () => void;
  readonly #backlog = new Backlog();
  /** The clusters that have written since `takeCommits`. */
  readonly #commits = new Set<OpenCluster>();
  /** The clusters that have profiler entries to store after the current pass. */
  readonly #profiled = new Set<OpenCluster>();
  readonly #order = new ConnectionOrder();
  readonly #starts = new StartOrder();
  readonly #statements: Statements;
  readonly #waiting: WaitingOperations;
  #lastId = 0;
  ports = noPorts;

  constructor({ machine, log, clusters, onRunnable, ...statements }: SchedulerOptions) {
    this.#machine = machine;
    this.#log = log;
    this.#clusters = clusters;
    this.#onRunnable = onRunnable;
    const others = () => this.#letOthersRun();
    this.#statements = new Statements({ ...statements, clock: machine, others });
    this.#waiting = new WaitingOperations(machine, (operation) => {
      this.#backlog.queue.add(operation);
      onRunnable();
    });
  }

  get busy(): boolean {
    return this.#statements.depth > 0;
  }

  opened(cluster: OpenCluster): void {
    this.#commits.add(cluster);
    cluster.store.onDividing = () => this.#statements.divide();
  }

  closed(clusterId: string): void {
    this.#starts.closed(clusterId);
  }

  profiled(cluster: OpenCluster): void {
    this.#profiled.add(cluster);
  }

  /** Runs a background write of a cluster. Meanwhile, statements of other clusters can run. */
  writeInBackground<T>(cluster: OpenCluster, purpose: string, work: () => T): T {
    try {
      const operation = backgroundOperation(cluster, purpose, this.#machine.monotonic());
      return this.#statements.run(operation, cluster, false, work);
    } finally {
      this.wroteInBackground(cluster);
      if (this.#backlog.queue.size > 0) this.#onRunnable();
    }
  }

  /** Reports what a background write has committed. */
  wroteInBackground(cluster: OpenCluster): void {
    if (!cluster.committed()) return;
    this.#commits.add(cluster);
    this.wake(cluster.id, false);
    this.#onRunnable();
  }

  /**
   * Resumes operations that wait in a cluster for a change other than a commit, such as a new primary or the end of a
   * transaction.
   */
  changed(clusterId: string): void {
    this.wake(clusterId, false);
    if (!this.busy) this.#onRunnable();
  }

  /** Interrupts the running statements of a cluster that is about to close, or of all clusters. */
  interrupt(clusterId?: string): void {
    for (const operation of this.#statements) {
      const concerned = clusterId === undefined || operation.wire.clusterId === clusterId;
      if (concerned) operation.kill(interruptions.shutdown());
    }
  }

  submit(wire: WireRequest, respond: Respond): void {
    this.#lastId = (this.#lastId + 1) % 0x7fffffff;
    this.#backlog.queue.add(new Operation(this.#lastId, wire, respond, this.#machine.monotonic()));
  }

  /** Kills the requests of connections that have closed, except unacknowledged writes. */
  disconnected(connectionIds: ReadonlySet<number>): void {
    for (const operation of this.all()) {
      if (!connectionIds.has(operation.caller.connectionId)) continue;
      operation.orphan = true;
      if (!operation.expectsNoReply) operation.kill(interruptions.disconnected());
    }
    for (const { replicationWaits } of this.#clusters.values()) replicationWaits.disconnected(connectionIds);
    this.#sweep();
  }

  takeCommits(): LastWrite[] {
    if (this.#commits.size === 0) return [];
    const commits = [...this.#commits].map((cluster) => cluster.lastWrite);
    this.#commits.clear();
    return commits;
  }

  /** Runs what can run, and meanwhile receives messages and sends replies. Stops after `ms` ms, and returns true. */
  run(ms = Number.POSITIVE_INFINITY): boolean {
    for (let spent = 0; spent < ms; spent += TURN_MS) {
      if (!this.#turn()) return false;
      this.#exchange();
    }
    return true;
  }

  /** Runs what can run. Returns true if it has stopped because other messages have waited. */
  #turn(): boolean {
    const end = this.#machine.monotonic() + TURN_MS;
    while (this.#pass(end)) if (this.#machine.monotonic() >= end) return true;
    return false;
  }

  /** Runs what can run now, until the time `end`. Returns false if there was nothing to run. */
  #pass(end: number): boolean {
    let ran = this.#commitGroups(end);
    // Operations of all clusters can start after the groups, whose time does not count.
    const last = ran ? this.#machine.monotonic() + TURN_MS : end;
    const { queue } = this.#backlog;
    for (const operation of this.busy ? this.#starts.nested(queue) : this.#starts.outermost(queue)) {
      if (!queue.has(operation) || !this.#mayRun(operation) || !this.#start(operation)) continue;
      this.#starts.started(operation);
      ran = true;
      if (this.#machine.monotonic() >= last) break;
    }
    if (this.#machine.monotonic() < end && this.#commitGroups(end)) ran = true;
    this.#keepProfiles();
    return ran;
  }

  /** Commits a group, and further groups until the time `end`. Returns false if no group can run. */
  #commitGroups(end: number): boolean {
    let ran = false;
    const mayRun = (cluster: OpenCluster) =>
      !this.#statements.closed(cluster) && this.#statements.admitsGroup && !cluster.store.mustWait;
    for (const [cluster, group] of this.#backlog.take(mayRun)) {
      this.#commit(cluster, group);
      if (this.#machine.monotonic() >= end) return true;
      ran = true;
    }
    return ran;
  }

  /**
   * Stores profiler entries before the replies are sent, so that a client can read the entry of an operation after its
   * reply.
   */
  #keepProfiles(): void {
    for (const cluster of this.#profiled) {
      if (this.#statements.closed(cluster) || cluster.store.mustWait) continue;
      this.#profiled.delete(cluster);
      cluster.keepProfiles();
    }
  }

  #mayRun(operation: Operation): boolean {
    if (operation.state === 'running' || this.#order.mustWait(operation)) return false;
    const cluster = this.#clusters.get(operation.wire.clusterId);
    // A postponed write must not overtake the other writes of its group.
    if (operation.attempts > 0 && operation.ordered && this.#backlog.hasRest(cluster)) return false;
    if (!this.busy) return true;
    if (!this.#statements.admits(operation, cluster)) return false;
    return cluster === undefined || !this.#statements.closed(cluster) || needsNoData(operation.wire.sections);
  }

  /** Runs a read, or adds a write to its group. Returns false if it has to wait. */
  #start(operation: Operation): boolean {
    try {
      const ready = this.#admit(operation);
      // `#mayRun` did not yet know whether the operation can be repeated. Now it has been parsed, so ask again.
      if (!this.#statements.admits(operation, ready.cluster)) return false;
      if (!ready.writes && this.#order.hasWritten(operation.caller.connectionId)) {
        this.#order.putOff(operation.caller.connectionId);
        return false;
      }
      this.#backlog.queue.delete(operation);
      this.#order.parsed(operation);
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
    const make = () => makeReady(operation, cluster);
    if (operation.wire.sections.length < LARGE_BYTES) return make();
    this.#order.parses(operation);
    return this.#statements.parse(operation, cluster, make);
  }

  #queueWrite(ready: Ready): void {
    const { operation, cluster } = ready;
    if (!operation.ordered) {
      operation.ordered = true;
      this.#order.writes(operation.caller.connectionId);
    }
    // A long write gets a transaction of its own, so that no other write waits for it.
    if (operation.attempts > 0 && !cluster.store.mustWait) this.#commit(cluster, [ready]);
    else this.#backlog.join(ready);
  }

  /** Runs a group of writes in one transaction. Their replies are sent after the commit. */
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

  /** Runs a group. Returns one function per operation, which must be called after the commit. */
  #runGroup(cluster: OpenCluster, group: readonly Ready[]): Array<() => void> {
    const run = (ready: Ready) => {
      const document = runReady(ready, this.#statements, group.length > 1);
      return () => this.#respondWhenReplicated(ready, document);
    };
    const [only] = group;
    // A single command needs no savepoint, since its failure rolls back the whole transaction.
    if (only !== undefined && group.length === 1) return [run(only)];
    const end = this.#machine.monotonic() + GROUP_MS;
    return group.map((ready, index) => {
      if (index > 0 && this.#machine.monotonic() >= end) return () => this.#backlog.leave(ready);
      try {
        return cluster.store.savepoint(() => run(ready));
      } catch (error) {
        return () => this.#fail(ready.operation, error);
      }
    });
  }

  #respondWhenReplicated({ operation, generic, cluster }: Ready, document: Uint8Array): void {
    const { waits } = generic.writeConcern;
    if (waits === undefined || operation.orphan) {
      this.#respond(operation, document);
      return;
    }
    cluster.replicationWaits.add(operation.caller.connectionId, waits, (met) => {
      this.#respond(operation, met ? document : withConcernError(document, waits.timedOut));
    });
  }

  #respond(operation: Operation, document: Uint8Array): void {
    if (operation.ordered) this.#order.done(operation.caller.connectionId);
    operation.respond(document);
  }

  /** Replies with the error, or queues the operation again if it has to wait. */
  #fail(operation: Operation, error: unknown): void {
    if (error instanceof Postponed) {
      operation.attempts++;
      // Defer later requests of the connection, which must not overtake this operation.
      if (operation.ordered) this.#order.putOff(operation.caller.connectionId);
      this.#backlog.queue.add(operation);
      return;
    }
    this.#order.parsed(operation);
    if (error instanceof WaitForCommit) {
      this.#waiting.add(operation, error.ms, error.changed);
      return;
    }
    if (error instanceof WaitForPreparation) {
      this.#waiting.addUntil(operation, PREPARED_MS, error.prepared, () => {
        this.wake(operation.wire.clusterId, false);
        this.#onRunnable();
      });
      return;
    }
    const cluster = this.#clusters.get(operation.wire.clusterId);
    if (cluster !== undefined) countOperation(operation, cluster, this.#statements, { error });
    cluster?.met(error);
    this.#respond(operation, errorAnswer(error, this.#log, cluster?.times ?? {}, operation));
  }

  /**
   * Called in the middle of a statement. Receives messages, runs other operations, and sends their replies. Returns
   * true if some operations still wait for their turn.
   */
  #letOthersRun(): boolean {
    this.ports.receive();
    this.#sweep();
    // Statements that arrive during a long turn would otherwise wait for another slice.
    for (let turns = 1; this.#turn() && turns < MAX_TURNS; turns++) this.#exchange();
    this.ports.send();
    return this.#backlog.queue.size > 0;
  }

  #exchange(): void {
    this.ports.send();
    this.ports.receive();
    this.#sweep();
  }

  /** Replies to waiting operations that were killed or whose deadline has passed. */
  #sweep(): void {
    const now = this.#machine.monotonic();
    for (const operation of this.#waiting.takeDue()) this.#backlog.queue.add(operation);
    for (const operation of [...this.#backlog]) {
      // A running operation is one that is being parsed. Its parser checks whether it must end.
      if (operation.state === 'running') continue;
      try {
        operation.checkEnd(now);
      } catch (error) {
        this.#backlog.remove(operation);
        this.#fail(operation, error);
      }
    }
  }

  /** Yields all operations to which the worker has not replied yet. */
  *all(): Generator<Operation> {
    yield* this.#statements;
    for (const operation of this.#backlog) if (operation.state !== 'running') yield operation;
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

  /** Queues the operations of a cluster that have waited for a change, so that they run again. */
  wake(clusterId: string, awaitTimedOut: boolean): void {
    const woken = awaitTimedOut ? this.#waiting.take(clusterId) : this.#waiting.takeChanged(clusterId);
    for (const operation of woken) {
      operation.awaitTimedOut = awaitTimedOut;
      this.#backlog.queue.add(operation);
    }
  }
}
