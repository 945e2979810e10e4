import type { MessagePort } from 'node:worker_threads';
import { type ClockSetting, type MachineClock, machineClock, realTime } from '@portolan/foundation/clock';
import { entryPoint } from '@portolan/foundation/entry-point';
import { processMs } from '@portolan/foundation/idle-collection';
import type { Log } from '@portolan/foundation/log';
import { PendingReplies } from '@portolan/foundation/pending-replies';
import { type Repetition, repeat } from '@portolan/foundation/repeat';
import type { WireUser } from '../access/caller.ts';
import type { ObservedMessage } from '../observe/observation.ts';
import type { NodeLink } from '../search/nodes/messages.ts';
import { describedStatement } from '../worker/description.ts';
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
import { HostThread } from './host-thread.ts';
import { InternalCommands } from './internal-commands.ts';
import { CHECK_MS, type CheckTimes, StuckWatch } from './stuck-watch.ts';
import { Waiters } from './waiters.ts';

const ENTRY = entryPoint(import.meta.filename, '../worker/thread');
/**
 * Maximum time that a query thread may take to end. After this time, the thread is terminated. This loses no commit,
 * because commits are on the disk.
 */
const STOP_MS = 5_000;

/** The query thread ended before it replied. */
export class QueryThreadGone extends Error {
  override readonly name = 'QueryThreadGone';
}

/**
 * The handle with which the host controls one query thread. A query thread (`worker/thread.ts`) runs the commands of
 * some clusters.
 */
export class QueryThread {
  readonly id: number;
  readonly clusters = new Set<string>();
  readonly #thread: HostThread<ControlAnswer>;
  readonly #log: Log;
  /** Pending requests by cluster. A cluster has at most one pending request. */
  readonly #pending = new PendingReplies<string, void>();
  #stopped = () => {};
  readonly #reports = new Waiters();
  /** Called with the users of one of the thread's clusters after a command has changed them. */
  onAccounts: (accounts: OwnUsers) => void = () => {};
  onObserved: (message: ObservedMessage) => void = () => {};
  onDamaged: (message: DamagedMessage) => void = () => {};
  onFollow: (clusterId: string) => void = () => {};
  /** Called when a command excludes a member from elections for a while. */
  onWithheld: (message: WithheldMessage) => void = () => {};
  /** Called when the thread is stuck, with the statement that it runs, before the thread is terminated. */
  onStuck: (statement: ReturnType<typeof describedStatement>) => void = () => {};
  #gone: QueryThreadGone | undefined;
  #commands: InternalCommands | undefined;
  readonly #heartbeat = new Heartbeat();
  readonly #watch = new StuckWatch(this.#heartbeat);

  constructor(id: number, log: Log, onGone: (thread: QueryThread, reason: string) => void) {
    this.id = id;
    this.#log = log.child({ thread: id });
    this.#thread = new HostThread(
      ENTRY,
      { heartbeat: this.#heartbeat.memory },
      {
        message: (answer) => this.#answered(answer),
        gone: (reason) => {
          const error = new QueryThreadGone(`its query thread has ended: ${reason.split('\n', 1)}`);
          this.#gone = error;
          this.#pending.rejectAll(() => error);
          this.#reports.resolveAll();
          onGone(this, reason);
        },
      },
    );
  }

  /** True if the thread was terminated because it was stuck. */
  get stuck(): boolean {
    return this.#watch.isStuck;
  }

  /** Opens a cluster. Rejects with a message that names the file if it cannot be opened. */
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
   * Runs a command on a member and returns the reply. Without `user`, the service runs the command. Rejects with
   * `QueryThreadGone` if the thread ends.
   */
  run(clusterId: string, member: string, command: Uint8Array, user?: WireUser): Promise<Uint8Array> {
    if (this.#gone !== undefined) return Promise.reject(this.#gone);
    this.#commands ??= new InternalCommands(
      this,
      () => this.#gone ?? new QueryThreadGone('its query thread has ended'),
    );
    return this.#commands.send(clusterId, member, command, user);
  }

  /** Makes the thread accept requests of a connection thread on this port. */
  connect(port: MessagePort): void {
    this.#thread.post({ kind: 'connect', port } satisfies ControlMessage, [port]);
  }

  /** Adds a search node to one of the thread's clusters. */
  addSearchNode(clusterId: string, link: NodeLink): void {
    this.#thread.post({ kind: 'searchNode', clusterId, link } satisfies ControlMessage, [link.port]);
  }

  /**
   * Sets the reason why the search indexes of a cluster are no longer updated. `stopped` is undefined if they are
   * updated.
   */
  searchStopped(clusterId: string, stopped: string | undefined): void {
    this.#post({ kind: 'searchStopped', clusterId, stopped });
  }

