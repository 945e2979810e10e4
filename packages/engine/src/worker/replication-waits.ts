import type { MachineClock } from '@portolan/foundation/clock';
import type { ClusterMember } from '../commands/context/topology.ts';
import type { ReplicationWait } from '../commands/generic/write-concern.ts';

interface Waiting {
  readonly wait: ReplicationWait;
  end(met: boolean): void;
}

/** Completed writes whose answers wait until enough members run. */
export class ReplicationWaits {
  readonly #clock: MachineClock;
  readonly #waiting = new Set<Waiting>();

  constructor(clock: MachineClock) {
    this.#clock = clock;
  }

  /** `done` receives true if enough members run before the timeout. */
  add(wait: ReplicationWait, done: (met: boolean) => void): void {
    let stopClock = () => {};
    const waiting: Waiting = {
      wait,
      end: (met) => {
        stopClock();
        this.#waiting.delete(waiting);
        done(met);
      },
    };
    if (wait.timeoutMs > 0) stopClock = this.#clock.after(wait.timeoutMs, () => waiting.end(false));
    this.#waiting.add(waiting);
  }

  /** The set of running members has changed. */
  changed(members: readonly ClusterMember[]): void {
    for (const waiting of [...this.#waiting]) if (waiting.wait.isMet(members)) waiting.end(true);
  }

  /** Ends all waits, since no further member will start. */
  close(): void {
    for (const waiting of [...this.#waiting]) waiting.end(false);
  }
}
