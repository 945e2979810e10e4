import { type MachineClock, machineClock } from '@portolan/foundation/clock';
import { pauseThread } from '@portolan/foundation/pause';
import { Accounts } from '../access/accounts.ts';
import { roleSpecOf, storedRoles, storedUsers, userSpecOf } from '../access/stored-accounts.ts';
import type { RawDocument } from '../bson/raw.ts';
import type { Value } from '../bson/value.ts';
import { storeFeatureCompatibility } from '../commands/administration/feature-compatibility.ts';
import { pipelineEnvironmentOf } from '../commands/aggregation/pipeline-environment.ts';
import type { ClusterClock, ClusterContext, ClusterRandom } from '../commands/context/cluster.ts';
import type { Command } from '../commands/context/command.ts';
import { endsTransaction } from '../commands/context/facts.ts';
import type { Operations } from '../commands/context/operations.ts';
import type { CommandRequest } from '../commands/context/request.ts';
import type { Topology } from '../commands/context/topology.ts';
import type { TransactionStep } from '../commands/generic/transaction.ts';
import { storeConfigs } from '../commands/replication/stored-config.ts';
import { forgetSharded, recordShards } from '../commands/sharding/index.ts';
import { lsidOf } from '../commands/shared/session-key.ts';
import { ServerError } from '../errors/server-error.ts';
import type { Scripts } from '../language/scripts.ts';
import type { Reply } from '../message/reply.ts';
import { lineCodec } from '../observe/line-codec.ts';
import { OperationCounters } from '../observe/operation-counters.ts';
import { OperationObserver } from '../observe/operation-observer.ts';
import { releaseOf, ServerParameters } from '../parameters/parameters.ts';
import { ScriptHost } from '../script/scripts.ts';
import { SearchReader } from '../search/file/search-reader.ts';
import { SearchNodes } from '../search/nodes/search-nodes.ts';
import { ClusterStore } from '../storage/cluster-store.ts';
import type { OpenOptions } from '../storage/file/format.ts';
import { StorageError } from '../storage/file/storage-error.ts';
import type { ThreadWork } from '../storage/file/write-ahead-log.ts';
import type { RunningStatement } from '../storage/model/running-statement.ts';
import { partsOfPosition } from '../storage/oplog/position.ts';
import { positionOf } from '../storage/oplog/time.ts';
import { TransactionMemory } from '../storage/transactions/transaction-memory.ts';
import { clusterClock, clusterRandom } from './cluster-clock.ts';
import { ClusterTimes } from './cluster-times.ts';
import { CursorBudget } from './cursor-budget.ts';
import { CursorTable } from './cursors.ts';
import type { WorkerDependencies } from './dependencies.ts';
import { IdleMemory } from './idle-memory.ts';
import { PendingProfiles } from './pending-profiles.ts';
import type { ClusterFiles, ClusterInfo, LastWrite, OwnUsers } from './protocol.ts';
import { ReplicationWaits } from './replication-waits.ts';
import { SessionTable } from './sessions.ts';
import { SnapshotReads } from './snapshot-reads.ts';
import { StatementLog, storedNumber } from './statement-log.ts';
import { Transactions } from './transactions.ts';

/** Limits the memory of the transactions of all clusters of a thread. */
const transactionMemory = new TransactionMemory();
const cursorBudget = new CursorBudget();
const scriptHost = new ScriptHost({ now: machineClock().monotonic, pause: pauseThread });

function storedAs(
  id: string,
  files: ClusterFiles,
  running: RunningStatement,
  { checkpoints }: WorkerDependencies,
): OpenOptions {
  const { key, unsynced } = files;
  const limits = checkpoints?.limits;
  const run: ThreadWork = (work, ended) => checkpoints?.run(id, files, work, ended);
  const checkpoint = limits && { run, limits };
  return { running, key, unsynced, checkpoint };
}

