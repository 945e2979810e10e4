import type { MachineClock } from '@portolan/foundation/clock';
import { changeTurn, noTurn, type Turn } from '../bson/turns.ts';
import { Postponed, WaitForCommit, WaitForPreparation } from '../errors/interruption.ts';
import { noneExamined, type RunningStatement } from '../storage/model/running-statement.ts';
import { writeConflict } from '../storage/transactions/held-keys.ts';
import type { OpenCluster } from './open-cluster.ts';
import type { Operation } from './operations.ts';

/**
 * The time for which a statement runs before it yields for the first time. Shorter statements never wait for others
 * once they have started.
 */
const SHORT_MS = 5;
/**
 * Up to this number of interruption checks, a statement counts as short even if `SHORT_MS` has passed, because the
 * machine may have suspended the thread. After `SURELY_LONG_MS`, a statement never counts as short. These checks take
 * 0.1 to 10 ms of CPU time.
 */
const SHORT_CHECKS = 16;
const SURELY_LONG_MS = 10;
/**
 * Factor by which the time budget of a statement that runs within others grows. If the statement exceeds its budget, it
 * is rolled back, and runs again later with a larger one. All failed attempts together thus take a third of the time of
 * the last attempt.
 */
const BUDGET_GROWTH = 4;
/**
 * Number of attempts within other statements, with budgets from 5 ms to 20 s. After them, a statement runs only
 * outside all others.
 */
export const NESTED_ATTEMPTS = 7;
/**
 * A statement that has yielded runs for a slice of time before it yields again. The slice is as long as the other
 * statements took meanwhile, within these bounds. So the statement gets at least half of the time, and others never
 * wait longer than the upper bound.
 */
const SHORTEST_SLICE_MS = 1;
const LONGEST_SLICE_MS = 5;
/**
 * The time after which a statement is postponed if others wait for it in the same transaction. For
 * comparison, 1,000 inserts take 15 ms.
 */
const SHARED_MS = 100;
/**
 * The duration of a statement that could not be repeated predicts the duration of later statements. The prediction is
 * halved in each period of this length.
 */
const HALVED_MS = 10_000;
/**
 * The time after which a `getMore` ends its batch if others wait for it: statements within which it runs, or statements
 * in the queue.
 */
const BATCH_MS = 100;
/**
 * A statement that has run for `LONG_MS` yields the processor every `PROCESSOR_MS`, to threads of other clusters that
 * wait for it. The scheduler of Linux otherwise takes the processor from a thread only every 4 ms or later, and a reply
 * passes several threads.
 */
const LONG_MS = 100;
const PROCESSOR_MS = 4;
/** The limits on work that belongs to no statement, such as planning a finished statement again for a log line. */
const WITHOUT_STATEMENT = { checks: 4_096, bytes: 16 << 20 };
/** Maximum nesting depth: one statement per budget, and one without. Each level takes about 10 KB of stack. */
const MAX_NESTED = NESTED_ATTEMPTS + 1;

interface Frame {
  readonly operation: Operation;
  readonly cluster: OpenCluster;
  /** True if the statement runs within the write transaction of its cluster. */
  readonly writing: boolean;
  /** The time that the statement may take, without the statements that run within it. */
  budget: number;
  /** Monotonic machine time at which the statement is postponed in any case. */
  until: number;
  /** The time that the statement has taken, without the statements that run within it. */
  used: number;
  /** Number of times that the statement has checked the time. */
  checks: number;
  /** Monotonic machine time since which the statement runs, after it has yielded. */
  resumed: number;
  /** Monotonic machine time at which the statement yields next. */
  next: number;
  /** True if the statement can no longer be interrupted. */
  final: boolean;
  readonly turn: Turn;
}

interface StatementsOptions {
  readonly clock: MachineClock;
  /** Represents the innermost statement. */
  readonly running: RunningStatement;
  /** Runs other operations. Returns true if some still wait. */
  readonly others: () => boolean;
  /** Called with the operation of the innermost statement whenever it changes. */
  readonly onOperation: (operation: Operation | undefined) => void;
  /** Lets other threads use the processor. */
  readonly yieldProcessor: () => void;
}

/** Returns an error for the client if running the operation again would repeat changes that are committed. */
function unrepeatable(error: unknown): unknown {
  const again = [Postponed, WaitForCommit, WaitForPreparation].some((kind) => error instanceof kind);
  return again ? writeConflict() : error;
}

