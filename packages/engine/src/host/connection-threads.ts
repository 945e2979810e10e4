import { createSecureContext } from 'node:tls';
import { MessageChannel, type MessagePort, type Transferable } from 'node:worker_threads';
import { type ClockSetting, realTime } from '@portolan/foundation/clock';
import { entryPoint } from '@portolan/foundation/entry-point';
import type { Log } from '@portolan/foundation/log';
import { PendingReplies } from '@portolan/foundation/pending-replies';
import type { Certificate } from '@portolan/foundation/tls/certificate';
import type { ObservedMessage } from '../observe/observation.ts';
import type {
  Listener,
  ThreadCall,
  ThreadData,
  ThreadMessage,
  ThreadRequest,
} from '../wire/thread-protocol.ts';
import type { ClusterView } from '../wire/view.ts';
import { HostThread } from './host-thread.ts';

const ENTRY = entryPoint(import.meta.filename, '../wire/thread');

/** A query thread, as seen by a connection thread. */
interface RequestReceiver {
  readonly id: number;
  connect(port: MessagePort): void;
}

/** An error in a thread. `code` is the error code of the operating system. */
class ThreadError extends Error {
  override readonly name = 'ThreadError';
  readonly code: string | undefined;

  constructor(message: string, code: string | undefined) {
    super(message);
    this.code = code;
  }
}

/** The handle with which the host controls a thread that serves the ports and connections of some clusters. */
export class ConnectionThread {
  readonly clusters = new Set<string>();
  onObserved: (message: ObservedMessage) => void = () => {};
  readonly #thread: HostThread<ThreadMessage>;
  readonly #pending = new PendingReplies<number, void>();
  readonly #linked = new WeakSet<RequestReceiver>();
  #lastId = 0;
  #gone: Error | undefined;

  constructor(data: ThreadData, log: Log, onGone: (thread: ConnectionThread, reason: string) => void) {
    this.#thread = new HostThread(ENTRY, data, {
      message: (message) => {
        if (message.kind === 'log') log[message.level](message.fields, message.message);
        else if (message.kind === 'observed') this.onObserved(message);
        else this.#answered(message);
      },
      gone: (reason) => {
        const error = new Error('the connection thread has ended');
        this.#gone = error;
        this.#pending.rejectAll(() => error);
        onGone(this, reason);
      },
    });
  }

  configure(view: ClusterView): Promise<void> {
    return this.#call({ kind: 'configure', view });
  }

  /** Opens a port. Resolves to false if another program uses it. */
  async listen(clusterId: string, listener: Listener): Promise<boolean> {
    try {
      await this.#call({ kind: 'listen', clusterId, ...listener });
      return true;
    } catch (error) {
      if (error instanceof ThreadError && error.code === 'EADDRINUSE') return false;
      throw error;
    }
  }

  /** Resolves when drivers have disconnected from these members, or have had enough time to do so. */
  drain(clusterId: string, memberIds: readonly string[]): Promise<void> {
    return this.#call({ kind: 'drain', clusterId, memberIds });
  }

  unlisten(clusterId: string, memberId: string): Promise<void> {
    return this.#call({ kind: 'unlisten', clusterId, memberId });
  }

  /** Sends the cluster's requests to `worker`. If `worker` is undefined, requests wait. */
  async route(clusterId: string, worker: RequestReceiver | undefined): Promise<void> {
    if (worker === undefined) {
      await this.#call({ kind: 'route', clusterId });
      return;
    }
    if (!this.#linked.has(worker)) this.#link(worker);
    await this.#call({ kind: 'route', clusterId, workerId: worker.id });
  }

  async forget(clusterId: string): Promise<void> {
    this.clusters.delete(clusterId);
    await this.#call({ kind: 'forget', clusterId });
  }

  setClock(setting: ClockSetting): Promise<void> {
    return this.#call({ kind: 'clock', setting });
  }

  /** Resolves when the thread has reported the traffic of its ports. */
  reportFigures(): Promise<void> {
    return this.#call({ kind: 'report' });
  }

  setTls(certificate: Certificate): Promise<void> {
    return this.#call({ kind: 'certificate', certificate });
  }

  end(): Promise<void> {
    return this.#thread.end();
  }

  #link(worker: RequestReceiver): void {
    this.#linked.add(worker);
    const { port1, port2 } = new MessageChannel();
    worker.connect(port1);
    this.#post({ kind: 'worker', workerId: worker.id, port: port2 }, [port2]);
  }

  #call(call: ThreadCall): Promise<void> {
    // A thread that has ended never replies.
    if (this.#gone !== undefined) return Promise.reject(this.#gone);
    return this.#pending.wait(this.#post(call));
  }

  #post(call: ThreadCall, transfer: readonly Transferable[] = []): number {
    const id = ++this.#lastId;
    this.#thread.post({ id, call } satisfies ThreadRequest, transfer);
    return id;
  }

  #answered({ id, error }: ThreadMessage & { kind: 'answer' }): void {
    if (error === undefined) this.#pending.resolve(id);
    else this.#pending.reject(id, new ThreadError(error.message, error.code));
  }
}

