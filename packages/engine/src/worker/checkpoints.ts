import { Worker } from 'node:worker_threads';
import { entryPoint } from '@portolan/foundation/entry-point';
import { type LogWork, logLimits } from '../storage/file/write-ahead-log.ts';
import type { CheckpointEnd, CheckpointRequest } from './checkpoint-thread.ts';
import type { ClusterFiles } from './protocol.ts';

const ENTRY = entryPoint(import.meta.filename, './checkpoint-thread');

interface Pending {
  readonly ended: Promise<void>;
  readonly end: () => void;
}

/** Checkpoints files of clusters in another thread, which starts when it is first needed. */
export class Checkpoints {
  readonly limits = logLimits;
  readonly #pending = new Map<string, Pending>();
  #thread: Worker | undefined;

  /**
   * Checkpoints the file of a cluster, and before drops the tables that are left over, if required. No other checkpoint of
   * this file may be running. Never rejects.
   */
  run(clusterId: string, files: ClusterFiles, { dropsTables }: LogWork): Promise<void> {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    this.#pending.set(clusterId, { ended, end });
    try {
      this.#thread ??= this.#start();
      this.#thread.postMessage({ clusterId, files, dropsTables } satisfies CheckpointRequest);
    } catch {
      // The thread cannot be started, because the system has no memory for it. The pages stay in the WAL until a later
      // checkpoint.
      this.#end(clusterId);
    }
    return ended;
  }

  /** Resolves when the other thread has closed the file of a cluster. Undefined if it is not open there. */
  running(clusterId: string): Promise<void> | undefined {
    return this.#pending.get(clusterId)?.ended;
  }

  #start(): Worker {
    const thread = new Worker(ENTRY);
    thread.on('message', ({ clusterId }: CheckpointEnd) => this.#end(clusterId));
    // Ignore the event. An error also ends the thread, and the next checkpoint starts another one.
    thread.on('error', () => {});
    thread.on('exit', () => {
      this.#thread = undefined;
      for (const clusterId of [...this.#pending.keys()]) this.#end(clusterId);
    });
    // The checkpoint thread waits for requests. It must not prevent the query thread from ending.
    thread.unref();
    return thread;
  }

  #end(clusterId: string): void {
    const pending = this.#pending.get(clusterId);
    this.#pending.delete(clusterId);
    pending?.end();
  }
}
