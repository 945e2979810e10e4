import type { MessagePort } from 'node:worker_threads';
import { type ClockSetting, type MachineClock, machineClock, realTime } from '@portolan/foundation/clock';
import type { Log } from '@portolan/foundation/log';
import { PendingReplies } from '@portolan/foundation/pending-replies';
import { type Repetition, repeat } from '@portolan/foundation/repeat';
import type { WireUser } from '../access/caller.ts';
import type { ObservedMessage } from '../observe/observation.ts';
import type { NodeLink } from '../search/nodes/messages.ts';
import { Heartbeat } from '../worker/heartbeat.ts';
import type {
  ClusterFiles,
  ClusterInfo,
  ControlAnswer,
  ControlMessage,
  DamagedMessage,
  OwnUsers,
  WithheldMessage,
} from '../worker/protocol.ts';
import { entryPoint } from './entry-point.ts';
import { HostThread } from './host-thread.ts';
import { InternalCommands } from './internal-commands.ts';
import { Waiters } from './waiters.ts';

const ENTRY = entryPoint(import.meta.filename, '../worker/thread');
/** Commits are on disk already, so a worker that does not end in this time can be terminated. */
const STOP_MS = 5_000;
/**
 * A worker that passes no checkpoint of its statement for this long is stuck, for example in a pattern with
 * catastrophic backtracking. Long work in SQLite takes seconds at most.
 */
const STUCK_MS = 10_000;
const CHECK_MS = 1_000;
/** `terminate` has no effect on a thread in native code, for example while V8 compiles a pattern. */
const UNENDED_MS = 5_000;

/** The worker ended before it replied. */
export class WorkerGone extends Error {
  override readonly name = 'WorkerGone';
}

/** The host's side of the thread that runs the commands of some clusters. */
export class QueryWorker {
  readonly id: number;
  readonly clusters = new Set<string>();
  readonly #thread: HostThread<ControlAnswer>;
  readonly #log: Log;
  /** Pending requests by cluster, one per cluster at a time. */
  readonly #pending = new PendingReplies<string, void>();
  #stopped = () => {};
  readonly #reports = new Waiters();
  /** Called with the users that commands created in one of its clusters. */
  onAccounts: (accounts: OwnUsers) => void = () => {};
  onObserved: (message: ObservedMessage) => void = () => {};
  onDamaged: (message: DamagedMessage) => void = () => {};
  onFollow: (clusterId: string) => void = () => {};
  /** Called when a member is excluded from elections for a while. */
  onWithheld: (message: WithheldMessage) => void = () => {};
  #gone: WorkerGone | undefined;
  #commands: InternalCommands | undefined;
  readonly #heartbeat = new Heartbeat();
  #beats = -1;
  /** Monotonic machine time of its last progress. */
  #lastProgress = 0;
  /** Monotonic machine time at which it was terminated because it was stuck. */
  #stuckSince: number | undefined;

  constructor(id: number, log: Log, onGone: (worker: QueryWorker, reason: string) => void) {
    this.id = id;
    this.#log = log.child({ worker: id });
    this.#thread = new HostThread(
      ENTRY,
      { heartbeat: this.#heartbeat.memory },
      {
        message: (answer) => this.#answered(answer),
        gone: (reason) => {
          const error = new WorkerGone(`its query worker has ended: ${reason.split('\n', 1)}`);
          this.#gone = error;
          this.#pending.rejectAll(() => error);
          this.#reports.resolveAll();
          onGone(this, reason);
        },
      },
    );
  }

  /** Whether the worker was terminated because it was stuck. */
  get stuck(): boolean {
    return this.#stuckSince !== undefined;
  }

  /** Rejects with a message that names the file if it cannot be opened. */
  open(clusterId: string, files: ClusterFiles, info: ClusterInfo): Promise<void> {
    return this.#request({ kind: 'open', clusterId, files, info });
  }

  configure(clusterId: string, info: ClusterInfo): void {
    this.#post({ kind: 'configure', clusterId, info });
  }

