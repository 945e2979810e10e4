import { createSecureContext } from 'node:tls';
import { MessageChannel, type MessagePort, type Transferable } from 'node:worker_threads';
import { type ClockSetting, realTime } from '@portolan/foundation/clock';
import type { Log } from '@portolan/foundation/log';
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
import { entryPoint } from './entry-point.ts';
import { HostThread } from './host-thread.ts';

const ENTRY = entryPoint(import.meta.filename, '../wire/thread');

/** A query worker, as far as a connection thread is concerned. */
interface RequestTaker {
  readonly id: number;
  connect(port: MessagePort): void;
}

interface Waiting {
  resolve(): void;
  reject(error: Error): void;
}

/** An error that a thread met; `code` is the operating system's. */
class ThreadError extends Error {
  override readonly name = 'ThreadError';
  readonly code: string | undefined;

  constructor(message: string, code: string | undefined) {
    super(message);
    this.code = code;
  }
}

/** The thread that holds the ports and connections of some clusters, seen from the host. */
export class ConnectionThread {
  readonly clusters = new Set<string>();
  onObserved: (message: ObservedMessage) => void = () => {};
  readonly #thread: HostThread<ThreadMessage>;
  readonly #waiting = new Map<number, Waiting>();
  readonly #linked = new WeakSet<RequestTaker>();
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
        for (const { reject } of this.#waiting.values()) reject(error);
        this.#waiting.clear();
        onGone(this, reason);
      },
    });
  }

  configure(view: ClusterView): Promise<void> {
    return this.#call({ kind: 'configure', view });
  }

  /** Whether the port accepts connections now; false when another program has it. */
  async listen(clusterId: string, listener: Listener): Promise<boolean> {
    try {
      await this.#call({ kind: 'listen', clusterId, ...listener });
      return true;
    } catch (error) {
      if (error instanceof ThreadError && error.code === 'EADDRINUSE') return false;
      throw error;
    }
  }

  /** Resolves when drivers have had time to turn away from these members. */
  drain(clusterId: string, memberIds: readonly string[]): Promise<void> {
    return this.#call({ kind: 'drain', clusterId, memberIds });
  }

  unlisten(clusterId: string, memberId: string): Promise<void> {
    return this.#call({ kind: 'unlisten', clusterId, memberId });
  }

  /** Sends the cluster's requests to `worker`; without one they wait. */
  async route(clusterId: string, worker: RequestTaker | undefined): Promise<void> {
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

  /** Resolves when the host knows what its ports have seen. */
  tell(): Promise<void> {
    return this.#call({ kind: 'tell' });
  }

  setTls(certificate: Certificate): Promise<void> {
    return this.#call({ kind: 'certificate', certificate });
  }

  end(): Promise<void> {
    return this.#thread.end();
  }

  #link(worker: RequestTaker): void {
    this.#linked.add(worker);
    const { port1, port2 } = new MessageChannel();
    worker.connect(port1);
    this.#post({ kind: 'worker', workerId: worker.id, port: port2 }, [port2]);
  }

  #call(call: ThreadCall): Promise<void> {
    // A thread that has ended answers nothing.
    if (this.#gone !== undefined) return Promise.reject(this.#gone);
    return new Promise((resolve, reject) => {
      this.#waiting.set(this.#post(call), { resolve, reject });
    });
  }

  #post(call: ThreadCall, transfer: readonly Transferable[] = []): number {
    const id = ++this.#lastId;
    this.#thread.post({ id, call } satisfies ThreadRequest, transfer);
    return id;
  }

  #answered({ id, error }: ThreadMessage & { kind: 'answer' }): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve();
    else waiting?.reject(new ThreadError(error.message, error.code));
  }
}

/** The pool of connection threads; each cluster's ports are together on one of them. */
export class ConnectionThreads {
  readonly #slots: Array<ConnectionThread | undefined>;
  readonly #log: Log;
  readonly #tls: boolean;
  readonly #connections: number;
  #certificate: Certificate | undefined;
  #onLost: (thread: ConnectionThread) => void = () => {};
  /** Called with what is to be written down of a cluster. */
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

  /** Called with a thread that has ended by itself; its ports and connections are closed. */
  onLost(listener: (thread: ConnectionThread) => void): void {
    this.#onLost = listener;
  }

  /** The thread for one more cluster: a new one while there may be more, else the least loaded. */
  assign(clusterId: string): ConnectionThread {
    const free = this.#slots.indexOf(undefined);
    const running = this.#slots.filter((slot) => slot !== undefined);
    const [least] = running.toSorted((a, b) => a.clusters.size - b.clusters.size);
    const fits = least !== undefined && (least.clusters.size === 0 || free === -1);
    const thread = fits ? least : this.#start(free);
    thread.clusters.add(clusterId);
    return thread;
  }

  /** A thread that waits for its first cluster. */
  startFirst(): void {
    if (this.#slots[0] === undefined) this.#start(0);
  }

  async setClock(setting: ClockSetting): Promise<void> {
    this.#clock = setting;
    await Promise.all(this.#slots.map((thread) => thread?.setClock(setting)));
  }

  async tell(): Promise<void> {
    await Promise.all(this.#slots.map((thread) => thread?.tell()));
  }

  /** Rejects with OpenSSL's words for what cannot be used; the former certificate stays then. */
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
    // They reject only when the thread ends, which is reported by itself.
    thread.setClock(this.#clock).catch(() => {});
    if (this.#certificate !== undefined) thread.setTls(this.#certificate).catch(() => {});
    this.#slots[index] = thread;
    return thread;
  }
}
