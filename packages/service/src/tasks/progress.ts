import type { MachineClock } from '@portolan/foundation/clock';

export const progressUnits = ['bytes', 'documents'] as const;

/** How much of a task's current step is done. */
export interface TaskProgress {
  readonly unit: (typeof progressUnits)[number];
  readonly done: number;
  /** The total amount of work; absent while it is unknown. */
  readonly total?: number;
}

/** Reports the progress of a step. A step may call this as often as it likes. */
export type ReportProgress = (progress: TaskProgress) => void;

/** Interval between two writes, in milliseconds of machine time. Steps that end sooner write nothing. */
const INTERVAL_MS = 1000;

/** Stores the latest report of a running task, at intervals. */
export class ProgressWriter {
  readonly #machine: MachineClock;
  readonly #store: (progress: TaskProgress) => Promise<unknown>;
  #latest: TaskProgress | undefined;
  #writing: Promise<unknown> = Promise.resolve();
  #cancel: (() => void) | undefined;

  constructor(machine: MachineClock, store: (progress: TaskProgress) => Promise<unknown>) {
    this.#machine = machine;
    this.#store = store;
  }

  readonly report: ReportProgress = (progress) => {
    this.#latest = progress;
    this.#cancel ??= this.#machine.after(INTERVAL_MS, () => {
      this.#writing = this.#write();
    });
  };

  /** Ends the reports of a step. Waits for a write in progress, and returns the last report. */
  async take(): Promise<TaskProgress | undefined> {
    const last = this.#latest;
    this.#latest = undefined;
    this.#cancel?.();
    await this.#writing;
    this.#cancel = undefined;
    return last;
  }

  async #write(): Promise<void> {
    const written = this.#latest;
    // Ignore an error, because the next report will be stored.
    if (written !== undefined) await this.#store(written).catch(() => {});
    this.#cancel = undefined;
    if (this.#latest !== undefined && this.#latest !== written) this.report(this.#latest);
  }
}