  /**
   * Terminates the thread if it is stuck. Returns false if the thread has been terminated but has not ended in time.
   */
  checkProgress(times: CheckTimes): boolean {
    const found = this.#watch.check(times);
    if (found === 'stuck') {
      this.onStuck(describedStatement(this.#heartbeat.statement));
      this.#thread.kill('a statement did not respond');
    }
    return found !== 'unended';
  }

  setClock(setting: ClockSetting): void {
    this.#post({ kind: 'clock', setting });
  }

  /**
   * Resolves when the thread has reported the statistics of its members, or has ended. The thread reports after its
   * current statement.
   */
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
    // A thread that has ended never replies.
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

/** The pool of query threads. The clusters are distributed among a few threads, which start when they are needed. */
export class QueryThreads {
  readonly #size: number;
  readonly #log: Log;
  readonly #threads = new Set<QueryThread>();
  #onLost: (thread: QueryThread) => void = () => {};
  /** Called with the users of a cluster after a command has changed them. */
  onAccounts: (accounts: OwnUsers) => void = () => {};
  /** Called with events and measurements of a cluster. The host writes them to files. */
  onObserved: (message: ObservedMessage) => void = () => {};
  /** Called when a statement or background work found damage in a cluster's file. */
  onDamaged: (message: DamagedMessage) => void = () => {};
  /** Called when a cluster has search indexes, so that they must be updated. */
  onFollow: (clusterId: string) => void = () => {};
  /** Called when a command excludes a member from elections for a while. */
  onWithheld: (message: WithheldMessage) => void = () => {};
  /** Called with the cluster and a description of a statement that does not respond, before its thread is terminated. */
  onStuck: (clusterId: string, statement: string) => void = () => {};
  /** Called when a stuck thread cannot be ended. The files of its clusters stay open until the process ends. */
  onUnended: () => void = () => {};
  #clock: ClockSetting = realTime;
  readonly #watching: Repetition;
  #lastId = 0;

  constructor(size: number, log: Log, machine: MachineClock = machineClock()) {
    this.#size = size;
    this.#log = log;
    this.#watching = repeat({
      machine,
      run: () => this.#checkProgress({ now: machine.monotonic(), processor: processMs() }),
      interval: () => (this.#threads.size > 0 ? CHECK_MS : Number.POSITIVE_INFINITY),
      onError: (error) => log.error({ reason: error.message }, 'the check of query threads failed'),
    });
  }

  /**
   * Sets the function that is called when a thread has ended unexpectedly. The clusters of this thread are then closed.
   */
  onLost(listener: (thread: QueryThread) => void): void {
    this.#onLost = listener;
  }

  /**
   * Chooses the thread for another cluster: an idle thread, or a new thread if the pool is not full, or else the least
   * loaded thread.
   */
  assign(clusterId: string): QueryThread {
    const [least] = [...this.#threads].toSorted((a, b) => a.clusters.size - b.clusters.size);
    const isReusable = least !== undefined && (least.clusters.size === 0 || this.#threads.size >= this.#size);
    const thread = isReusable ? least : this.#start();
    // Add the cluster here, so that clusters that open at the same time get different threads.
    thread.clusters.add(clusterId);
    return thread;
  }

  /** Starts a thread in advance, before a cluster needs it. */
  startFirst(): void {
    if (this.#threads.size === 0) this.#start();
  }

  setClock(setting: ClockSetting): void {
    this.#clock = setting;
    for (const thread of this.#threads) thread.setClock(setting);
  }

  async reportFigures(): Promise<void> {
    await Promise.all([...this.#threads].map((thread) => thread.reportFigures()));
  }

  async stop(clock: MachineClock): Promise<void> {
    await this.#watching.stop();
    await Promise.all([...this.#threads].map((thread) => thread.stop(clock)));
  }

  #checkProgress(times: CheckTimes): void {
    for (const thread of this.#threads) {
      if (thread.checkProgress(times)) continue;
      const clusters = thread.clusters.size;
      this.#log.error({ thread: thread.id, clusters }, 'a stuck query thread cannot be ended');
      this.onUnended();
    }
  }

  #start(): QueryThread {
    this.#watching.wake(CHECK_MS);
    const thread = new QueryThread(++this.#lastId, this.#log, (lost, reason) => {
      this.#threads.delete(lost);
      this.#log.error({ thread: lost.id, clusters: lost.clusters.size, reason }, 'query thread ended');
      this.#onLost(lost);
    });
    thread.onStuck = (statement) => {
      this.#log.error({ thread: thread.id, ...statement }, 'a statement did not respond');
      if (statement !== undefined) this.onStuck(statement.clusterId, statement.text);
    };
    thread.onAccounts = (accounts) => this.onAccounts(accounts);
    thread.onObserved = (message) => this.onObserved(message);
    thread.onDamaged = (message) => this.onDamaged(message);
    thread.onFollow = (clusterId) => this.onFollow(clusterId);
    thread.onWithheld = (message) => this.onWithheld(message);
    thread.setClock(this.#clock);
    this.#threads.add(thread);
    return thread;
  }
}
