import type { MachineClock } from '@portolan/foundation/clock';
import type { Operation } from './operations.ts';

interface Waiting {
  cancel(): void;
  /** A commit may have brought what it waits for. */
  changed(): boolean;
}

/** Requests that wait for something to happen, by cluster. */
export class WaitingOperations {
  readonly #clock: MachineClock;
  readonly #wake: (operation: Operation) => void;
  readonly #clusters = new Map<string, Map<Operation, Waiting>>();

  /** `wake` is called with a request that has waited for long enough. */
  constructor(clock: MachineClock, wake: (operation: Operation) => void) {
    this.#clock = clock;
    this.#wake = wake;
  }

  *[Symbol.iterator](): Generator<Operation> {
    for (const waiting of this.#clusters.values()) yield* waiting.keys();
  }

  /** Lets a request wait for `ms`, counted from when it began to wait first. */
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

  /** Takes all of a cluster out. */
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

  /** Takes out those of a cluster for which a commit may have brought something. */
  takeChanged(clusterId: string): Operation[] {
    const waiting = this.#clusters.get(clusterId);
    if (waiting === undefined) return [];
    const changed = [...waiting].filter(([, one]) => one.changed()).map(([operation]) => operation);
    for (const operation of changed) this.#remove(operation);
    return changed;
  }

  /** Takes out those that have waited for long enough or were killed: timers rest while a statement runs. */
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
