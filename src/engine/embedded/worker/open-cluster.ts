import type { MachineClock, ServiceClock } from '../../../runtime/clock.ts';
import { ids } from '../../../runtime/ids.ts';
import type { Log } from '../../../runtime/log.ts';
import type { Random } from '../../../runtime/random.ts';
import type { ClusterContext, ClusterMember } from '../command.ts';
import type { NewId } from '../language/insert.ts';
import { objectId } from '../language/value.ts';
import { ClusterStore } from '../storage/cluster-store.ts';
import { CursorTable } from './cursors.ts';
import type { ClusterInfo } from './protocol.ts';

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
  readonly newId: NewId;
  readonly now: () => number;
  readonly uptime: () => number;
  #used: number;
  #info: ClusterInfo;
  #resting = false;

  private constructor(id: string, store: ClusterStore, info: ClusterInfo, seams: WorkerSeams) {
    const { machine, random, service } = seams;
    this.id = id;
    this.store = store;
    this.cursors = new CursorTable(machine, random);
    this.#info = info;
    this.now = () => service.now().getTime();
    const source = ids(this.now, random);
    this.newId = () => objectId(Buffer.from(source.next(), 'hex'));
    const opened = machine.monotonic();
    this.#used = opened;
    this.uptime = () => Math.floor((machine.monotonic() - opened) / 1000);
  }

  /** Throws `StorageError`. */
  static open(id: string, dir: string, info: ClusterInfo, seams: WorkerSeams): OpenCluster {
    return new OpenCluster(id, ClusterStore.open(dir, seams.random), info, seams);
  }

  configure(info: ClusterInfo): void {
    this.#info = info;
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
    this.cursors.closeAll();
    this.store.close();
  }
}
