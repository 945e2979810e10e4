import type { MachineClock } from '@portolan/foundation/clock';
import type { Log } from '@portolan/foundation/log';
import { type Repetition, repeat } from '@portolan/foundation/repeat';

/** Something that a host does from time to time, once for all its deployments. */
export interface TimetableEntry {
  readonly name: string;
  /** Machine milliseconds from its end to its next beginning. */
  readonly every: number;
  run(): unknown;
}

/** What one entry does wrong stops neither it nor the others. */
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
          onError: (error) =>
            log.warn({ entry: name, reason: error.message }, 'an entry of the timetable failed'),
        }),
      ]),
    );
  }

  /** Runs an entry now, or once more behind its run that is under way; resolves when that has ended. */
  async now(name: string): Promise<void> {
    const entry = this.#repetitions.get(name);
    entry?.wake();
    await entry?.idle();
  }

  /** Begins nothing more; resolves when what runs has ended. */
  async stop(): Promise<void> {
    await Promise.all([...this.#repetitions.values()].map((one) => one.stop()));
  }
}
