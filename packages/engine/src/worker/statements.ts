import type { MachineClock } from '@portolan/foundation/clock';
import type { Reply } from '../message/reply.ts';
import { noneExamined, type RunningStatement } from '../storage/running-statement.ts';
import type { OpenCluster } from './open-cluster.ts';
import type { Operation } from './operations.ts';

/**
 * A statement that has run for this long lets others run, and again when it has run for as long as they took, so that
 * it gets half of the time at least; but others never wait longer than the greater of these.
 */
const SHORTEST_SLICE_MS = 2;
const LONGEST_SLICE_MS = 20;
/** So many statements inside of each other take the time they need. Each costs some 10 KB of stack, and its memory. */
const FREE_DEPTH = 4;
/** What runs deeper, so that it holds up all of those, is taken back after this time. */
const DEEP_MS = 25;
/** What others wait for in the same transaction is taken back after this time. 1,000 inserts take some 15 ms. */
const SHARED_MS = 100;
/** Deeper than this nothing is begun. */
const MOST_NESTED = 8;

interface Frame {
  readonly operation: Operation;
  readonly cluster: OpenCluster;
  /** Inside the write transaction of its cluster. */
  readonly writing: boolean;
  /** When it lets others run next, in monotonic machine time. */
  next: number;
}

/** The statements that are under way: one, and those that run at its check points, inside of each other. */
export class Statements {
  readonly #clock: MachineClock;
  readonly #others: () => void;
  readonly #frames: Frame[] = [];
  readonly #running: RunningStatement;

  /** `running` stands for the innermost of them; `others` runs what else there is to run. */
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

  /** Nothing of the cluster may be read or written now: one of its statements has done things that may be undone. */
  closed(cluster: OpenCluster): boolean {
    return this.#frames.some(
      (frame) => frame.cluster === cluster && (frame.writing || frame.operation.inTransaction),
    );
  }

  /** Whether another statement may be begun now. */
  admits({ long }: Operation): boolean {
    return this.depth < (long ? FREE_DEPTH : MOST_NESTED);
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
    const { examined, mayScanTables, asked } = running;
    running.examined = operation.examined = noneExamined();
    operation.created = undefined;
    running.mayScanTables = !cluster.parameters.noTableScan;
    running.asked = operation;
    try {
      operation.checkEnd(now);
      return work();
    } finally {
      cluster.counters.of(operation.caller.member).addExamined(running.examined);
      running.examined = examined;
      running.mayScanTables = mayScanTables;
      running.asked = asked;
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

  /** What check points do. */
  readonly #look = (): void => {
    const frame = this.#frames.at(-1) as Frame;
    const now = this.#clock.monotonic();
    frame.operation.check(now);
    if (now < frame.next) return;
    frame.operation.yields++;
    // Nothing that ends this statement may surface in what the others do.
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
