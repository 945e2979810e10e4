import type { Log } from '@portolan/foundation/log';
import type { CheckAnswer } from './check-thread.ts';
import { entryPoint } from './entry-point.ts';
import { HostThread } from './host-thread.ts';

const ENTRY = entryPoint(import.meta.filename, './check-thread');

/** Checks whole files, one after another, each in a thread of its own in the background. */
export class FileChecks {
  readonly #log: Log;
  /** Queued checks by file; a file is queued once. */
  readonly #waiting = new Map<string, () => void>();
  #running: HostThread<CheckAnswer> | undefined;
  #stopped = false;

  constructor(log: Log) {
    this.#log = log;
  }

  /** `damaged` is called only if the file, whose key is `key`, has a fault. */
  check(file: string, key: Uint8Array | undefined, damaged: (fault: string) => void): void {
    this.#waiting.set(file, () => this.#start(file, key, damaged));
    this.#next();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#waiting.clear();
    await this.#running?.end();
  }

  #next(): void {
    if (this.#running !== undefined || this.#stopped) return;
    const [first] = this.#waiting;
    if (first === undefined) return;
    const [file, start] = first;
    this.#waiting.delete(file);
    start();
  }

  #start(file: string, key: Uint8Array | undefined, damaged: (fault: string) => void): void {
    let answered = false;
    this.#running = new HostThread<CheckAnswer>(
      ENTRY,
      { file, key },
      {
        message: ({ fault }) => {
          answered = true;
          if (fault !== undefined) damaged(fault);
          this.#log.info({ file, fault }, 'file checked');
        },
        gone: (reason) => {
          if (!answered) this.#log.warn({ file, reason }, 'file could not be checked');
          this.#running = undefined;
          this.#next();
        },
      },
    );
  }
}