/**
 * The running statements: the outermost one, and those nested at its interruption checks. A statement runs
 * within others only if each of them has already run for at least as long as the budget of the statement. A
 * statement thus delays another statement by at most the time for which that other statement has already run.
 */
export class Statements {
  readonly #clock: MachineClock;
  readonly #others: () => boolean;
  readonly #frames: Frame[] = [];
  readonly #running: RunningStatement;
  readonly #onOperation: (operation: Operation | undefined) => void;
  readonly #yieldProcessor: () => void;
  /** Monotonic machine time at which the thread last yielded the processor. */
  #yielded = 0;
  /** The longest recent statement that could not be repeated, by cluster. */
  readonly #longest = new WeakMap<OpenCluster, { readonly ms: number; readonly at: number }>();

  constructor({ clock, running, others, onOperation, yieldProcessor }: StatementsOptions) {
    this.#clock = clock;
    this.#running = running;
    this.#others = others;
    this.#onOperation = onOperation;
    this.#yieldProcessor = yieldProcessor;
  }

  get depth(): number {
    return this.#frames.length;
  }

  get current(): Operation | undefined {
    return this.#frames.at(-1)?.operation;
  }

  *[Symbol.iterator](): Generator<Operation> {
    for (const { operation } of this.#frames) yield operation;
  }

  /**
   * True if the cluster must not be accessed now, because one of its statements has made changes that may be rolled
   * back.
   */
  closed(cluster: OpenCluster): boolean {
    return this.#frames.some(
      (frame) => frame.cluster === cluster && (frame.writing || frame.operation.inTransaction),
    );
  }

  /** True if the operation may start now. */
  admits(operation: Operation, cluster: OpenCluster | undefined): boolean {
    return this.#admitsBudget(this.#budgetOf(operation, cluster));
  }

  /** True if a group of writes, none of which was postponed, may start now. */
  get admitsGroup(): boolean {
    return this.#admitsBudget(SHORT_MS);
  }

