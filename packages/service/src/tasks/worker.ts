import type { MachineClock, ServiceClock } from '@portolan/foundation/clock';
import type { Log } from '@portolan/foundation/log';
import type { Random } from '@portolan/foundation/random';
import { type Repetition, repeat } from '@portolan/foundation/repeat';
import type { Store } from '../store/store.ts';
import { TASKS_TOUCHED } from './enqueue.ts';
import type { TaskKind } from './kind.ts';
import { Lane } from './lane.ts';
import { LeaseKeeper } from './leases.ts';
import {
  type Claimable,
  findClaimable,
  type Held,
  leaseTask,
  nextDue,
  releaseAllLeases,
  releaseLeases,
  type TaskRow,
} from './rows.ts';
import { type InjectWorkFault, runTask } from './run.ts';

export interface WorkerOptions<S> {
  readonly store: Store;
  readonly clock: ServiceClock;
  readonly machine: MachineClock;
  readonly random: Random;
  readonly log: Log;
  /** The services that are passed to every step. */
  readonly services: S;
  readonly kinds: readonly TaskKind<never, S>[];
  /**
   * Maximum number of concurrent tasks, 16 by default. For tasks that wait for external services, the limit is four
   * times as high.
   */
  readonly concurrency?: number;
  /**
   * Time in milliseconds of machine time after which another process may resume the tasks of a terminated process;
   * 10,000 by default.
   */
  readonly leaseTime?: number;
  /** Maximum time in milliseconds that `stop` waits for steps that ignore the abort signal; 5,000 by default. */
  readonly grace?: number;
  /** Returns the engine hosts that are reachable at the moment; none by default. */
  readonly hosts?: () => readonly string[];
  /** Injects declared faults into the work of tasks. If it is undefined, no faults are injected. */
  readonly injectFault?: InjectWorkFault | undefined;
}

export interface Worker {
  /** Searches for tasks at once. Called when a host becomes reachable. */
  wake(): void;
  /** Resolves when no task is running and none can start. */
  idle(): Promise<void>;
  /** Stops claiming tasks, aborts running tasks, and releases their leases. */
  stop(): Promise<void>;
}

/** The limit for tasks that wait for external services is this many times as high. */
const WAITING_FACTOR = 4;

/**
 * The factors that limit the tasks of one project (see `Lane`). A project may take half of the places for tasks that
 * wait for external services, and three quarters of the places for other tasks. If other projects have tasks, the
 * project may take fewer places.
 */
const PROJECT_FACTOR = { waiting: 1, working: 3 } as const;

/** How often to search for tasks that other instances have created, or whose host has become reachable. */
const POLL_MS = 1000;

/**
 * Starts a worker. If no other process can use the database, the worker resumes the tasks of a terminated process at
 * once.
 */
export async function startWorker<S>(options: WorkerOptions<S>): Promise<Worker> {
  const { store } = options;
  if (!store.capabilities.shared) await store.write(releaseAllLeases);
  return new TaskWorker(options);
}

class TaskWorker<S> implements Worker {
  readonly #options: WorkerOptions<S>;
  readonly #kinds: ReadonlyMap<string, TaskKind<never, S>>;
  readonly #lanes: readonly Lane[];
  readonly #leases: LeaseKeeper;
  readonly #running = new Map<Promise<void>, AbortController>();
  readonly #stopListening: () => void;
  readonly #looking: Repetition;
  /**
   * Returns the milliseconds of machine time until something is due. Infinite if nothing will be due until a commit
   * touches a key.
   */
  #untilDue: () => number = () => POLL_MS;

