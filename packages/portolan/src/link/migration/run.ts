import { pauseAfter } from '@portolan/foundation/back-off';
import type { MachineClock } from '@portolan/foundation/clock';
import type { Log } from '@portolan/foundation/log';
import type { Random } from '@portolan/foundation/random';
import { wait } from '@portolan/foundation/wait';
import type { MigrationOrder, Progress } from '@portolan/service/live-migrations';
import {
  BUILD_MS,
  beginExpiry,
  Checkpoint,
  closeAll,
  copyCollection,
  createCollection,
  dropAll,
  type Endpoints,
  endpointsOf,
  Follower,
  HISTORY_LOST,
  latestOperationTime,
  listCopies,
  namespaceOf,
  PASSING,
  PermanentError,
  type ReplicationState,
  type StreamPosition,
  Superseded,
  serverCodeOf,
  shardCollections,
  unlessStuck,
} from '@portolan/service/replication';
import type { Timestamp } from 'mongodb';
import { sourceClient, targetClient } from '../sources/connect.ts';
import { cropped } from '../sources/survey.ts';
import { countCopies } from './count-copies.ts';

/**
 * The migration fails after more consecutive errors from servers than this. Errors that pass when a server recovers
 * (`PASSING`) do not count, however long the recovery takes.
 */
const MAX_REFUSALS = 10;
const BACK_OFF = { first: 200, greatest: 5_000 };
/**
 * The cutover is possible if the destination lags by no more than this, in seconds. Change streams of a sharded source
 * lag by as much as its idle shards, which write a no-op every ten seconds.
 */
const CUTOVER_LAG_S = { replicaSet: 2, sharded: 12 };

interface RunOptions {
  readonly order: MigrationOrder;
  readonly uri: string;
  readonly authorityFile: string | undefined;
  readonly machine: MachineClock;
  readonly random: Random;
  readonly log: Log;
}

/** One migration, from its checkpoint to its end. */
export class MigrationRun {
  readonly #options: RunOptions;
  readonly #abort = new AbortController();
  readonly #ended: Promise<void>;
  #cutover: boolean;
  #progress: Pick<Progress, 'phase' | 'ready' | 'problem'> = { phase: 'copying', ready: false };
  #position: Timestamp | undefined;
  #head: { readonly time: Timestamp; readonly read: number } | undefined;
  #copied: Progress['copied'];
  #cutoverLag = CUTOVER_LAG_S.replicaSet;
  #refusals = 0;
  #isOver = false;
  #isSuperseded = false;