/** The pool of connection threads. A single thread serves all ports of a cluster. */
export class ConnectionThreads {
  readonly #slots: Array<ConnectionThread | undefined>;
  readonly #log: Log;
  readonly #tls: boolean;
  readonly #connections: number;
  #certificate: Certificate | undefined;
  #onLost: (thread: ConnectionThread) => void = () => {};
  /** Called with events and measurements of a cluster. The host writes them to files. */
  onObserved: (message: ObservedMessage) => void = () => {};
  #clock: ClockSetting = realTime;

  constructor(
    size: number,
    log: Log,
    {
      tls = false,
      connections = Number.POSITIVE_INFINITY,
    }: Partial<Pick<ThreadData, 'connections' | 'tls'>> = {},
  ) {
    this.#slots = new Array(size).fill(undefined);
    this.#log = log;
    this.#tls = tls;
    this.#connections = Math.floor(connections / size);
  }

  /**
   * Sets the function that is called when a thread has ended unexpectedly. The ports and connections of the thread are
   * then closed.
   */
  onLost(listener: (thread: ConnectionThread) => void): void {
    this.#onLost = listener;
  }

  /**
   * Chooses the thread for another cluster. Starts a thread if the pool is not full; otherwise returns the least loaded
   * thread.
   */
  assign(clusterId: string): ConnectionThread {
    const free = this.#slots.indexOf(undefined);
    const running = this.#slots.filter((slot) => slot !== undefined);
    const [least] = running.toSorted((a, b) => a.clusters.size - b.clusters.size);
    const isReusable = least !== undefined && (least.clusters.size === 0 || free === -1);
    const thread = isReusable ? least : this.#start(free);
    thread.clusters.add(clusterId);
    return thread;
  }

  /** Starts a thread in advance, before a cluster needs it. */
  startFirst(): void {
    if (this.#slots[0] === undefined) this.#start(0);
  }

  async setClock(setting: ClockSetting): Promise<void> {
    this.#clock = setting;
    await Promise.all(this.#slots.map((thread) => thread?.setClock(setting)));
  }

  async reportFigures(): Promise<void> {
    await Promise.all(this.#slots.map((thread) => thread?.reportFigures()));
  }

  /**
   * Sets the certificate of later connections. If the certificate is invalid, throws OpenSSL's error and keeps the
   * previous certificate.
   */
  async setTls(certificate: Certificate): Promise<void> {
    createSecureContext({ ...certificate });
    this.#certificate = certificate;
    await Promise.all(this.#slots.map((thread) => thread?.setTls(certificate)));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#slots.map((thread) => thread?.end()));
  }

  #start(index: number): ConnectionThread {
    const data = { index, threads: this.#slots.length, tls: this.#tls, connections: this.#connections };
    const thread = new ConnectionThread(data, this.#log, (lost, reason) => {
      this.#slots[index] = undefined;
      this.#log.error({ thread: index, clusters: lost.clusters.size, reason }, 'connection thread ended');
      this.#onLost(lost);
    });
    thread.onObserved = (message) => this.onObserved(message);
    // Ignore an error. A call to the thread fails only if the thread ends, and the end of a thread is reported
    // separately.
    thread.setClock(this.#clock).catch(() => {});
    if (this.#certificate !== undefined) thread.setTls(this.#certificate).catch(() => {});
    this.#slots[index] = thread;
    return thread;
  }
}