  async close(clusterId: string): Promise<void> {
    this.clusters.delete(clusterId);
    await this.#request({ kind: 'close', clusterId });
  }

  /**
   * Returns a member's reply to a command, which runs as the service without a user; rejects with `WorkerGone` if the worker
   * ends.
   */
  run(clusterId: string, member: string, command: Uint8Array, user?: WireUser): Promise<Uint8Array> {
    if (this.#gone !== undefined) return Promise.reject(this.#gone);
    this.#commands ??= new InternalCommands(
      this,
      () => this.#gone ?? new WorkerGone('its query worker has ended'),
    );
    return this.#commands.send(clusterId, member, command, user);
  }

  /** Accepts requests of a connection thread on this port. */
  connect(port: MessagePort): void {
    this.#thread.post({ kind: 'connect', port } satisfies ControlMessage, [port]);
  }

  /** Adds a search node to one of its clusters. */
  addSearchNode(clusterId: string, link: NodeLink): void {
    this.#thread.post({ kind: 'searchNode', clusterId, link } satisfies ControlMessage, [link.port]);
  }

  /** Sets why the search indexes of a cluster are no longer updated; undefined if they are. */
  searchStopped(clusterId: string, stopped: string | undefined): void {
    this.#post({ kind: 'searchStopped', clusterId, stopped });
  }

  /** Terminates the worker if it is stuck. Returns false if it was terminated and has not ended in time. */
  checkProgress(now: number): boolean {
    if (this.#stuckSince !== undefined) return now - this.#stuckSince < UNENDED_MS;
    const { busy, beats } = this.#heartbeat;
    if (!busy || beats !== this.#beats) {
      this.#beats = beats;
      this.#lastProgress = now;
    } else if (now - this.#lastProgress >= STUCK_MS) {
      this.#stuckSince = now;
      this.#thread.kill('a statement did not respond');
    }
    return true;
  }

  setClock(setting: ClockSetting): void {
    this.#post({ kind: 'clock', setting });
  }

  /** Resolves when the worker has reported its members' figures, after the current statement, or has ended. */
  reportFigures(): Promise<void> {
    if (this.#gone !== undefined) return Promise.resolve();
    const reported = this.#reports.wait();
    this.#post({ kind: 'report' });
    return reported;
  }

  async stop(clock: MachineClock): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#stopped = resolve;
      clock.after(STOP_MS, resolve);
      this.#post({ kind: 'stop' });
    });
    await this.#thread.end();
  }

  #request(message: ControlMessage & { readonly clusterId: string }): Promise<void> {
    // A thread that has ended sends no reply.
    if (this.#gone !== undefined) return Promise.reject(this.#gone);
    const reply = this.#pending.wait(message.clusterId);
    this.#post(message);
    return reply;
  }

  #post(message: ControlMessage): void {
    this.#thread.post(message);
  }

  #answered(answer: ControlAnswer): void {
    if (answer.kind === 'stopped') this.#stopped();
    else if (answer.kind === 'reported') this.#reports.resolveAll();
    else if (answer.kind === 'accounts') this.onAccounts(answer.accounts);
    else if (answer.kind === 'withhold') this.onWithheld(answer);
    else if (answer.kind === 'observed') this.onObserved(answer);
    else if (answer.kind === 'damaged') this.onDamaged(answer);
    else if (answer.kind === 'follow') this.onFollow(answer.clusterId);
    else if (answer.kind === 'log') this.#log[answer.level](answer.fields, answer.message);
    else this.#settle(answer);
  }

  #settle(
    answer: Exclude<
      ControlAnswer,
      { kind: 'accounts' | 'damaged' | 'follow' | 'log' | 'observed' | 'stopped' | 'reported' | 'withhold' }
    >,
  ): void {
    if (answer.kind === 'failed') this.#pending.reject(answer.clusterId, new Error(answer.message));
    else this.#pending.resolve(answer.clusterId);
  }
}

