import type { MachineClock } from '@portolan/foundation/clock';
import type { Log } from '@portolan/foundation/log';
import { type Repetition, repeat } from '@portolan/foundation/repeat';

/** A periodic task of a host. */
export interface TimetableEntry {
  readonly name: string;
  /** The time from the end of a run to the start of the next, in milliseconds of machine time. */
  readonly every: number;
  run(): unknown;
}

/** Runs periodic tasks. If a run fails, neither this task nor the others stop. */
export class HostTimetable {
  readonly #repetitions: ReadonlyMap<string, Repetition>;

  constructor(entries: readonly TimetableEntry[], { clock, log }: { clock: MachineClock; log: Log }) {
    this.#repetitions = new Map(
      entries.map(({ name, every, run }) => [
        name,
        repeat({
          machine: clock,
          interval: every,
          run,
          onError: (error) => log.warn({ entry: name, reason: error.message }, 'a scheduled action failed'),
        }),
      ]),
    );
  }

  /** Runs a task now. If the task is running, runs it again afterwards. Resolves when the additional run has ended. */
  async now(name: string): Promise<void> {
    const entry = this.#repetitions.get(name);
    entry?.wake();
    await entry?.idle();
  }

  /** Starts no further runs. Resolves when the current runs have ended. */
  async stop(): Promise<void> {
    await Promise.all([...this.#repetitions.values()].map((one) => one.stop()));
  }
}
