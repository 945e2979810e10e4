import type { Log } from '@portolan/foundation/log';
import type { CheckAnswer, CheckRequest } from './check-thread.ts';
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

  /** `checked` is called with the fault of the file, whose key is `key`, or with undefined if it has none. */
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