  #admitsBudget(budget: number): boolean {
    return this.depth < MAX_NESTED && this.#frames.every(({ used }) => used >= budget);
  }

  /**
   * Returns the maximum time of an operation that runs within others, or the time that the operation will
   * probably take if it cannot be repeated.
   */
  #budgetOf(operation: Operation, cluster: OpenCluster | undefined): number {
    const { attempts, repeatable } = operation;
    if (!repeatable) return Math.max(SHORT_MS, this.#expected(cluster, this.#clock.monotonic()));
    return attempts < NESTED_ATTEMPTS ? SHORT_MS * BUDGET_GROWTH ** attempts : Number.POSITIVE_INFINITY;
  }

  /**
   * Runs a statement. `shared` is true if others wait for it in the same transaction. Throws `Postponed` or
   * `Interruption`.
   */
  run<T>(operation: Operation, cluster: OpenCluster, shared: boolean, work: () => T): T {
    return this.#run(operation, cluster, { shared, parsing: false }, work);
  }

  /** Parses a large request, which takes a long time. Throws `Postponed` or `Interruption`. */
  parse<T>(operation: Operation, cluster: OpenCluster, work: () => T): T {
    return this.#run(operation, cluster, { shared: false, parsing: true }, work);
  }

  #run<T>(
    operation: Operation,
    cluster: OpenCluster,
    { shared, parsing }: { shared: boolean; parsing: boolean },
    work: () => T,
  ): T {
    const writing = operation.writes && !parsing;
    const now = this.#clock.monotonic();
    const running = this.#running;
    const bounded = operation.repeatable && this.depth > 0;
    const frame: Frame = {
      operation,
      cluster,
      writing,
      budget: bounded ? this.#budgetOf(operation, cluster) : Number.POSITIVE_INFINITY,
      until: operation.repeatable && shared ? now + SHARED_MS : Number.POSITIVE_INFINITY,
      used: 0,
      checks: 0,
      resumed: now,
      next: now + SHORT_MS,
      final: false,
      turn: { poll: this.#look, held: 0, memory: running },
    };
    operation.state = 'running';
    operation.began = now;
    this.#frames.push(frame);
    const look = running.watch(this.#look);
    const turn = changeTurn(frame.turn);
    const { examined, mayScanTables, operation: outer, held, kept } = running;
    running.held = 0;
    running.kept = 0;
    running.examined = operation.examined = noneExamined();
    operation.memory = { bytes: 0 };
    operation.created = undefined;
    operation.progress = undefined;
    running.mayScanTables = !cluster.parameters.noTableScan;
    running.operation = operation;
    this.#onOperation(operation);
    try {
      operation.checkEnd(now);
      return work();
    } catch (error) {
      throw operation.divided ? unrepeatable(error) : error;
    } finally {
      cluster.counters.of(operation.caller.member).addExamined(running.examined);
      running.examined = examined;
      running.mayScanTables = mayScanTables;
      running.operation = outer;
      running.held = held;
      running.kept = kept;
      running.watch(look);
      changeTurn(turn);
      this.#frames.pop();
      this.#onOperation(this.current);
      operation.state = 'queued';
      if (!parsing && !operation.repeatable && operation.command?.data !== 'none') this.#learn(frame);
    }
  }

  /**
   * Runs work that belongs to no statement, without yielding. Returns undefined if the work takes long or needs much
   * memory.
   */
  bounded<T>(work: () => T): T | undefined {
    const running = this.#running;
    const counted = () => {
      const turn = changeTurn({ poll: () => running.checkNow(), held: 0, memory: running });
      try {
        return running.releasing(work);
      } finally {
        changeTurn(turn);
      }
    };
    return running.aside(() => running.within(WITHOUT_STATEMENT, counted));
  }

  /**
   * Records that the running statement has its result. From then on, the statement is not postponed, because it may
   * have opened a cursor. If `final` is true, it is not interrupted either.
   */
  settle(final: boolean): void {
    const frame = this.#frames.at(-1);
    if (frame === undefined) return;
    frame.final = final;
    frame.budget = Number.POSITIVE_INFINITY;
    frame.until = Number.POSITIVE_INFINITY;
  }

  /**
   * Called before a part of the running write is committed. A write that may have to be postponed runs again later, and
   * then within no other statement.
   */
  divide(): void {
    const frame = this.#frames.at(-1);
    if (frame === undefined) return;
    const { operation, budget, until } = frame;
    if (budget !== Number.POSITIVE_INFINITY || until !== Number.POSITIVE_INFINITY) {
      operation.attempts = NESTED_ATTEMPTS - 1;
      throw new Postponed();
    }
    operation.divided = true;
  }

  /**
   * Returns the expected duration of a statement that cannot be repeated. The estimate comes from earlier statements of
   * the cluster that could not be repeated either.
   */
  #expected(cluster: OpenCluster | undefined, now: number): number {
    const longest = cluster && this.#longest.get(cluster);
    return longest === undefined ? 0 : longest.ms * 2 ** ((longest.at - now) / HALVED_MS);
  }

  #learn({ cluster, used, resumed }: Frame): void {
    const now = this.#clock.monotonic();
    const ms = used + now - resumed;
    if (ms > this.#expected(cluster, now)) this.#longest.set(cluster, { ms, at: now });
  }

  /** Called at interruption checks. Postpones the statement if it exceeds its budget, or runs others if its turn is over. */
  readonly #look = (): void => {
    const frame = this.#frames.at(-1) as Frame;
    const now = this.#clock.monotonic();
    if (!frame.final) frame.operation.checkEnd(now);
    const used = frame.used + now - frame.resumed;
    if (++frame.checks < SHORT_CHECKS && used < SURELY_LONG_MS) return;
    if (used >= frame.budget || now >= frame.until) throw new Postponed();
    if (now < frame.next) return;
    frame.used = used;
    frame.operation.yields++;
    const turn = changeTurn(noTurn);
    let waiting = true;
    try {
      // Without `aside`, the interruption of this statement would be thrown in other statements.
      waiting = this.#running.aside(this.#others);
    } finally {
      changeTurn(turn);
    }
    if (used >= LONG_MS && now - this.#yielded >= PROCESSOR_MS) {
      this.#yielded = now;
      this.#yieldProcessor();
    }
    const later = this.#clock.monotonic();
    const slice = Math.min(Math.max(later - now, SHORTEST_SLICE_MS), LONGEST_SLICE_MS);
    frame.resumed = later;
    const ends = frame.operation.command?.operation === 'getmore' && used >= BATCH_MS;
    frame.turn.spent = ends && (waiting || this.depth > 1);
    frame.next = later + slice;
    if (!frame.final) frame.operation.checkEnd(later);
  };
}
