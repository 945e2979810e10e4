import { type ResourceLimits, type Transferable, Worker } from 'node:worker_threads';

export interface HostThreadEvents<M> {
  message(message: M): void;
  gone(reason: string): void;
}

/** A worker thread of the host. If the thread ends unexpectedly, `gone` is called with the reason. */
export class HostThread<M> {
  readonly #worker: Worker;
  #reason = 'it exited';
  #ending = false;

  /** `file` is the entry point of the thread, and `data` becomes its `workerData`. */
  constructor(file: string, data: object, on: HostThreadEvents<M>, limits: ResourceLimits = {}) {
    this.#worker = new Worker(file, { workerData: data, resourceLimits: limits });
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

  /** Terminates the thread because of a failure. `gone` is then called with the reason. */
  kill(reason: string): void {
    this.#reason = reason;
    void this.#worker.terminate();
  }

  async end(): Promise<void> {
    this.#ending = true;
    await this.#worker.terminate();
  }
}
