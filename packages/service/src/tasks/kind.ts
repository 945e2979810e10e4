import type { BackOff } from '@portolan/foundation/back-off';
import type { Log } from '@portolan/foundation/log';
import type { Store, Tx } from '../store/store.ts';

/**
 * A kind of task: named steps that run in order. The step reached is stored, so a task that was cut off goes on
 * from there; the step it was in runs again.
 */
export interface TaskKind<P, S = unknown> {
  /** `cluster.provision`; unique over all kinds and never renamed: stored tasks name it. */
  readonly kind: string;
  /** Names are unique within the kind, and stored too. */
  readonly steps: readonly TaskStep<P, S>[];
  /**
   * How often one step may fail in a row before the task has failed for good, for all errors or for this one; 20 (about
   * five minutes) by default.
   */
  readonly attempts?: number | ((error: Error) => number);
  /** Machine milliseconds from one attempt of a step to the next: a tenth of a second, doubling up to 30, by default. */
  readonly backOff?: Omit<BackOff, 'random'>;
  /**
   * It waits for others than the service and its hosts. Such tasks have places of their own: strangers who do not answer
   * would otherwise hold up the work on every cluster.
   */
  readonly awaitsStrangers?: boolean;
  /** Runs in the transaction that marks the task as failed for good. `reason` names no paths of the machine: callers may read it. */
  onFailed?(tx: Tx, context: TaskContext<S, P>, error: Error, reason: string): Promise<void>;
}

export interface TaskStep<P, S = unknown> {
  readonly name: string;
  /** Work outside the store. May be cut off anywhere and run again: it must then find its own traces. */
  run?(context: TaskContext<S, P>): Promise<unknown>;
  /**
   * Changes of rows, in the one transaction that also stores this step as done: they happen exactly once. `result`
   * is what `run` answered.
   */
  commit?(tx: Tx, context: TaskContext<S, P>, result: unknown): Promise<void>;
}

export interface TaskContext<S, P> {
  readonly id: string;
  readonly key: string;
  readonly payload: P;
  readonly services: S;
  readonly store: Store;
  readonly log: Log;
  /** Aborted when the worker stops or has lost the task to another; a step may then end in any way. */
  readonly signal: AbortSignal;
  /** What the steps before answered, by step name, as JSON keeps it. */
  readonly results: Readonly<Record<string, unknown>>;
  /** From 1; grows with each failure of the step. */
  readonly attempt: number;
}

/** Thrown by a step that has to wait: it runs again after `delay` machine milliseconds, and nothing has failed. */
export class NotYet extends Error {
  readonly delay: number;

  constructor(delay: number, message = 'not yet') {
    super(message);
    this.name = 'NotYet';
    this.delay = delay;
  }
}

/** Thrown by a step that can never succeed: the task has failed for good at once. */
export class PermanentFailure extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'PermanentFailure';
  }
}
