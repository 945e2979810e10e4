import type { MachineClock } from '@portolan/foundation/clock';
import type { Operation } from './operations.ts';

interface Waiting {
  cancel(): void;
  /** True if the awaited change may have occurred. */
  changed(): boolean;
}

/** Operations that wait for a change, by cluster. */
export class WaitingOperations {
  readonly #clock: MachineClock;
  readonly #wake: (operation: Operation) => void;
  readonly #clusters = new Map<string, Map<Operation, Waiting>>();

  /** `wake` is called with an operation whose wait has timed out. */
  constructor(clock: MachineClock, wake: (operation: Operation) => void) {
    this.#clock = clock;
    this.#wake = wake;
  }

  *[Symbol.iterator](): Generator<Operation> {
    for (const waiting of this.#clusters.values()) yield* waiting.keys();
  }

  /** Makes an operation wait for at most `ms` milliseconds, counted from its first wait. */
  add(operation: Operation, ms: number, changed: () => boolean): void {
    const now = this.#clock.monotonic();
    operation.awaitUntil ??= now + ms;
    operation.state = 'waiting';
    const until = Math.min(operation.awaitUntil, operation.deadline);
    const cancel = this.#clock.after(Math.max(until - now, 0), () => {
      if (!this.#remove(operation)) return;
      operation.awaitTimedOut = true;
      this.#wake(operation);
    });
    const { clusterId } = operation.wire;
    const waiting = this.#clusters.get(clusterId);
    if (waiting === undefined) this.#clusters.set(clusterId, new Map([[operation, { cancel, changed }]]));
    else waiting.set(operation, { cancel, changed });
  }

  /** Makes an operation wait until the promise settles, for at most `ms` milliseconds. Then calls `settled`. */
  addUntil(operation: Operation, ms: number, promise: Promise<unknown>, settled: () => void): void {
    let isSettled = false;
    this.add(operation, ms, () => isSettled);
    const end = () => {
      isSettled = true;
      settled();
    };
    promise.then(end, end);
  }

  /** Removes and returns all waiting operations of a cluster. */
  take(clusterId: string): Operation[] {
    const waiting = this.#clusters.get(clusterId);
    if (waiting === undefined) return [];
    this.#clusters.delete(clusterId);
    for (const [operation, { cancel }] of waiting) {
      cancel();
      operation.state = 'queued';
    }
    return [...waiting.keys()];
  }

  /** Removes and returns the waiting operations of a cluster whose awaited change may have occurred. */
  takeChanged(clusterId: string): Operation[] {
    const waiting = this.#clusters.get(clusterId);
    if (waiting === undefined) return [];
    const changed = [...waiting].filter(([, one]) => one.changed()).map(([operation]) => operation);
    for (const operation of changed) this.#remove(operation);
    return changed;
  }

  /**
   * Removes and returns operations that have timed out or were killed. Needed because timers do not fire while a
   * statement runs.
   */
  takeDue(): Operation[] {
    const now = this.#clock.monotonic();
    const due = [...this].filter(
      ({ awaitUntil = now, deadline, killed }) =>
        killed !== undefined || awaitUntil <= now || deadline <= now,
    );
    for (const operation of due) {
      this.#remove(operation);
      operation.awaitTimedOut = true;
    }
    return due;
  }

  #remove(operation: Operation): boolean {
    const { clusterId } = operation.wire;
    const waiting = this.#clusters.get(clusterId);
    const found = waiting?.get(operation);
    if (waiting === undefined || found === undefined) return false;
    found.cancel();
    waiting.delete(operation);
    if (waiting.size === 0) this.#clusters.delete(clusterId);
    operation.state = 'queued';
    return true;
  }
}