  constructor(options: WorkerOptions<S>) {
    this.#options = options;
    this.#kinds = kindsByName(options.kinds);
    this.#lanes = lanesOf(options.kinds, options.concurrency ?? 16);
    this.#leases = new LeaseKeeper({ ...options, leaseTime: this.#leaseTime });
    this.#looking = repeat({
      machine: options.machine,
      first: 0,
      run: (signal) => this.#look(signal),
      interval: () => this.#untilDue(),
      backOff: { first: POLL_MS, greatest: POLL_MS },
      onError: (error) => options.log.error({ reason: String(error) }, 'tasks could not be claimed'),
    });
    this.#stopListening = options.store.onTouch((keys) => keys.has(TASKS_TOUCHED) && this.wake());
    // Search for tasks, since a change of service time changes which tasks are due.
    options.clock.onChange(() => this.wake());
  }

  wake(): void {
    this.#looking.wake();
  }

  async idle(): Promise<void> {
    this.wake();
    await this.#looking.idle();
    while (this.#running.size > 0) {
      await Promise.race(this.#running.keys());
      await this.#looking.idle();
    }
  }

  async stop(): Promise<void> {
    this.#stopListening();
    await this.#looking.stop();
    for (const abort of this.#running.values()) abort.abort(new Error('the worker stops'));
    await this.#ended();
    const unfinished = this.#leases.held();
    if (unfinished.length > 0) await this.#options.store.write((tx) => releaseLeases(tx, unfinished));
    for (const held of unfinished) this.#leases.forget(held);
    await this.#leases.stop();
  }

  get #leaseTime(): number {
    return this.#options.leaseTime ?? 10_000;
  }

  /** Resolves when all running tasks have ended, but at the latest after the grace period. */
  async #ended(): Promise<void> {
    let cancel = () => {};
    const grace = new Promise<void>((resolve) => {
      cancel = this.#options.machine.after(this.#options.grace ?? 5000, resolve);
    });
    await Promise.race([Promise.all(this.#running.keys()), grace]);
    cancel();
  }

  async #look(signal: AbortSignal): Promise<void> {
    // Compute this before claiming tasks. Otherwise, a task that becomes due in between would be missed.
    this.#untilDue = await this.#foresee();
    await this.#startClaimable(signal);
  }

  async #startClaimable(signal: AbortSignal): Promise<void> {
    for (const lane of this.#lanes) {
      for (;;) {
        const claimed = lane.free > 0 ? await this.#claim(lane, signal) : [];
        for (const { row, held } of claimed) this.#start(row, held, lane);
        if (claimed.length === 0) break;
      }
    }
  }

  async #claim(lane: Lane, signal: AbortSignal): Promise<{ row: TaskRow; held: Held }[]> {
    const { store, hosts } = this.#options;
    const of: Claimable = { kinds: lane.kinds, hosts: hosts?.() ?? [], withoutOwners: lane.fullOwners() };
    // Read before starting a write transaction, since most polls find nothing.
    const found = await store.read((tx) => findClaimable(tx, of, 1, false));
    if (found.length === 0 || signal.aborted) return [];
    return store.write(async (tx) => {
      const rows = lane.admitted(await findClaimable(tx, of, lane.free, true));
      const claimed = rows.map((row) => ({ row, held: { id: row.id, lease: tx.id() } }));
      for (const { held } of claimed) await leaseTask(tx, held, this.#leaseTime);
      return claimed;
    });
  }

  #start(row: TaskRow, held: Held, lane: Lane): void {
    const kind = this.#kinds.get(row.kind);
    if (kind === undefined) throw new Error(`A task of the unknown kind ${row.kind} was claimed`);
    const abort = new AbortController();
    this.#leases.keep(held, abort);
    const log = this.#options.log.child({ task: row.id, kind: row.kind });
    const ended = runTask({ ...this.#options, kind, row, held, log, signal: abort.signal }).then(() => {
      this.#running.delete(ended);
      lane.end(row);
      this.#leases.forget(held);
      this.wake();
    });
    this.#running.set(ended, abort);
    lane.begin(row);
  }

  async #foresee(): Promise<() => number> {
    const { store, clock, machine } = this.#options;
    const startedAt = machine.monotonic();
    const { isAny, retryIn, runAt } = await store.read(nextDue);
    const untilRetry = () => (retryIn === undefined ? POLL_MS : startedAt + retryIn - machine.monotonic());
    const untilRun = () => (runAt === undefined ? POLL_MS : clock.until(runAt));
    if (!isAny && !store.capabilities.shared) return () => Number.POSITIVE_INFINITY;
    return () => Math.max(0, Math.min(POLL_MS, untilRetry(), untilRun()));
  }
}

/**
 * Returns the kinds of tasks in two groups with separate limits: kinds for internal work, and kinds that wait
 * for external services. Omits an empty group.
 */
function lanesOf<S>(kinds: readonly TaskKind<never, S>[], concurrency: number): readonly Lane[] {
  const named = (waits: boolean) =>
    kinds
      .filter(({ awaitsExternalServices = false }) => awaitsExternalServices === waits)
      .map(({ kind }) => kind);
  const lanes = [
    new Lane(named(false), { places: concurrency, factor: PROJECT_FACTOR.working }),
    new Lane(named(true), { places: concurrency * WAITING_FACTOR, factor: PROJECT_FACTOR.waiting }),
  ];
  return lanes.filter((one) => one.kinds.length > 0);
}

function kindsByName<S>(kinds: readonly TaskKind<never, S>[]): Map<string, TaskKind<never, S>> {
  const byName = new Map(kinds.map((kind) => [kind.kind, kind]));
  if (byName.size < kinds.length) throw new Error('Two kinds of task have the same name');
  for (const { kind, steps } of kinds) {
    const names = new Set(steps.map((step) => step.name));
    if (steps.length === 0 || names.size < steps.length)
      throw new Error(`The steps of ${kind} need distinct names`);
  }
  return byName;
}
