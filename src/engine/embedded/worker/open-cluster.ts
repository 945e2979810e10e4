import type { MachineClock, ServiceClock } from '../../../runtime/clock.ts';
import { ids } from '../../../runtime/ids.ts';
import type { Log } from '../../../runtime/log.ts';
import type { Random } from '../../../runtime/random.ts';
import type { ClusterContext, ClusterMember, Reply } from '../command.ts';
import { lsidOf } from '../commands/session-key.ts';
import type { NewId } from '../language/insert.ts';
import type { RawDocument } from '../language/raw.ts';
import { objectId } from '../language/value.ts';
import { ClusterStore } from '../storage/cluster-store.ts';
import { OPLOG_BYTES } from '../storage/oplog/oplog.ts';
import { timestampAt } from '../storage/oplog/time.ts';
import { clusterTimes } from './answer.ts';
import { CursorTable } from './cursors.ts';
import type { ClusterInfo } from './protocol.ts';
import { SessionTable } from './sessions.ts';
import { StatementLog, storedNumber } from './statement-log.ts';

export interface WorkerSeams {
  readonly machine: MachineClock;
  readonly service: ServiceClock;
  readonly random: Random;
  readonly log: Log;
}

/** A cluster whose file is open. */
export class OpenCluster implements ClusterContext {
  readonly id: string;
  readonly store: ClusterStore;
  readonly cursors: CursorTable;
  readonly sessions: SessionTable;
  readonly newId: NewId;
  readonly now: () => number;
  readonly uptime: () => number;
  readonly elapsed: () => number;
  #used: number;
  #info: ClusterInfo;
  readonly #machine: MachineClock;
  #resting = false;
  #times: Reply = {};
  #timesAt = -1;

  private constructor(id: string, dir: string, info: ClusterInfo, seams: WorkerSeams) {
    const { machine, random, service } = seams;
    this.id = id;
    this.now = () => service.now().getTime();
    this.#info = info;
    this.#machine = machine;
    this.store = ClusterStore.open(dir, random, { now: this.now, term: () => this.#info.term });
    this.store.oplog.limit = info.oplogBytes ?? OPLOG_BYTES;
    this.cursors = new CursorTable(machine, random);
    this.sessions = new SessionTable(machine, random, this.cursors, this.store);
    const source = ids(this.now, random);
    this.newId = () => objectId(Buffer.from(source.next(), 'hex'));
    const opened = machine.monotonic();
    this.#used = opened;
    this.elapsed = () => machine.monotonic();
    this.uptime = () => Math.floor((machine.monotonic() - opened) / 1000);
  }

  /** Throws `StorageError`. */
  static open(id: string, dir: string, info: ClusterInfo, seams: WorkerSeams): OpenCluster {
    return new OpenCluster(id, dir, info, seams);
  }

  configure(info: ClusterInfo): void {
    this.#info = info;
    this.store.oplog.limit = info.oplogBytes ?? OPLOG_BYTES;
  }

  /** The log of what the statements of a numbered write do; `body` is its command. */
  beginStatements(session: string, txnNumber: bigint, body: RawDocument): StatementLog {
    const { oplog, retries } = this.store;
    const stored = retries.find(session);
    this.sessions.begin(session, txnNumber, storedNumber(stored));
    return new StatementLog({ lsid: lsidOf(session), txnNumber }, body, stored, (origin) => {
      oplog.origin = origin;
    });
  }

  /** Inside the transaction of the write. */
  keepStatements(session: string, log: StatementLog): void {
    if (log.changed) this.store.retries.save(session, this.#machine.now(), log.encode());
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

  get replicaSetName(): string {
    return this.#info.replicaSetName;
  }

  get version(): string {
    return this.#info.version;
  }

  get configVersion(): number {
    return this.#info.configVersion;
  }

  get term(): number {
    return this.#info.term;
  }

  get members(): readonly ClusterMember[] {
    return this.#info.members;
  }

  /** Says that a request has come, at this monotonic machine time. */
  touch(now: number): void {
    this.#used = now;
    this.#resting = false;
  }

  /** Gives cached memory back if no request has come since `time`. True while it is at rest. */
  restSince(time: number): boolean {
    if (!this.#resting && this.#used <= time) {
      this.store.shrink();
      this.#resting = true;
    }
    return this.#resting;
  }

  close(): void {
    this.sessions.close();
    this.cursors.closeAll();
    this.store.close();
  }
}