/** A cluster whose file is open. */
export class OpenCluster implements ClusterContext {
  readonly id: string;
  readonly store: ClusterStore;
  readonly cursors: CursorTable;
  readonly sessions: SessionTable;
  readonly transactions: Transactions;
  readonly snapshotReads: SnapshotReads;
  readonly replicationWaits: ReplicationWaits;
  /** Called when there are profiler entries to store. */
  onProfiled = () => {};
  /** Called when a transaction has ended without a commit, or when writes no longer have to wait. */
  onRelease = () => {};
  readonly operations: Operations;
  readonly counters = new OperationCounters();
  readonly parameters: ServerParameters;
  readonly accounts = new Accounts();
  readonly observer: OperationObserver;
  readonly random: ClusterRandom;
  readonly clock: ClusterClock;
  /** The service time of the last election, or of the opening of the file. */
  electedAt = 0;
  readonly pipelineEnvironment = pipelineEnvironmentOf;
  readonly scripts: () => Scripts;
  #accountsRevision = 0;
  readonly search: SearchReader;
  readonly searchNodes = new SearchNodes();
  readonly searchIndexesChanged: () => void;
  readonly withhold: (member: string, seconds: number) => void;
  readonly #publish: (accounts: OwnUsers) => void;
  readonly #damaged: (fault: string) => void;
  #info: ClusterInfo;
  readonly #machine: MachineClock;
  #closed = false;
  /**
   * True if the version of the members has changed, and the feature compatibility version must change with it. This is
   * the case if the two versions were equal before the change.
   */
  #upgraded = false;
  readonly #times: ClusterTimes;
  readonly #idleMemory: IdleMemory;
  readonly #profiles: PendingProfiles;

  private constructor(
    id: string,
    files: ClusterFiles,
    info: ClusterInfo,
    dependencies: WorkerDependencies,
    operations: Operations,
    running: RunningStatement,
  ) {
    this.id = id;
    const { machine, random, service } = dependencies;
    const now = () => service.now().getTime();
    const opened = machine.monotonic();
    this.clock = clusterClock(now, machine, opened);
    this.random = clusterRandom(now, random);
    this.#info = info;
    this.#machine = machine;
    this.#profiles = new PendingProfiles(dependencies.log, (error) => this.met(error));
    const sources = { now, term: () => this.#info.term };
    this.store = ClusterStore.open(files.dir, random, sources, storedAs(id, files, running, dependencies));
    this.store.onRoom = () => this.onRelease();
    this.search = new SearchReader(files.dir, files.key);
    this.searchIndexesChanged = () => dependencies.follow?.(id);
    if (this.store.searchIndexes.all().length > 0) this.searchIndexesChanged();
    this.parameters = new ServerParameters(this.store, info);
    this.scripts = () => scriptHost.open(this.parameters.javascriptEnabled, running);
    this.#limitOplog();
    this.operations = operations;
    this.observer = this.#observer(files, dependencies);
    this.observer.configure(info.auditing);
    this.store.onMade = ({ database, name }, first) => {
      const { current } = operations;
      if (current === undefined || !this.observer.auditing) return;
      current.created = [...(current.created ?? []), { database, name, first }];
    };
    this.withhold = (member, seconds) => dependencies.withhold?.(id, member, seconds);
    this.#publish = (accounts) => dependencies.publish?.(accounts);
    this.#damaged = (fault) => dependencies.damaged?.(id, fault);
    this.#loadAccounts();
    const budget = dependencies.cursorBudget ?? cursorBudget;
    this.cursors = new CursorTable(machine, random, () => operations.current, budget);
    this.sessions = new SessionTable(machine, random, this.cursors, this.store);
    this.transactions = new Transactions({
      store: this.store,
      memory: dependencies.transactionMemory ?? transactionMemory,
      cursors: this.cursors,
      clock: machine,
      running,
      lifetimeSeconds: () => this.parameters.transactionLifetimeLimitSeconds,
      onEnd: () => this.onRelease(),
    });
    this.replicationWaits = new ReplicationWaits(machine);
    this.snapshotReads = new SnapshotReads({ store: this.store, cursors: this.cursors, clock: machine });
    this.sessions.onEnd = (session) => this.transactions.forget(session);
    const { store, search } = this;
    const onError = (error: unknown) => this.met(error);
    this.#idleMemory = new IdleMemory({ store, search, machine, log: dependencies.log, opened, onError });
    this.#times = new ClusterTimes(() => this.store.oplog.last, now);
    this.#followMembers();
    this.#limitFile();
  }

  /** Limits the size of the file. A file that is already larger keeps its size. */
  #limitFile(bytes = this.#info.diskBytes ?? Number.MAX_SAFE_INTEGER): void {
    this.store.limit(bytes);
  }

