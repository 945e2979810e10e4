import type { BackOff } from '@portolan/foundation/back-off';
import type { Log } from '@portolan/foundation/log';
import type { PlainObject } from '@portolan/foundation/plain-object';
import type { Store, Tx } from '../store/store.ts';
import type { ReportProgress } from './progress.ts';

/**
 * A kind of task: named steps that run in order. The current step is stored: an interrupted task resumes by
 * running it again.
 */
export interface TaskKind<P, S = unknown> {
  /** For example `cluster.provision`. Unique over all kinds and never renamed, since stored tasks contain it. */
  readonly kind: string;
  /** Names are unique within the kind, and are stored too. */
  readonly steps: readonly TaskStep<P, S>[];
  /**
   * Maximum number of consecutive failures of a step, for all errors or for the given one; by default 20 (about five
   * minutes).
   */
  readonly attempts?: number | ((error: Error) => number);
  /** Delay between attempts in machine milliseconds; by default 100 ms, doubling up to 30 s. */
  readonly backOff?: Omit<BackOff, 'random'>;
  /**
   * Whether the task waits for external services. Such tasks have a separate concurrency limit, since unresponsive
   * services would otherwise block the work on all clusters.
   */
  readonly awaitsExternalServices?: boolean;
  /**
   * Runs in the transaction that marks the task as failed. `reason` contains no local paths, since callers may read it.
   */
  onFailed?(tx: Tx, context: TaskContext<S, P>, error: Error, reason: string): Promise<void>;
}

/** `R`: the result of `run`, which is stored as JSON. Steps with a result are declared with `step`. */
export interface TaskStep<P, S = unknown, R = unknown> {
  readonly name: string;
  /** Work outside the store. It must be idempotent, since it can be interrupted at any point and run again. */
  run?(context: TaskContext<S, P>): Promise<R>;
  /**
   * Changes of rows, in the transaction that also marks this step as done: they happen exactly once. `result` is the
   * result of `run`.
   */
  commit?(tx: Tx, context: TaskContext<S, P>, result: R): Promise<void>;
}

/** Declares a step whose `commit`, or a later step, gets the result of its `run`. */
export const step = <P, S, R>(declared: TaskStep<P, S, R>): TaskStep<P, S, R> => declared;

/** The result of a previous step, as stored. */
export function resultOf<P, S, R>({ results }: TaskContext<S, P>, { name }: TaskStep<P, S, R>): R {
  return results[name] as R;
}

export interface TaskContext<S, P> {
  readonly id: string;
  readonly key: string;
  readonly payload: P;
  readonly services: S;
  readonly store: Store;
  readonly log: Log;
  /** Aborted when the worker stops or loses the task's lease. It does not matter how the step then ends. */
  readonly signal: AbortSignal;
  /** Results of the previous steps by name, as JSON values. */
  readonly results: PlainObject;
  /** From 1; increases with each failure of the step. */
  readonly attempt: number;
  /** Reports how far the step is, for operators. */
  readonly progress: ReportProgress;
}

/**
 * Thrown by a step to wait: it runs again after `delay` machine milliseconds, without counting as a failure.
 */
export class NotYet extends Error {
  readonly delay: number;

  constructor(delay: number, message = 'not yet') {
    super(message);
    this.name = 'NotYet';
    this.delay = delay;
  }
}

/** Thrown by a step that cannot succeed: the task fails at once. */
export class PermanentFailure extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'PermanentFailure';
  }
}
