import { type MachineClock, machineClock, type ServiceClock } from '@portolan/foundation/clock';
import { ids } from '@portolan/foundation/ids';
import type { Log } from '@portolan/foundation/log';
import { pauseThread } from '@portolan/foundation/pause';
import type { Random } from '@portolan/foundation/random';
import { type Repetition, repeat, rethrow } from '@portolan/foundation/repeat';
import { Accounts } from '../access/accounts.ts';
import { roleSpecOf, storedRoles, storedUsers, userSpecOf } from '../access/stored-accounts.ts';
import type { RawDocument } from '../bson/raw.ts';
import { objectId, type Value } from '../bson/value.ts';
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
import type { Observation } from '../observe/observation.ts';
import { OperationCounters } from '../observe/operation-counters.ts';
import { OperationObserver } from '../observe/operation-observer.ts';
import { saveProfile } from '../observe/profile-collection.ts';
import { ServerParameters } from '../parameters/parameters.ts';
import { ScriptHost } from '../script/scripts.ts';
import { SearchReader } from '../search/file/search-reader.ts';
import { SearchNodes } from '../search/nodes/asking.ts';
import { ClusterStore } from '../storage/cluster-store.ts';
import { partsOfPosition } from '../storage/oplog/position.ts';
import { positionOf, timestampAt } from '../storage/oplog/time.ts';
import type { RunningStatement } from '../storage/running-statement.ts';
import { clusterTimes } from './answer.ts';
import { CursorTable } from './cursors.ts';
import type { ClusterFiles, ClusterInfo, LastWrite, OwnUsers } from './protocol.ts';
import { ReplicationWaits } from './replication-waits.ts';
import { SessionTable } from './sessions.ts';
import { SnapshotReads } from './snapshot-reads.ts';
import { StatementLog, storedNumber } from './statement-log.ts';
import { Transactions } from './transactions.ts';

export interface WorkerSeams {
  readonly machine: MachineClock;
  readonly service: ServiceClock;
  readonly random: Random;
  readonly log: Log;
  /** Takes the users that commands have made, when a cluster opens and whenever they change. */
  publish?(accounts: OwnUsers): void;
  /** Has a member not be elected for so many seconds. */
  withhold?(clusterId: string, member: string, seconds: number): void;
  /** Has the search indexes of a cluster followed, from here on. */
  follow?(clusterId: string): void;
  /** Takes what is to be written down of a cluster. */
  observe?(clusterId: string, observation: Observation): void;
}

/** One for all clusters of a thread. */
const scriptHost = new ScriptHost({ now: machineClock().monotonic, pause: pauseThread });

/** Between two steps of giving pages back, others have their turn. */
const STEP_MS = 50;

/** A cluster whose file is open. */
export class OpenCluster implements ClusterContext {
  readonly id: string;
  readonly store: ClusterStore;
  readonly cursors: CursorTable;
  readonly sessions: SessionTable;
  readonly transactions: Transactions;
  readonly snapshotReads: SnapshotReads;
  readonly replicationWaits: ReplicationWaits;
  /** Told when there are profiles to be kept. */
  onProfiled = () => {};
  readonly #profiles: Array<{ readonly database: string; readonly document: RawDocument }> = [];
  /** Told when a transaction has ended without a commit. */
  onRelease = () => {};
  readonly operations: Operations;
  readonly counters = new OperationCounters();
  readonly parameters: ServerParameters;
  readonly accounts = new Accounts();
  readonly observer: OperationObserver;
  readonly random: ClusterRandom;
  readonly clock: ClusterClock;
  readonly pipelineEnvironment = pipelineEnvironmentOf;
  readonly scripts: () => Scripts;
  #used: number;
  #accountsRevision = 0;
  readonly search: SearchReader;
  readonly searchNodes = new SearchNodes();
  readonly searchIndexesChanged: () => void;
  readonly withhold: (member: string, seconds: number) => void;
  readonly #publish: (accounts: OwnUsers) => void;
  #info: ClusterInfo;
  readonly #machine: MachineClock;
  #closed = false;
  #resting = false;
  readonly #givingBack: Repetition;
  #moreToGiveBack = false;
  readonly #log: Log;
  #times: Reply = {};
  #timesAt = -1;
  #committed: Reply = {};
  #committedAt = -1;
  /** Service time of the newest write. */
  #written: number;

