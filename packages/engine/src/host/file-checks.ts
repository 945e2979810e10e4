import type { Log } from '@portolan/foundation/log';
import type { CheckAnswer, CheckRequest } from './check-thread.ts';
import { entryPoint } from './entry-point.ts';
import { HostThread } from './host-thread.ts';

const ENTRY = entryPoint(import.meta.filename, './check-thread');

/** Checks whole files in the background, one after another, each in a thread of its own. */
export class FileChecks {
  readonly #log: Log;
  /** The queued checks by file. A file is queued only once. */
  readonly #waiting = new Map<string, () => void>();
  #running: HostThread<CheckAnswer> | undefined;
  #stopped = false;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Calls `checked` with the fault of the file, or with undefined if the file is intact. `key` is that of the file. */
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
