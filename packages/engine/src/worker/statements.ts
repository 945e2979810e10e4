import type { MachineClock } from '@portolan/foundation/clock';
import type { Reply } from '../message/reply.ts';
import { noneExamined, type RunningStatement } from '../storage/model/running-statement.ts';
import type { OpenCluster } from './open-cluster.ts';
import type { Operation } from './operations.ts';

/**
 * A statement yields to others after the shortest slice, and again after running as long as they took, so that it gets
 * at least half of the time; but others never wait longer than the longest slice.
 */
const SHORTEST_SLICE_MS = 2;
const LONGEST_SLICE_MS = 20;
/** Up to this nesting statements have no time budget. Each level costs some 10 KB of stack, and its memory. */
const FREE_DEPTH = 4;
/** A deeper statement blocks all of those, so it is postponed after this time. */
const DEEP_MS = 25;
/** A statement that others wait for in the same transaction is postponed after this time. 1,000 inserts take 15 ms. */
const SHARED_MS = 100;
/** The deepest nesting. */
const MAX_NESTED = 8;

interface Frame {
  readonly operation: Operation;
  readonly cluster: OpenCluster;
  /** Inside the write transaction of its cluster. */
  readonly writing: boolean;
  /** Monotonic machine time of its next yield. */
  next: number;
}

/** The running statements: the outermost one, and those nested at its check points. */
export class Statements {
  readonly #clock: MachineClock;
  readonly #others: () => void;
  readonly #frames: Frame[] = [];
  readonly #running: RunningStatement;

  /** `running` represents the innermost statement; `others` runs other operations. */
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

  /** The cluster must not be read or written now, as one of its statements has made changes that may be undone. */
  closed(cluster: OpenCluster): boolean {
    return this.#frames.some(
      (frame) => frame.cluster === cluster && (frame.writing || frame.operation.inTransaction),
    );
  }

  /** True if another statement may begin now. */
  admits({ long }: Operation): boolean {
    return this.depth < (long ? FREE_DEPTH : MAX_NESTED);
  }

  /** `shared`: other statements wait for this one in the same transaction. Throws `Postponed`, `Interruption`. */
  run(operation: Operation, cluster: OpenCluster, shared: boolean, work: () => Reply): Reply {
    const writing = operation.writes;
    const now = this.#clock.monotonic();
    operation.budget = now + this.#timeFor(operation, shared);
    operation.state = 'running';
    operation.began = now;
    this.#frames.push({ operation, cluster, writing, next: now + SHORTEST_SLICE_MS });
    const running = this.#running;
    const look = running.watch(this.#look);
    const { examined, mayScanTables, operation: outer, held, kept } = running;
    running.held = 0;
    running.kept = 0;
    running.examined = operation.examined = noneExamined();
    operation.created = undefined;
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
      this.#frames.pop();
      operation.state = 'queued';
    }
  }

  #timeFor(operation: Operation, shared: boolean): number {
    if (!operation.repeatable) return Number.POSITIVE_INFINITY;
    if (shared) return SHARED_MS;
    return this.depth < FREE_DEPTH ? Number.POSITIVE_INFINITY : DEEP_MS;
  }

  /** Called at check points. */
  readonly #look = (): void => {
    const frame = this.#frames.at(-1) as Frame;
    const now = this.#clock.monotonic();
    frame.operation.check(now);
    if (now < frame.next) return;
    frame.operation.yields++;
    // An interruption of this statement must not surface in the others.
    this.#running.watch(undefined);
    try {
      this.#others();
    } finally {
      this.#running.watch(this.#look);
    }
    const later = this.#clock.monotonic();
    const slice = Math.min(Math.max(later - now, SHORTEST_SLICE_MS), LONGEST_SLICE_MS);
    frame.next = later + slice;
    frame.operation.checkEnd(later);
  };
}
