import type { MessagePort } from 'node:worker_threads';
import { type ClockSetting, type MachineClock, machineClock, realTime } from '@portolan/foundation/clock';
import type { Log } from '@portolan/foundation/log';
import { type Repetition, repeat } from '@portolan/foundation/repeat';
import type { ObservedMessage } from '../observe/observation.ts';
import type { NodeLink } from '../search/nodes/messages.ts';
import type {
  ClusterFiles,
  ClusterInfo,
  ControlAnswer,
  ControlMessage,
  OwnUsers,
  WithheldMessage,
} from '../worker/protocol.ts';
import { Pulse } from '../worker/pulse.ts';
import { entryPoint } from './entry-point.ts';
import { HostThread } from './host-thread.ts';
import { InnerRequests } from './inner-requests.ts';

const ENTRY = entryPoint(import.meta.filename, '../worker/thread');
/** What is committed is on disk already, so a worker that does not end in this time can be cut off. */
const STOP_MS = 5_000;
/**
 * A worker that is in a statement and passes no check point for so long is stuck: in a pattern that tries every way
 * through a text, for example. Long work in SQLite takes seconds at most.
 */
const STUCK_MS = 10_000;
const LOOK_MS = 1_000;

/** The worker ended before it answered. */
export class WorkerGone extends Error {
  override readonly name = 'WorkerGone';
}

interface Waiting {
  resolve(): void;
  reject(error: Error): void;
}

/** The thread that runs the commands of some clusters, seen from the host. */
export class QueryWorker {
  readonly id: number;
  readonly clusters = new Set<string>();
  readonly #thread: HostThread<ControlAnswer>;
  readonly #log: Log;
  readonly #waiting = new Map<string, Waiting>();
  #stopped = () => {};
  #told: Array<() => void> = [];
  /** Called with the users that commands have made in one of its clusters. */
  onAccounts: (accounts: OwnUsers) => void = () => {};
  onObserved: (message: ObservedMessage) => void = () => {};
  onDamaged: (clusterId: string) => void = () => {};
  onFollow: (clusterId: string) => void = () => {};
  /** Called when a member is not to be elected for a while. */
  onWithheld: (message: WithheldMessage) => void = () => {};
  #gone: WorkerGone | undefined;
  #inner: InnerRequests | undefined;
  readonly #pulse = new Pulse();
  #beats = -1;
  /** Monotonic machine time since which it has not moved. */
  #since = 0;
  /** It was ended because it was stuck. */
  stuck = false;

  constructor(id: number, log: Log, onGone: (worker: QueryWorker, reason: string) => void) {
    this.id = id;
    this.#log = log.child({ worker: id });
    this.#thread = new HostThread(
      ENTRY,
      { pulse: this.#pulse.memory },
      {
        message: (answer) => this.#answered(answer),
        gone: (reason) => {
          const error = new WorkerGone(`its query worker has ended: ${reason.split('\n', 1)}`);
          this.#gone = error;
          for (const { reject } of this.#waiting.values()) reject(error);
          this.#waiting.clear();
          this.#hasTold();
          onGone(this, reason);
        },
      },
    );
  }

  /** Rejects with a sentence that names the file when it cannot be opened. */
  open(clusterId: string, files: ClusterFiles, info: ClusterInfo): Promise<void> {
    return this.#ask({ kind: 'open', clusterId, files, info });
  }

  configure(clusterId: string, info: ClusterInfo): void {
    this.#post({ kind: 'configure', clusterId, info });
  }

  async close(clusterId: string): Promise<void> {
    this.clusters.delete(clusterId);
    await this.#ask({ kind: 'close', clusterId });
  }

  /** The answer of a member to a command of the host itself; rejects with `WorkerGone` when there is none. */
  run(clusterId: string, member: string, command: Uint8Array): Promise<Uint8Array> {
    if (this.#gone !== undefined) return Promise.reject(this.#gone);
    this.#inner ??= new InnerRequests(this, () => this.#gone ?? new WorkerGone('its query worker has ended'));
    return this.#inner.send(clusterId, member, command);
  }

  /** Takes requests from a connection thread on this port. */
  connect(port: MessagePort): void {
    this.#thread.post({ kind: 'connect', port } satisfies ControlMessage, [port]);
  }

  /** A thread that searches for one of its clusters. */
  addSearchNode(clusterId: string, link: NodeLink): void {
    this.#thread.post({ kind: 'searchNode', clusterId, link } satisfies ControlMessage, [link.port]);
  }

  /** Why the search indexes of one of its clusters follow the data no more; undefined: they do. */
  searchStopped(clusterId: string, stopped: string | undefined): void {
    this.#post({ kind: 'searchStopped', clusterId, stopped });
  }

  /** Ends the worker when it has been in one statement for long and passed no check point. */
  look(now: number): void {
    const { busy, beats } = this.#pulse;
    if (!busy || beats !== this.#beats) {
      this.#beats = beats;
      this.#since = now;
    } else if (now - this.#since >= STUCK_MS && !this.stuck) {
      this.stuck = true;
      this.#thread.kill('it was stuck in a statement');
    }
  }

  setClock(setting: ClockSetting): void {
    this.#post({ kind: 'clock', setting });
  }

  /** Resolves when the host knows what its members have done: after the statement that runs, or when it has ended. */
  tell(): Promise<void> {
    if (this.#gone !== undefined) return Promise.resolve();
    return new Promise((resolve) => {
      this.#told.push(resolve);
      this.#post({ kind: 'tell' });
    });
  }

  #hasTold(): void {
    for (const resolve of this.#told.splice(0)) resolve();
  }

  async stop(clock: MachineClock): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#stopped = resolve;
      clock.after(STOP_MS, resolve);
      this.#post({ kind: 'stop' });
    });
    await this.#thread.end();
  }

