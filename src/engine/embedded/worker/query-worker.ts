import { NothingYet } from '../command.ts';
import { ServerError } from '../server-error.ts';
import { answer, errorAnswer } from './answer.ts';
import { OpenCluster, type WorkerSeams } from './open-cluster.ts';
import type { ClusterInfo, WireRequest } from './protocol.ts';
import { type Admitted, admit } from './request.ts';

/** Takes the answer to one request: the document's bytes. */
export type Respond = (document: Uint8Array) => void;

/** A request that waits for its turn. */
interface Waiting {
  readonly wire: WireRequest;
  readonly respond: Respond;
  /** Monotonic machine time at which it has waited long enough for something to happen. */
  readonly deadline?: number;
  readonly impatient?: boolean;
}

interface Ready extends Waiting, Admitted {}

/** A cluster that has had no request for this long gives its cached pages back. */
const IDLE_MS = 30_000;

/**
 * Runs the commands of some clusters, in turns. In a turn everything that waits is run: what reads at once, what
 * writes together, in one transaction for each cluster; the answers to writes leave when that is on the disk.
 */
export class QueryWorker {
  readonly #seams: WorkerSeams;
  readonly #clusters = new Map<string, OpenCluster>();
  #waiting: Waiting[] = [];
  #cancelIdle: (() => void) | undefined;
  /** What waits for something to happen, by cluster, and how to stop the clock that runs for it. */
  readonly #parked = new Map<string, Map<Waiting, () => void>>();
  /** Called when there is something to run although nothing was submitted. */
  onWake = () => this.runTurn();

  constructor(seams: WorkerSeams) {
    this.#seams = seams;
  }

