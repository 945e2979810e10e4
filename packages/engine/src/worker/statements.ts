import type { MachineClock } from '@portolan/foundation/clock';
import { changeTurn, noTurn } from '../bson/turns.ts';
import { noneExamined, type RunningStatement } from '../storage/model/running-statement.ts';
import type { OpenCluster } from './open-cluster.ts';
import type { Operation } from './operations.ts';

/**
 * The time after which a statement yields to others. It is as long as the others took the last time, within these
 * bounds: thus the statement gets at least half of the time, and others never wait longer than the upper bound.
 */
const SHORTEST_SLICE_MS = 2;
const LONGEST_SLICE_MS = 20;
/**
 * A short statement does not yield while it works on values, even if the machine stops it for longer than a slice: a long
 * statement that starts within it would keep it from its end. So many polls take 0.1 to 10 ms of CPU time.
 */
const SHORT_POLLS = 16;
/**
 * The nesting depth up to which statements have no time budget. Each level takes about 10 KB of stack besides the
 * memory of the statement.
 */
const FREE_DEPTH = 4;
/** The time after which a deeper statement is postponed, because it blocks all outer ones. */
const DEEP_MS = 25;
/**
 * The time after which a statement is postponed if others wait for it in the same transaction. 1,000 inserts take 15
 * ms.
 */
const SHARED_MS = 100;
/** Maximum nesting depth. */
const MAX_NESTED = 8;

interface Frame {
  readonly operation: Operation;
  readonly cluster: OpenCluster;
  /** True within the write transaction of the cluster. */
  readonly writing: boolean;
  /** Monotonic machine time at which the statement yields next. */
  next: number;
}

/** The running statements: the outermost one, and those nested at its interruption checks. */
export class Statements {
  readonly #clock: MachineClock;
  readonly #others: () => void;
  readonly #frames: Frame[] = [];
  readonly #running: RunningStatement;

  /** `running` represents the innermost statement. `others` runs other operations. */
  constructor(clock: MachineClock, running: RunningStatement, others: () => void) {
    this.#clock = clock;
    this.#running = running;
    this.#others = others;
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

  /** True if another statement may start now. */
  admits({ long }: Operation): boolean {
    return this.depth < (long ? FREE_DEPTH : MAX_NESTED);
  }

  /**
   * Runs a statement. `shared` is true if others wait for it in the same transaction. Throws `Postponed` or
   * `Interruption`.
   */
  run<T>(operation: Operation, cluster: OpenCluster, shared: boolean, work: () => T): T {
    const writing = operation.writes;
    const now = this.#clock.monotonic();
    operation.budget = now + this.#timeFor(operation, shared);
    operation.state = 'running';
    operation.began = now;
    this.#frames.push({ operation, cluster, writing, next: now + SHORTEST_SLICE_MS });
    const running = this.#running;
    const look = running.watch(this.#look);
    let polls = 0;
    const poll = () => {
      if (++polls > SHORT_POLLS) this.#look();
    };
    const turn = changeTurn({ poll, held: 0 });
    const { examined, mayScanTables, operation: outer, held, kept } = running;
    running.held = 0;
    running.kept = 0;
    running.examined = operation.examined = noneExamined();
    operation.created = undefined;
    operation.progress = undefined;
    running.mayScanTables = !cluster.parameters.noTableScan;
    running.operation = operation;
    try {
      operation.checkEnd(now);
      return work();
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
      operation.state = 'queued';
    }
  }

  #timeFor(operation: Operation, shared: boolean): number {
    if (!operation.repeatable) return Number.POSITIVE_INFINITY;
    if (shared) return SHARED_MS;
    return this.depth < FREE_DEPTH ? Number.POSITIVE_INFINITY : DEEP_MS;
  }

  /** Called at interruption checks. */
  readonly #look = (): void => {
    const frame = this.#frames.at(-1) as Frame;
    const now = this.#clock.monotonic();
    frame.operation.check(now);
    if (now < frame.next) return;
    frame.operation.yields++;
    // Stops watching this statement, so that its interruption is not thrown in the others.
    this.#running.watch(undefined);
    const turn = changeTurn(noTurn);
    try {
      this.#others();
    } finally {
      changeTurn(turn);
      this.#running.watch(this.#look);
    }
    const later = this.#clock.monotonic();
    const slice = Math.min(Math.max(later - now, SHORTEST_SLICE_MS), LONGEST_SLICE_MS);
    frame.next = later + slice;
    frame.operation.checkEnd(later);
  };
}
