import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { entryPoint } from '@portolan/foundation/entry-point';
import { received } from '@portolan/foundation/received';
import { type LogWork, logLimits } from '../storage/file/write-ahead-log.ts';
import type { CheckpointEnd, CheckpointRequest } from './checkpoint-thread.ts';
import type { ClusterFiles } from './protocol.ts';

const ENTRY = entryPoint(import.meta.filename, './checkpoint-thread');

interface Pending {
  /** Resolves when the checkpoint has ended. */
  readonly closed: Promise<void>;
  readonly end: () => void;
}

/** Checkpoints files of clusters in another thread, which starts when it is first needed. */
export class Checkpoints {
  readonly limits = logLimits;
  readonly #pending = new Map<string, Pending>();
  #thread: Worker | undefined;
  #port: MessagePort | undefined;

  /**
   * Checkpoints the file of a cluster, and before drops the tables that are left over, if required. Then calls `ended`. No
   * other checkpoint of this file may be running. Never throws.
   */
  run(clusterId: string, files: ClusterFiles, { dropsTables }: LogWork, ended: () => void): void {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const end = () => {
      resolve();
      ended();
    };
    this.#pending.set(clusterId, { closed, end });
    try {
      this.#thread ??= this.#start();
      this.#thread.postMessage({ clusterId, files, dropsTables } satisfies CheckpointRequest);
    } catch {
      // The thread cannot be started, because the system has no memory for it. The pages stay in the WAL until a later
      // checkpoint.
      queueMicrotask(() => this.#end(clusterId));
    }
  }

  /**
   * Reads which checkpoints have ended. Called in the middle of statements, when the event loop does not run: otherwise
   * a long statement would make the writes of other clusters wait as soon as their logs are full.
   */
  receive(): void {
    if (this.#port === undefined) return;
    for (const { clusterId } of received<CheckpointEnd>(this.#port)) this.#end(clusterId);
  }

  /** Resolves when the other thread has closed the file of a cluster. Undefined if it is not open there. */
  running(clusterId: string): Promise<void> | undefined {
    return this.#pending.get(clusterId)?.closed;
  }

  #start(): Worker {
    const { port1: port, port2: workerData } = new MessageChannel();
    const thread = new Worker(ENTRY, { workerData, transferList: [workerData] });
    port.on('message', ({ clusterId }: CheckpointEnd) => this.#end(clusterId));
    port.unref();
    this.#port = port;
    // Ignore the event. An error also ends the thread, and the next checkpoint starts another one.
    thread.on('error', () => {});
    thread.on('exit', () => {
      this.receive();
      port.close();
      this.#port = undefined;
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
