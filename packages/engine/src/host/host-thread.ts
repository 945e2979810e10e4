import { type Transferable, Worker } from 'node:worker_threads';

export interface HostThreadEvents<M> {
  message(message: M): void;
  gone(reason: string): void;
}

/** A thread of the host: messages in, messages out, and a reason when it has ended without being asked to. */
export class HostThread<M> {
  readonly #worker: Worker;
  #reason = 'it exited';
  #ending = false;

  /** `file` is the thread's entry point; `data` what it reads as `workerData`. */
  constructor(file: string, data: object, on: HostThreadEvents<M>) {
    this.#worker = new Worker(file, { workerData: data });
    this.#worker.on('message', (message: M) => on.message(message));
    this.#worker.on('error', (error: unknown) => {
      this.#reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    });
    this.#worker.on('exit', () => {
      if (!this.#ending) on.gone(this.#reason);
    });
  }

  post(message: unknown, transfer: readonly Transferable[] = []): void {
    this.#worker.postMessage(message, [...transfer]);
  }

  /** Ends it although nobody has asked it to end; `gone` is called. */
  kill(reason: string): void {
    this.#reason = reason;
    void this.#worker.terminate();
  }

  async end(): Promise<void> {
    this.#ending = true;
    await this.#worker.terminate();
  }
}