  private constructor(
    id: string,
    { dir, key, unsynced }: ClusterFiles,
    info: ClusterInfo,
    seams: WorkerSeams,
    operations: Operations,
    running: RunningStatement,
  ) {
    const { machine, random, service } = seams;
    this.id = id;
    const now = () => service.now().getTime();
    const opened = machine.monotonic();
    const elapsed = () => machine.monotonic();
    this.clock = { now, elapsed, uptime: () => Math.floor((elapsed() - opened) / 1000) };
    const source = ids(now, random);
    this.random = {
      bytes: (size) => random.bytes(size),
      fraction: () => random.fraction(),
      newId: () => objectId(Buffer.from(source.next(), 'hex')),
    };
    this.#info = info;
    this.#machine = machine;
    this.#log = seams.log;
    this.store = ClusterStore.open(
      dir,
      random,
      { now, term: () => this.#info.term },
      { running, key, unsynced },
    );
    this.search = new SearchReader(dir, key);
    this.searchIndexesChanged = () => seams.follow?.(id);
    if (this.store.searchIndexes.all().length > 0) this.searchIndexesChanged();
    this.parameters = new ServerParameters(this.store, info);
    this.scripts = () => scriptHost.open(this.parameters.javascriptEnabled, running);
    this.#limitOplog();
    this.operations = operations;
    this.observer = this.#observer({ dir, key }, seams);
    this.observer.configure(info.auditing);
    this.store.onMade = ({ database, name }, first) => {
      const { current } = operations;
      if (current === undefined || !this.observer.auditing) return;
      current.created = [...(current.created ?? []), { database, name, first }];
    };
    this.withhold = (member, seconds) => seams.withhold?.(id, member, seconds);
    this.#publish = (accounts) => seams.publish?.(accounts);
    this.#loadAccounts();
    this.cursors = new CursorTable(machine, random, () => operations.current);
    this.sessions = new SessionTable(machine, random, this.cursors, this.store);
    this.transactions = new Transactions({
      store: this.store,
      cursors: this.cursors,
      clock: machine,
      lifetimeSeconds: () => this.parameters.transactionLifetimeLimitSeconds,
      onEnd: () => this.onRelease(),
    });
    this.replicationWaits = new ReplicationWaits(machine);
    this.snapshotReads = new SnapshotReads({ store: this.store, cursors: this.cursors, clock: machine });
    this.sessions.onEnd = (session) => this.transactions.forget(session);
    this.#givingBack = repeat({
      machine,
      first: Number.POSITIVE_INFINITY,
      run: () => this.#giveBack(),
      interval: () => (this.#moreToGiveBack ? STEP_MS : Number.POSITIVE_INFINITY),
      onError: rethrow,
    });
    this.#used = opened;
    this.#committed = this.times;
    this.#committedAt = this.#timesAt;
    this.#written = partsOfPosition(this.#timesAt).seconds * 1000;
    this.#followMembers();
    this.#limitFile();
  }