/** The worker pool: clusters are spread over a few workers, which start on demand. */
export class QueryWorkers {
  readonly #size: number;
  readonly #log: Log;
  readonly #workers = new Set<QueryWorker>();
  #onLost: (worker: QueryWorker) => void = () => {};
  /** Called with the users that commands created in a cluster. */
  onAccounts: (accounts: OwnUsers) => void = () => {};
  /** Called with the observations to record about a cluster. */
  onObserved: (message: ObservedMessage) => void = () => {};
  /** Called with a cluster in whose file a statement or background work found damage. */
  onDamaged: (message: DamagedMessage) => void = () => {};
  /** Called with a cluster that has search indexes. */
  onFollow: (clusterId: string) => void = () => {};
  /** Called when a member is excluded from elections for a while. */
  onWithheld: (message: WithheldMessage) => void = () => {};
  /**
   * Called when a stuck worker cannot be ended. It holds its clusters' files, which only the end of the process
   * releases.
   */
  onUnended: () => void = () => {};
  #clock: ClockSetting = realTime;
  readonly #watching: Repetition;
  #lastId = 0;

  constructor(size: number, log: Log, machine: MachineClock = machineClock()) {
    this.#size = size;
    this.#log = log;
    this.#watching = repeat({
      machine,
      run: () => this.#checkProgress(machine.monotonic()),
      interval: () => (this.#workers.size > 0 ? CHECK_MS : Number.POSITIVE_INFINITY),
      onError: (error) => log.error({ reason: error.message }, 'the check of query workers failed'),
    });
  }

  /** Called with a worker that has ended by itself; its clusters are closed. */
  onLost(listener: (worker: QueryWorker) => void): void {
    this.#onLost = listener;
  }

  /** Returns the worker for another cluster: an idle one, a new one if the pool is not full, or the least loaded. */
  assign(clusterId: string): QueryWorker {
    const [least] = [...this.#workers].toSorted((a, b) => a.clusters.size - b.clusters.size);
    const isReusable = least !== undefined && (least.clusters.size === 0 || this.#workers.size >= this.#size);
    const worker = isReusable ? least : this.#start();
    // Added at once, so that clusters that open at the same time are spread over the workers.
    worker.clusters.add(clusterId);
    return worker;
  }

  /** Starts a worker before the first cluster needs it. */
  startFirst(): void {
    if (this.#workers.size === 0) this.#start();
  }

  setClock(setting: ClockSetting): void {
    this.#clock = setting;
    for (const worker of this.#workers) worker.setClock(setting);
  }

  async reportFigures(): Promise<void> {
    await Promise.all([...this.#workers].map((worker) => worker.reportFigures()));
  }

  async stop(clock: MachineClock): Promise<void> {
    await this.#watching.stop();
    await Promise.all([...this.#workers].map((worker) => worker.stop(clock)));
  }

  #checkProgress(now: number): void {
    for (const worker of this.#workers) {
      if (worker.checkProgress(now)) continue;
      const clusters = worker.clusters.size;
      this.#log.error({ worker: worker.id, clusters }, 'a stuck query worker cannot be ended');
      this.onUnended();
    }
  }

  #start(): QueryWorker {
    this.#watching.wake(CHECK_MS);
    const worker = new QueryWorker(++this.#lastId, this.#log, (lost, reason) => {
      this.#workers.delete(lost);
      this.#log.error({ worker: lost.id, clusters: lost.clusters.size, reason }, 'query worker ended');
      this.#onLost(lost);
    });
    worker.onAccounts = (accounts) => this.onAccounts(accounts);
    worker.onObserved = (message) => this.onObserved(message);
    worker.onDamaged = (message) => this.onDamaged(message);
    worker.onFollow = (clusterId) => this.onFollow(clusterId);
    worker.onWithheld = (message) => this.onWithheld(message);
    worker.setClock(this.#clock);
    this.#workers.add(worker);
    return worker;
  }
}