  #ask(message: ControlMessage & { readonly clusterId: string }): Promise<void> {
    // A thread that has ended answers nothing.
    if (this.#gone !== undefined) return Promise.reject(this.#gone);
    return new Promise((resolve, reject) => {
      this.#waiting.set(message.clusterId, { resolve, reject });
      this.#post(message);
    });
  }

  #post(message: ControlMessage): void {
    this.#thread.post(message);
  }

  #answered(answer: ControlAnswer): void {
    if (answer.kind === 'stopped') this.#stopped();
    else if (answer.kind === 'told') this.#hasTold();
    else if (answer.kind === 'accounts') this.onAccounts(answer.accounts);
    else if (answer.kind === 'withhold') this.onWithheld(answer);
    else if (answer.kind === 'observed') this.onObserved(answer);
    else if (answer.kind === 'damaged') this.onDamaged(answer.clusterId);
    else if (answer.kind === 'follow') this.onFollow(answer.clusterId);
    else if (answer.kind === 'log') this.#log[answer.level](answer.fields, answer.message);
    else this.#settle(answer);
  }

  #settle(
    answer: Exclude<
      ControlAnswer,
      { kind: 'accounts' | 'damaged' | 'follow' | 'log' | 'observed' | 'stopped' | 'told' | 'withhold' }
    >,
  ): void {
    const waiting = this.#waiting.get(answer.clusterId);
    this.#waiting.delete(answer.clusterId);
    if (answer.kind === 'failed') waiting?.reject(new Error(answer.message));
    else waiting?.resolve();
  }
}

/** The pool: clusters are spread over few workers, which are started when there is something to run. */
export class QueryWorkers {
  readonly #size: number;
  readonly #log: Log;
  readonly #workers = new Set<QueryWorker>();
  #onLost: (worker: QueryWorker) => void = () => {};
  /** Called with the users that commands have made in a cluster. */
  onAccounts: (accounts: OwnUsers) => void = () => {};
  /** Called with what is to be written down of a cluster. */
  onObserved: (message: ObservedMessage) => void = () => {};
  /** Called with a cluster in whose file a command has met damage. */
  onDamaged: (clusterId: string) => void = () => {};
  /** Called with a cluster that has search indexes. */
  onFollow: (clusterId: string) => void = () => {};
  /** Called when a member is not to be elected for a while. */
  onWithheld: (message: WithheldMessage) => void = () => {};
  #clock: ClockSetting = realTime;
  readonly #watching: Repetition;
  #lastId = 0;

  constructor(size: number, log: Log, machine: MachineClock = machineClock()) {
    this.#size = size;
    this.#log = log;
    this.#watching = repeat({
      machine,
      run: () => this.#look(machine.monotonic()),
      interval: () => (this.#workers.size > 0 ? LOOK_MS : Number.POSITIVE_INFINITY),
      onError: (error) => log.error({ reason: error.message }, 'query workers could not be looked at'),
    });
  }

  /** Called with a worker that has ended by itself; its clusters are closed. */
  onLost(listener: (worker: QueryWorker) => void): void {
    this.#onLost = listener;
  }

  /** The worker for one more cluster: an idle one, a new one while there may be more, else the least loaded. */
  assign(clusterId: string): QueryWorker {
    const [least] = [...this.#workers].toSorted((a, b) => a.clusters.size - b.clusters.size);
    const fits = least !== undefined && (least.clusters.size === 0 || this.#workers.size >= this.#size);
    const worker = fits ? least : this.#start();
    // At once, so that clusters which open together are spread.
    worker.clusters.add(clusterId);
    return worker;
  }

  /** A worker that waits for its first cluster. */
  startFirst(): void {
    if (this.#workers.size === 0) this.#start();
  }

  setClock(setting: ClockSetting): void {
    this.#clock = setting;
    for (const worker of this.#workers) worker.setClock(setting);
  }

  async tell(): Promise<void> {
    await Promise.all([...this.#workers].map((worker) => worker.tell()));
  }

  async stop(clock: MachineClock): Promise<void> {
    await this.#watching.stop();
    await Promise.all([...this.#workers].map((worker) => worker.stop(clock)));
  }

  #look(now: number): void {
    for (const worker of this.#workers) worker.look(now);
  }

  #start(): QueryWorker {
    this.#watching.wake(LOOK_MS);
    const worker = new QueryWorker(++this.#lastId, this.#log, (lost, reason) => {
      this.#workers.delete(lost);
      this.#log.error({ worker: lost.id, clusters: lost.clusters.size, reason }, 'query worker ended');
      this.#onLost(lost);
    });
    worker.onAccounts = (accounts) => this.onAccounts(accounts);
    worker.onObserved = (message) => this.onObserved(message);
    worker.onDamaged = (clusterId) => this.onDamaged(clusterId);
    worker.onFollow = (clusterId) => this.onFollow(clusterId);
    worker.onWithheld = (message) => this.onWithheld(message);
    worker.setClock(this.#clock);
    this.#workers.add(worker);
    return worker;
  }
}
