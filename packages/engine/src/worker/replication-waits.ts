import type { MachineClock } from '@portolan/foundation/clock';
import type { ClusterMember } from '../commands/context/topology.ts';
import type { ReplicationWait } from '../commands/generic/write-concern.ts';

interface Waiting {
  readonly connectionId: number;
  readonly wait: ReplicationWait;
  end(met: boolean): void;
}

/** Completed writes whose replies wait until enough members are running. */
export class ReplicationWaits {
  readonly #clock: MachineClock;
  readonly #waiting = new Set<Waiting>();

  constructor(clock: MachineClock) {
    this.#clock = clock;
  }

  /**
   * Calls `done` with true when enough members are running. Calls it with false after the timeout, or when the
   * connection of the write has closed.
   */
  add(connectionId: number, wait: ReplicationWait, done: (met: boolean) => void): void {
    let stopClock = () => {};
    const waiting: Waiting = {
      connectionId,
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

  /** Ends the waits that these running members satisfy. */
  changed(members: readonly ClusterMember[]): void {
    for (const waiting of [...this.#waiting]) if (waiting.wait.isMet(members)) waiting.end(true);
  }

  /** Ends the waits of closed connections, because nobody reads the replies of their writes. */
  disconnected(connectionIds: ReadonlySet<number>): void {
    for (const waiting of [...this.#waiting]) if (connectionIds.has(waiting.connectionId)) waiting.end(false);
  }

  /** Ends all waits, because no other member will start. */
  close(): void {
    for (const waiting of [...this.#waiting]) waiting.end(false);
  }
}