  /** SQLite keeps what is there already, and holds 2^32 - 2 pages at most. */
  #limitFile(bytes = this.#info.diskBytes ?? Number.MAX_SAFE_INTEGER): void {
    this.store.limit(bytes);
  }

  /** What the cluster writes down of itself is not for its users to make room for. */
  #followNewMembers(): void {
    this.#limitFile(Number.MAX_SAFE_INTEGER);
    try {
      this.#followMembers();
    } finally {
      this.#limitFile();
    }
  }

  /** What the database `config` tells of shards goes with the shards and the collections on them; `local` has replica sets. */
  #followMembers(): void {
    storeConfigs(this);
    if (this.topology.shardNames === undefined) return;
    recordShards(this);
    this.store.onDropped = ({ namespace }) => forgetSharded(this.store, namespace);
  }

  /** Throws `StorageError`. */
  static open(
    id: string,
    files: ClusterFiles,
    info: ClusterInfo,
    seams: WorkerSeams,
    operations: Operations,
    running: RunningStatement,
  ): OpenCluster {
    return new OpenCluster(id, files, info, seams, operations, running);
  }

  configure(info: ClusterInfo): void {
    // Whoever was primary has given up what it had not committed.
    if (info.term !== this.#info.term) this.transactions.abortAll();
    this.#info = info;
    this.replicationWaits.changed(info.members);
    this.parameters.configure(info);
    this.#loadAccounts();
    this.observer.configure(info.auditing);
    this.#limitFile();
    this.#limitOplog();
    // Not within a statement, in whose midst this may be told.
    this.#machine.after(0, () => {
      if (!this.#closed) this.#followNewMembers();
    });
  }

  /** What the deployment asks for comes before what a command has set. */
  #limitOplog(): void {
    const { oplog } = this.store;
    const { oplogSizeMB, oplogMinRetentionHours } = this.parameters;
    const { limit, retainedMs } = oplog.ownLimits;
    const asked = oplogSizeMB === undefined ? undefined : oplogSizeMB * 1024 * 1024;
    oplog.limit = asked ?? this.#info.oplogBytes ?? limit;
    oplog.retainedMs = oplogMinRetentionHours > 0 ? oplogMinRetentionHours * 3_600_000 : retainedMs;
    oplog.images.expireAfterSeconds = () => this.parameters.preAndPostImagesExpireAfterSeconds;
  }

  runInTransaction(session: string, step: TransactionStep, command: Command, request: CommandRequest): Reply {
    const { sessions, transactions } = this;
    sessions.begin(session, step.number, storedNumber(this.store.retries.find(session)), true);
    const transactionEnd = {
      commit: () => transactions.commit(session, step.number),
      abort: () => transactions.abort(session, step.number),
    };
    if (endsTransaction(command)) return command.run({ ...request, transactionEnd }, this);
    return transactions.run(session, step, command, request, this);
  }

  /** Throws for a time that has not been told to anybody yet. */
  checkReached(time: Value, { body }: CommandRequest): void {
    const wanted = positionOf(time);
    if (wanted <= this.store.oplog.last) return;
    const told = body.document('$clusterTime')?.get('clusterTime');
    if (told !== undefined && wanted <= positionOf(told)) return;
    throw new ServerError(
      'InvalidOptions',
      'readConcern afterClusterTime value must not be greater than the current clusterTime.',
    );
  }

  /** The log of what the statements of a numbered write do; `body` is its command. */
  beginStatements(session: string, txnNumber: bigint, body: RawDocument): StatementLog {
    const { oplog, retries } = this.store;
    const stored = this.sessions.isNew(session, txnNumber) ? undefined : retries.find(session);
    this.sessions.begin(session, txnNumber, storedNumber(stored));
    this.transactions.refuseNumber(session, txnNumber, stored);
    return new StatementLog({ lsid: lsidOf(session), txnNumber }, body, stored, (origin) => {
      oplog.origin = origin;
    });
  }

  /** Inside the transaction of the write. */
  keepStatements(session: string, log: StatementLog): void {
    if (log.changed) this.store.retries.save(session, this.#machine.now(), log.encode());
  }

  #observer({ dir, key }: ClusterFiles, { random, observe }: WorkerSeams): OperationObserver {
    return new OperationObserver({
      directory: dir,
      lines: lineCodec(key),
      profiler: this.parameters.profiler,
      longestAttribute: () => 1024 * Number(this.parameters.value('maxLogSizeKB')),
      now: this.clock.now,
      chance: () => random.fraction(),
      send: (observation) => observe?.(this.id, observation),
      profile: (database, document) => {
        this.#profiles.push({ database, document });
        this.onProfiled();
      },
    });
  }

  /** Keeps the profiles of what has been run; not within a statement that writes. */
  keepProfiles(): void {
    const profiles = this.#profiles.splice(0);
    try {
      this.store.write(() => {
        for (const { database, document } of profiles)
          saveProfile(this.store, database, document, this.random);
      });
    } catch (error) {
      // What was asked for is done all the same.
      this.#log.warn({ err: error }, 'profiles were not kept');
    }
  }

  /** Bytes of the oplog, seconds between its first and last entry, and whether none has gone yet. */
  get oplogSize(): { bytes: number; window: number; whole: boolean } {
    const { bytes, first, last, isWhole: whole } = this.store.oplog;
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

  /** What every answer says of the time of the cluster. */
  get times(): Reply {
    const position = this.store.oplog.last;
    if (position !== this.#timesAt) {
      this.#timesAt = position;
      this.#times = clusterTimes(timestampAt(position));
    }
    return this.#times;
  }

  /** The same without what is still to be committed. */
  get committedTimes(): Reply {
    return this.#committed;
  }

  /** Says that everything written so far is committed, or undone; true when there is something new. */
  committed(): boolean {
    this.#committed = this.times;
    if (this.#committedAt === this.#timesAt) return false;
    this.#committedAt = this.#timesAt;
    this.#written = this.clock.now();
    return true;
  }

  get lastWrite(): LastWrite {
    const { seconds, increment } = partsOfPosition(this.#committedAt);
    return { clusterId: this.id, seconds, increment, wall: this.#written };
  }

  get topology(): Topology {
    return this.#info;
  }

  /** Says that a request has come, at this monotonic machine time. */
  touch(now: number): void {
    this.#used = now;
    this.#resting = false;
  }

  /** Gives cached memory back if no request has come since `time`. True while it is at rest. */
  restSince(time: number): boolean {
    if (!this.#resting && this.#used <= time) {
      this.#resting = true;
      this.#givingBack.wake();
    }
    return this.#resting;
  }

  /** Step by step, until there is something else to do. */
  #giveBack(): void {
    this.#moreToGiveBack = false;
    if (!this.#resting) return;
    try {
      this.#moreToGiveBack = this.store.giveBack();
      if (this.#moreToGiveBack) return;
    } catch (error) {
      // A transaction that reads what was before keeps the log as it is; there will be another rest.
      this.#log.warn({ err: error }, 'unused pages were not given back');
    }
    this.store.shrink();
    this.search.shrink();
  }

  close(): void {
    this.#closed = true;
    void this.#givingBack.stop();
    this.replicationWaits.close();
    this.transactions.close();
    this.snapshotReads.close();
    this.sessions.close();
    this.cursors.closeAll();
    this.search.close();
    this.searchNodes.close();
    this.store.close();
  }
}
