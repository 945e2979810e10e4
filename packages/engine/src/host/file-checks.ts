import { entryPoint } from '@portolan/foundation/entry-point';
import type { Log } from '@portolan/foundation/log';
import type { CheckAnswer, CheckRequest } from './check-thread.ts';
import { HostThread } from './host-thread.ts';

const ENTRY = entryPoint(import.meta.filename, './check-thread');

/** Checks whole files in the background, one after another. Each check runs in a thread of its own. */
export class FileChecks {
  readonly #log: Log;
  /** The queued checks by file. The queue contains a file only once. */
  readonly #waiting = new Map<string, () => void>();
  #running: HostThread<CheckAnswer> | undefined;
  #stopped = false;

  constructor(log: Log) {
    this.#log = log;
  }

  /**
   * Checks a file. Calls `checked` with the fault, or with undefined if the file is intact. `key` is the key of the
   * file.
   */
  check(request: CheckRequest, checked: (fault: string | undefined) => void): void {
    this.#waiting.set(request.file, () => this.#start(request, checked));
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

  #start(request: CheckRequest, checked: (fault: string | undefined) => void): void {
    const { file } = request;
    let answered = false;
    this.#running = new HostThread<CheckAnswer>(ENTRY, request, {
      message: ({ fault }) => {
        answered = true;
        this.#log.info({ file, fault }, 'file checked');
        checked(fault);
      },
      gone: (reason) => {
        if (!answered) this.#log.warn({ file, reason }, 'file could not be checked');
        this.#running = undefined;
        this.#next();
      },
    });
  }
}