  /** Updates the records of members. The cluster itself writes them, so no size limit applies. */
  #followNewMembers(): void {
    this.#limitFile(Number.MAX_SAFE_INTEGER);
    try {
      this.#followMembers();
    } catch (error) {
      // This code does not run in a statement, so a thrown error would end the thread with all its clusters.
      if (!(error instanceof StorageError)) throw error;
      this.met(error);
    } finally {
      this.#limitFile();
    }
  }

  /** Records the members in `local`, and the shards and their collections in `config`. */
  #followMembers(): void {
    storeConfigs(this);
    storeFeatureCompatibility(this, this.#upgraded);
    this.#upgraded = false;
    if (this.topology.shardNames === undefined) return;
    recordShards(this);
    this.store.onDropped = ({ namespace }) => forgetSharded(this.store, namespace);
  }

  /** Opens a cluster. Throws `StorageError` if its file cannot be used. */
  static open(
    id: string,
    files: ClusterFiles,
    info: ClusterInfo,
    dependencies: WorkerDependencies,
    operations: Operations,
    running: RunningStatement,
  ): OpenCluster {
    const cluster = new OpenCluster(id, files, info, dependencies, operations, running);
    cluster.electedAt = cluster.clock.now();
    return cluster;
  }

  /** Reports an error of a statement or of background work if damage in the file caused it. */
  met(error: unknown): void {
    if (error instanceof StorageError && error.reason === 'damaged') this.#damaged(error.detail);
  }

  configure(info: ClusterInfo): void {
    // After an election, the member that was primary aborts its open transactions.
    if (info.term !== this.#info.term) {
      this.transactions.abortAll();
      this.electedAt = this.clock.now();
    }
    this.#upgraded ||= this.parameters.featureCompatibilityVersion === releaseOf(this.#info.version);
    this.#info = info;
    this.replicationWaits.changed(info.members);
    this.parameters.configure(info);
    this.#loadAccounts();
    this.observer.configure(info.auditing);
    this.#limitFile();
    this.#limitOplog();
    // Defer this, because this method may be called in the middle of a statement.
    this.#machine.after(0, () => {
      if (!this.#closed) this.#followNewMembers();
    });
  }

  /** Limits the oplog. The settings of the deployment take precedence over those of commands. */
  #limitOplog(): void {
    const { oplog } = this.store;
    const { oplogSizeMB, oplogMinRetentionHours } = this.parameters;
    const { limit, retainedMs } = oplog.ownLimits;
    const wanted = oplogSizeMB === undefined ? undefined : oplogSizeMB * 1024 * 1024;
    oplog.limit = wanted ?? this.#info.oplogBytes ?? limit;
    oplog.retainedMs = oplogMinRetentionHours > 0 ? oplogMinRetentionHours * 3_600_000 : retainedMs;
    oplog.images.expireAfterSeconds = () => this.parameters.preAndPostImagesExpireAfterSeconds;
  }

  runInTransaction(session: string, step: TransactionStep, command: Command, request: CommandRequest): Reply {
    const { sessions, transactions } = this;
    sessions.begin(session, step.number, storedNumber(this.store.retries.find(session)), true);
    if (!step.starts) transactions.checkApiParameters(session, step.number, request);
    const transactionEnd = {
      commit: () => transactions.commit(session, step.number),
      abort: () => transactions.abort(session, step.number),
    };
    if (endsTransaction(command)) return command.run({ ...request, transactionEnd }, this);
    return transactions.run(session, step, command, request, this);
  }

  /** Throws `InvalidOptions` if the time is later than any that the cluster has returned. */
  checkReached(time: Value, { body }: CommandRequest): void {
    const wanted = positionOf(time);
    if (wanted <= this.store.oplog.last) return;
    const returned = body.document('$clusterTime')?.get('clusterTime');
    if (returned !== undefined && wanted <= positionOf(returned)) return;
    throw new ServerError(
      'InvalidOptions',
      'readConcern afterClusterTime value must not be greater than the current clusterTime.',
    );
  }

  /** Starts the log of the statements of a retryable write. `body` is its command. */
  beginStatements(session: string, txnNumber: bigint, body: RawDocument): StatementLog {
    const { oplog, retries } = this.store;
    const stored = this.sessions.isNew(session, txnNumber) ? undefined : retries.find(session);
    this.sessions.begin(session, txnNumber, storedNumber(stored));
    this.transactions.refuseNumber(session, txnNumber, stored);
    return new StatementLog({ lsid: lsidOf(session), txnNumber }, body, stored, (origin) => {
      oplog.origin = origin;
    });
  }

  /** Stores the log of a retryable write. Must run in the transaction of the write. */
  keepStatements(session: string, log: StatementLog): void {
    if (log.changed) this.store.retries.save(session, this.#machine.now(), log.encode());
  }

  #observer({ dir, key }: ClusterFiles, { random, observe }: WorkerDependencies): OperationObserver {
    return new OperationObserver({
      directory: dir,
      lines: lineCodec(key),
      profiler: this.parameters.profiler,
      longestAttribute: () => 1024 * Number(this.parameters.value('maxLogSizeKB')),
      now: this.clock.now,
      chance: () => random.fraction(),
      send: (observation) => observe?.(this.id, observation),
      profile: (database, document) => {
        this.#profiles.add(database, document);
        this.onProfiled();
      },
    });
  }

  /** Stores the profiler entries of finished operations. Must not run in a statement that writes. */
  keepProfiles(): void {
    this.#profiles.store(this.store, this.random);
  }

  /**
   * The size of the oplog in bytes, the seconds between its first and last entry, and whether it has never been
   * trimmed.
   */
  get oplogSize(): { bytes: number; window: number; whole: boolean } {
    const { bytes, first, last, isComplete: whole } = this.store.oplog;
    const window = partsOfPosition(last).seconds - partsOfPosition(first).seconds;
    return { bytes, window: first === 0 ? 0 : Math.max(window, 0), whole };
  }

  accountsChanged(): void {
    this.store.undoing(() => this.#loadAccounts());
    this.#loadAccounts();
  }

  #loadAccounts(): void {
    const { users = [], customRoles = [] } = this.#info.access ?? {};
    const own = storedUsers(this.store).map(userSpecOf);
    const withoutSecrets = own.map(({ scram: _, ...account }) => account);
    this.accounts.configure(
      [...users, ...withoutSecrets],
      [...customRoles, ...storedRoles(this.store).map(roleSpecOf)],
    );
    this.#accountsRevision = Math.max(this.#accountsRevision + 1, this.store.oplog.last);
    this.#publish({ clusterId: this.id, revision: this.#accountsRevision, users: own });
  }

  /** `$clusterTime` and `operationTime` for replies. */
  get times(): Reply {
    return this.#times.now;
  }

  /** The time of the newest committed write, in the form of `times`. */
  get committedTimes(): Reply {
    return this.#times.committed;
  }

  /**
   * Records that all writes so far are committed or rolled back. Returns true if there were any since the last call.
   */
  committed(): boolean {
    return this.#times.commit();
  }

  get lastWrite(): LastWrite {
    return { clusterId: this.id, ...this.#times.lastWrite };
  }

  get topology(): Topology {
    return this.#info;
  }

  /** Records a request at the given monotonic machine time. */
  touch(now: number): void {
    this.#idleMemory.touch(now);
  }

  /** True if the cluster has received no request for some time. */
  get resting(): boolean {
    return this.#idleMemory.idle;
  }

  /** Starts releasing memory if no request has arrived since `time`. Returns true while the cluster is idle. */
  restSince(time: number): boolean {
    return this.#idleMemory.restSince(time);
  }

  /** Closes everything except the file. */
  release(): void {
    this.#closed = true;
    this.#idleMemory.close();
    this.replicationWaits.close();
    this.transactions.close();
    this.snapshotReads.close();
    this.sessions.close();
    this.cursors.closeAll();
    this.search.close();
    this.searchNodes.close();
  }
}