  /** Throws `StorageError` when the file cannot be used. A cluster that is open takes the new `info`. */
  open(clusterId: string, dir: string, info: ClusterInfo): void {
    if (this.#clusters.has(clusterId)) this.configure(clusterId, info);
    else this.#clusters.set(clusterId, OpenCluster.open(clusterId, dir, info, this.#seams));
  }

  configure(clusterId: string, info: ClusterInfo): void {
    this.#clusters.get(clusterId)?.configure(info);
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
    this.#cancelIdle?.();
    this.#cancelIdle = undefined;
  }

  /** Puts a request into the next turn. */
  submit(wire: WireRequest, respond: Respond): void {
    this.#waiting.push({ wire, respond });
  }

  runTurn(): void {
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    this.#waiting = [];
    const writes = new Map<OpenCluster, Ready[]>();
    const afterWrites: Waiting[] = [];
    const order = new ConnectionOrder();
    for (const item of waiting) {
      const { connectionId } = item.wire.caller;
      if (order.mustWait(connectionId)) afterWrites.push(item);
      else this.#sort(item, writes, afterWrites, order);
    }
    for (const [cluster, group] of writes) {
      this.#commit(cluster, group);
      this.#wake(cluster.id, false);
    }
    this.#scheduleIdle();
    if (afterWrites.length === 0 && this.#waiting.length === 0) return;
    this.#waiting = [...afterWrites, ...this.#waiting];
    this.runTurn();
  }

  /** Runs a request that reads; puts others where they run later. */
  #sort(
    item: Waiting,
    writes: Map<OpenCluster, Ready[]>,
    afterWrites: Waiting[],
    order: ConnectionOrder,
  ): void {
    const { connectionId } = item.wire.caller;
    try {
      const cluster = this.#clusterOf(item);
      const ready = { ...item, ...admit(item.wire.sections, item.wire.caller, cluster) };
      if (ready.command.writes) {
        order.wrote(connectionId);
        const group = writes.get(cluster);
        if (group === undefined) writes.set(cluster, [ready]);
        else group.push(ready);
      } else if (order.hasWritten(connectionId)) {
        order.puttingOff(connectionId);
        afterWrites.push(item);
      } else {
        item.respond(run(withPatience(ready, item), cluster));
      }
    } catch (error) {
      if (error instanceof NothingYet) {
        this.#park(item, error.ms);
        return;
      }
      const { log } = this.#seams;
      item.respond(errorAnswer(error, log, this.#clusters.get(item.wire.clusterId)?.times));
    }
  }

  #clusterOf(item: Waiting): OpenCluster {
    const cluster = this.#clusters.get(item.wire.clusterId);
    if (cluster === undefined) {
      throw new ServerError('ShutdownInProgress', 'The server is in quiesce mode and will shut down');
    }
    cluster.touch(this.#seams.machine.monotonic());
    return cluster;
  }

  #park(item: Waiting, ms: number): void {
    const { machine } = this.#seams;
    const { clusterId } = item.wire;
    const now = machine.monotonic();
    const parked = { ...item, deadline: item.deadline ?? now + ms };
    const waiting = this.#parked.get(clusterId) ?? new Map<Waiting, () => void>();
    this.#parked.set(clusterId, waiting);
    const cancel = machine.after(Math.max(parked.deadline - now, 0), () => {
      waiting.delete(parked);
      this.#waiting.push({ ...parked, impatient: true });
      this.onWake();
    });
    waiting.set(parked, cancel);
  }

  /** Puts what waits for something to happen in a cluster into the next turn. */
  #wake(clusterId: string, impatient: boolean): void {
    const parked = this.#parked.get(clusterId);
    if (parked === undefined) return;
    this.#parked.delete(clusterId);
    for (const [item, cancel] of parked) {
      cancel();
      this.#waiting.push({ ...item, impatient });
    }
  }

  /** One transaction for all; no answer leaves before it is committed. */
  #commit(cluster: OpenCluster, group: readonly Ready[]): void {
    let answers: Uint8Array[];
    try {
      answers = cluster.store.write(() => this.#runGroup(cluster, group));
    } catch (error) {
      const failed = errorAnswer(error, this.#seams.log, cluster.times);
      answers = group.map(() => failed.slice());
    }
    group.forEach((ready, i) => {
      ready.respond(answers[i] as Uint8Array);
    });
  }

  #runGroup(cluster: OpenCluster, group: readonly Ready[]): Uint8Array[] {
    const [only] = group;
    // Alone, a command that fails undoes the transaction itself.
    if (only !== undefined && group.length === 1) return [run(only, cluster)];
    return group.map((ready) => {
      try {
        return cluster.store.savepoint(() => run(ready, cluster));
      } catch (error) {
        return errorAnswer(error, this.#seams.log, cluster.times);
      }
    });
  }

  #scheduleIdle(): void {
    this.#cancelIdle ??= this.#seams.machine.after(IDLE_MS, () => {
      this.#cancelIdle = undefined;
      const oldest = this.#seams.machine.monotonic() - IDLE_MS;
      const resting = [...this.#clusters.values()].map((cluster) => cluster.restSince(oldest));
      if (resting.includes(false)) this.#scheduleIdle();
    });
  }
}

/**
 * A connection sends on after a write that wants no answer. What it reads then comes after that write, and what it
 * writes after such a read.
 */
class ConnectionOrder {
  readonly #writers = new Set<number>();
  readonly #putOff = new Set<number>();

  wrote(connection: number): void {
    this.#writers.add(connection);
  }

  hasWritten(connection: number): boolean {
    return this.#writers.has(connection);
  }

  puttingOff(connection: number): void {
    this.#putOff.add(connection);
  }

  mustWait(connection: number): boolean {
    return this.#putOff.has(connection);
  }
}

function withPatience(ready: Ready, { impatient = false }: Waiting): Ready {
  return impatient ? { ...ready, request: { ...ready.request, impatient } } : ready;
}

function run({ command, request, generic }: Admitted, cluster: OpenCluster): Uint8Array {
  const { session } = request;
  if (session !== undefined) cluster.sessions.use(session);
  const unsatisfied = command.writes ? generic.writeConcern.unsatisfied : undefined;
  if (session === undefined || generic.txnNumber === undefined) {
    return answer(command.run(request, cluster), cluster.times, unsatisfied);
  }
  const retries = cluster.beginStatements(session, generic.txnNumber, request.body);
  const reply = command.run({ ...request, retries }, cluster);
  cluster.keepStatements(session, retries);
  return answer(reply, cluster.times, unsatisfied);
}