  constructor(options: RunOptions) {
    this.#options = options;
    this.#cutover = options.order.cutover;
    this.#ended = this.#run().finally(() => {
      this.#isOver = true;
    });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether the migration ended because another host has taken it over. */
  get isSuperseded(): boolean {
    return this.#isSuperseded;
  }

  get attempt(): number {
    return this.#options.order.attempt;
  }

  /** Follows a change of the migration's order, such as the request for the cutover. */
  take({ cutover }: MigrationOrder): void {
    this.#cutover = cutover;
  }

  progress(): Progress {
    const { id, attempt } = this.#options.order;
    const lag = this.#lag();
    return {
      id,
      attempt,
      ...this.#progress,
      ready: this.#progress.ready && lag !== undefined && lag <= this.#cutoverLag,
      ...(lag === undefined ? {} : { lagTimeSeconds: lag }),
      ...(this.#copied === undefined ? {} : { copied: this.#copied }),
    };
  }

  async stop(): Promise<void> {
    this.#abort.abort(new Error('the migration is to end'));
    await this.#ended;
  }

  #lag(): number | undefined {
    if (this.#position === undefined || this.#head === undefined) return undefined;
    const { time, read } = this.#head;
    // While the source is unreachable, the lag grows as time passes.
    const since = Math.floor((this.#options.machine.monotonic() - read) / 1000);
    return Math.max(0, time.getHighBits() - this.#position.getHighBits()) + Math.max(0, since - 1);
  }

  async #run(): Promise<void> {
    const { machine, random, log } = this.#options;
    while (!this.#abort.signal.aborted && !['done', 'failed', 'lost'].includes(this.#progress.phase)) {
      try {
        await this.#work();
      } catch (error) {
        this.#isSuperseded = error instanceof Superseded;
        if (this.#abort.signal.aborted || this.#isSuperseded) return;
        this.#progress = { ...this.#progress, ready: false, problem: cropped((error as Error).message) };
        this.#recordFailure(error as Error);
        log.warn({ reason: (error as Error).message }, 'a migration was interrupted');
        await wait(machine, pauseAfter(Math.min(this.#refusals + 1, 8), { ...BACK_OFF, random }));
      }
    }
  }

  /** Records an error. If a retry cannot succeed, the migration restarts or fails. */
  #recordFailure(error: Error): void {
    const code = serverCodeOf(error);
    const isRefusal = code !== undefined && !PASSING.has(code);
    this.#refusals = isRefusal ? this.#refusals + 1 : this.#refusals;
    if (HISTORY_LOST.has(code)) this.#progress = { phase: 'lost', ready: false };
    else if (error instanceof PermanentError || this.#refusals > MAX_REFUSALS)
      this.#progress = { phase: 'failed', ready: false, problem: cropped(error.message) };
  }

  async #work(): Promise<void> {
    const { order, uri, authorityFile, machine } = this.#options;
    const options = { serverSelectionTimeoutMS: 10_000 };
    const source = sourceClient(uri, order.source, options);
    const target = targetClient(order.target, authorityFile, options);
    const builder = targetClient(order.target, authorityFile, { ...options, socketTimeoutMS: BUILD_MS });
    const clients = [source, target, builder];
    try {
      await unlessStuck(machine, clients, async () =>
        this.#migrate({ ...(await endpointsOf(source, target)), builder }),
      );
    } finally {
      await closeAll(machine, clients);
    }
  }

  async #migrate(endpoints: Endpoints): Promise<void> {
    const { order, machine, random } = this.#options;
    const { signal } = this.#abort;
    if (endpoints.sourceSharded) this.#cutoverLag = CUTOVER_LAG_S.sharded;
    const checkpoint = new Checkpoint(endpoints.target, order.id, random.uuid());
    let reached = (await checkpoint.claim(order.attempt)) ?? (await this.#begin(endpoints, checkpoint));
    if (reached.phase === 'copying') reached = await this.#copy(endpoints, checkpoint, reached);
    if (reached.phase === 'following') {
      this.#progress = { ...this.#progress, phase: 'following', ready: false };
      const copies = await checkpoint.copies();
      const onPosition = (place: StreamPosition) => this.#onPosition(place);
      const follower = new Follower({ endpoints, checkpoint, machine, signal, reached, copies, onPosition });
      await follower.follow(() => this.#cutover);
      await checkpoint.assertOwned();
      await beginExpiry(endpoints);
      await checkpoint.reach({ phase: 'done' });
    }
    this.#progress = { phase: 'done', ready: true };
  }

  #onPosition({ position, head, isExact }: StreamPosition): void {
    this.#refusals = 0;
    this.#position = position;
    this.#head = { time: head, read: this.#options.machine.monotonic() };
    this.#progress = { phase: 'following', ready: isExact };
  }

  /**
   * Records that documents have been copied, and clears the recorded problem. Connecting to the source and the
   * destination does not clear it. Otherwise, a source that accepts connections but fails every read would never count
   * as stalled.
   */
  #onCopied(): void {
    this.#progress = { phase: 'copying', ready: false };
  }

  async #begin(endpoints: Endpoints, checkpoint: Checkpoint): Promise<ReplicationState> {
    await checkpoint.take(this.attempt);
    await dropAll(endpoints, (await checkpoint.leftovers()).map(namespaceOf));
    const reached: ReplicationState = {
      phase: 'copying',
      start: await latestOperationTime(endpoints),
      indexed: false,
    };
    await checkpoint.list(reached, await listCopies(endpoints));
    return reached;
  }

  async #copy(
    endpoints: Endpoints,
    checkpoint: Checkpoint,
    reached: ReplicationState,
  ): Promise<ReplicationState> {
    const copies = await checkpoint.copies();
    for (const { _id, isView, options } of copies)
      if (!isView && endpoints.targetSharded) await createCollection(endpoints, namespaceOf(_id), options);
    await shardCollections(endpoints, this.#options.order.sharding);
    const count = await countCopies(endpoints, copies);
    const { signal } = this.#abort;
    const written = (documents: number) => {
      this.#copied = count.add(documents);
      if (documents > 0) this.#onCopied();
    };
    written(0);
    for (const copy of copies.filter(({ copied }) => !copied)) {
      if (signal.aborted) throw signal.reason;
      await copyCollection(endpoints, checkpoint, copy, { signal, written });
      this.#refusals = 0;
      this.#onCopied();
    }
    this.#copied = count.all();
    const next = { phase: 'following', consistentAt: await latestOperationTime(endpoints) } as const;
    await checkpoint.reach(next);
    return { ...reached, ...next };
  }
}
