import type { BackOff } from '@portolan/foundation/back-off';
import type { Log } from '@portolan/foundation/log';
import type { PlainObject } from '@portolan/foundation/plain-object';
import type { Store, Tx } from '../store/store.ts';
import type { ReportProgress } from './progress.ts';

/**
 * A kind of task: named steps that run in order. The name of the current step is stored, so that an interrupted task
 * resumes by running that step again.
 */
export interface TaskKind<P, S = unknown> {
  /**
   * The name of the kind, such as `cluster.provision`. It must be unique and never change, since stored tasks contain
   * it.
   */
  readonly kind: string;
  /**
   * The steps in order. Their names must be unique within the kind and never change, since stored tasks contain them.
   */
  readonly steps: readonly TaskStep<P, S>[];
  /**
   * How many times in succession a step may fail, either for all errors or for the given error. The default is 20
   * times, which takes about five minutes.
   */
  readonly attempts?: number | ((error: Error) => number);
  /**
   * Delay between attempts, in milliseconds of machine time. The default is 100 ms, which doubles with each attempt up
   * to 30 s.
   */
  readonly backOff?: Omit<BackOff, 'random'>;
  /**
   * Whether the task waits for external services. Such tasks have a separate concurrency limit, because unresponsive
   * services would otherwise block the work on all clusters.
   */
  readonly awaitsExternalServices?: boolean;
  /**
   * Called in the transaction that marks the task as failed. `reason` is the error message without local paths, because
   * callers may read it.
   */
  onFailed?(tx: Tx, context: TaskContext<S, P>, error: Error, reason: string): Promise<void>;
}

/**
 * `R` is the type of the result of `run`, which is stored as JSON. A step with a result must be declared with `step`.
 */
export interface TaskStep<P, S = unknown, R = unknown> {
  readonly name: string;
  /** The work outside of the store. It may be interrupted at any point and then run again, so it must be idempotent. */
  run?(context: TaskContext<S, P>): Promise<R>;
  /**
   * Changes rows, in the transaction that also marks the step as done, so that the changes happen exactly once.
   * `result` is the result of `run`.
   */
  commit?(tx: Tx, context: TaskContext<S, P>, result: R): Promise<void>;
}

/** Declares a step with a result, which is passed to its `commit` and which later steps can read. */
export const step = <P, S, R>(declared: TaskStep<P, S, R>): TaskStep<P, S, R> => declared;

/** Returns the stored result of a previous step. */
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
  /**
   * A signal that is aborted when the worker stops, or when it loses the lease of the task. The result of the step is
   * then ignored.
   */
  readonly signal: AbortSignal;
  /** Results of the previous steps by name, as JSON values. */
  readonly results: PlainObject;
  /** The number of the attempt. It starts at 1, and increases with each failure of the step. */
  readonly attempt: number;
  /** The message of the error with which the previous attempt of the step failed. */
  readonly lastError: string | undefined;
  /** Reports how much of the step is done. Operators see this in the list of tasks. */
  readonly progress: ReportProgress;
}

/**
 * A step throws this to wait. The step runs again after `delay` milliseconds of machine time, and the attempt does not
 * count as a failure.
 */
export class NotYet extends Error {
  readonly delay: number;

  constructor(delay: number, message = 'not yet') {
    super(message);
    this.name = 'NotYet';
    this.delay = delay;
  }
}

/** A step throws this if it cannot succeed. The task then fails at once. */
export class PermanentFailure extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'PermanentFailure';
  }
}
