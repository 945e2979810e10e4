import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { WrappedKey } from '@portolan/foundation/keys/wrapped-key';
import type { Random } from '@portolan/foundation/random';
import { SerialQueues } from '@portolan/foundation/serial-queue';
import { errorMessage, isAbsent } from '@portolan/foundation/thrown';
import type { CopiedFolder } from '../backup/copy-all.ts';
import type { ClusterDigests, CopyOutcome, PartOfHost } from '../control/calls.ts';
import type { Bytes } from '../interface/call.ts';
import type { ActingUser, Deployment, DeploymentProblem, DeploymentSpec } from '../interface/engine.ts';
import type { OplogMark, OplogPosition } from '../interface/oplog.ts';
import type { SnapshotEnd } from '../interface/snapshot.ts';
import type { Journal } from '../observe/journal.ts';
import type { ObservedMessage } from '../observe/observation.ts';
import { ClusterCopies } from './cluster-copies.ts';
import { HostedDeployment } from './deployment.ts';
import { DISCARDED, discard } from './discard.ts';
import type { HostParts } from './host-parts.ts';
import type { HostSample } from './machine-figures.ts';
import type { QueryThread } from './query-threads.ts';
import { type DeploymentRecord, readRecord } from './record.ts';
import { logStuck } from './stuck-watch.ts';
import { newRecord } from './topology.ts';

const DECOY_SECRET_BYTES = 32;
/**
 * The service runs commands on behalf of users of this authentication database (`runAs`). The cluster does not store
 * these users.
 */
const EXTERNAL = '$external';
/**
 * The pause after the query thread of a deployment has ended repeatedly. After the pause, the host opens the deployment
 * again, together with the other deployments of the thread.
 */
const REST_MS = 10_000;
/** The form of deployment ids, which are names of directories. */
const idPattern = /^[A-Za-z0-9_-]{1,64}$/;

/** A deployment whose record cannot be read. Its files are kept. */
interface Unreadable {
  readonly unreadable: string;
}

/**
 * All deployments of a data directory. Calls for the same deployment run one after another. Calls for different
 * deployments run in parallel.
 */
export class Deployments implements PartOfHost<'deployments'> {
  readonly #directory: string;
  readonly #parts: HostParts;
  readonly #random: Random;
  readonly #all = new Map<string, HostedDeployment | Unreadable>();
  readonly #queues = new SerialQueues<string>();
  readonly #copies: ClusterCopies;

  constructor(directory: string, parts: HostParts, random: Random) {
    this.#directory = directory;
    this.#parts = parts;
    this.#random = random;
    this.#copies = new ClusterCopies({
      clock: parts.clock,
      backups: parts.backups,
      ids: () => [...this.#all.keys()],
      foldersFor: (ids, to) => this.#foldersFor(ids, to),
      takeTurns: (ids) => this.#takeTurns(ids),
    });
    parts.queryThreads.onLost((thread) => {
      for (const id of thread.clusters) void this.#queues.run(id, () => this.#queryThreadLost(id, thread));
    });
    // Do not wait until other calls for the deployment have ended. One of them may be opening the cluster, and the
    // opening waits for these users.
    parts.queryThreads.onAccounts = (accounts) => this.#hosted(accounts.clusterId)?.setOwnUsers(accounts);
    parts.queryThreads.onWithheld = ({ clusterId, member, seconds }) =>
      this.#withhold(clusterId, member, seconds);
    const observed = ({ clusterId, observations }: ObservedMessage) => {
      for (const observation of observations) this.#hosted(clusterId)?.journal.take(observation);
    };
    parts.queryThreads.onObserved = observed;
    parts.threads.onObserved = observed;
    parts.queryThreads.onFollow = (id) => this.#hosted(id)?.followSearch();
    parts.queryThreads.onStuck = (id, statement) => {
      const journal = this.#hosted(id)?.journal;
      if (journal !== undefined) logStuck(journal, parts.now(), statement);
    };
    parts.queryThreads.onDamaged = ({ clusterId: id, fault }) => {
      const file = this.#hosted(id)?.file;
      file?.onDamaged(fault, file.key);
    };
    parts.threads.onLost((thread) => {
      for (const id of thread.clusters) void this.#queues.run(id, () => this.#hosted(id)?.threadLost(thread));
    });
  }

  get size(): number {
    return this.#all.size;
  }

  /**
   * Loads all records and completes interrupted removals. Afterwards, `reopen` opens the deployments that are not
   * paused.
   */
  async load(): Promise<void> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    for (const name of await readdir(this.#directory)) {
      if (name.startsWith(DISCARDED)) await rm(join(this.#directory, name), { recursive: true, force: true });
      else await this.#load(name);
    }
  }

  /** Opens all deployments in parallel. A call that arrives meanwhile waits only for its own deployment. */
  async reopen(): Promise<void> {
    await Promise.all(
      [...this.#all.keys()].map((id) => this.#queues.run(id, () => this.#hosted(id)?.reopen())),
    );
  }

  provision(spec: DeploymentSpec): Promise<Deployment> {
    return this.#queues.run(spec.id, async () => {
      checkId(spec.id);
      await this.#load(spec.id);
      const entry = this.#all.get(spec.id) ?? this.#make(spec);
      if (entry instanceof HostedDeployment) {
        await entry.setAccess(spec.access);
        await entry.reopen();
      }
      return this.#describe(spec.id);
    });
  }

  reconfigure(spec: DeploymentSpec): Promise<Deployment> {
    return this.change(spec.id, (deployment) => deployment.reconfigure(spec));
  }

  describe(id: string): Promise<Deployment | undefined> {
    return this.#queues.run(id, async () => {
      if (idPattern.test(id)) await this.#load(id);
      return this.#all.has(id) ? this.#describe(id) : undefined;
    });
  }

  /** Runs `change` after earlier calls for the deployment. Returns the new description of the deployment. */
  change(id: string, change: (deployment: HostedDeployment) => Promise<void>): Promise<Deployment> {
    return this.#queues.run(id, async () => {
      const entry = this.#all.get(id);
      if (entry === undefined) throw new Error(`there is no deployment ${id}`);
      if (entry instanceof HostedDeployment) await change(entry);
      return this.#describe(id);
    });
  }

  /**
   * Runs a command as the service. Other calls for the deployment run at the same time, so a long command delays
   * nothing else.
   */
  async run(id: string, command: Uint8Array): Promise<Uint8Array> {
    return this.#existing(id).run(command);
  }

  /**
   * Runs a command with the privileges of a user. Like `run`, it runs at the same time as other calls for the
   * deployment.
   */
  async runAs(id: string, { username, roles }: ActingUser, command: Uint8Array): Promise<Uint8Array> {
    return this.#existing(id).run(command, { username, database: EXTERNAL, roles });
  }

  /** Runs at the same time as other calls for the deployment, because the cluster keeps running during a snapshot. */
  async *snapshot(id: string, known: readonly string[], signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const { directory } = this.#existing(id);
    const encryption = await this.#parts.fileKeys.of(directory);
    yield* this.#parts.backups.take({ directory, known, encryption }, signal);
  }

  /** Like a snapshot, runs at the same time as other calls for the deployment. */
  async *oplog(
    id: string,
    after: OplogMark | OplogPosition | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    const { directory } = this.#existing(id);
    const encryption = await this.#parts.fileKeys.of(directory);
    yield* this.#parts.backups.archive({ directory, after, encryption }, signal);
  }

  /**
   * Receives and verifies the snapshot while other calls for the deployment run. Waits for earlier calls before it
   * replaces the data file.
   */
  async restore(
    id: string,
    encryption: WrappedKey | undefined,
    oplogKeys: readonly WrappedKey[],
    bytes: Bytes,
    signal: AbortSignal,
  ): Promise<SnapshotEnd> {
    const { directory } = this.#existing(id);
    const { fileKeys, backups } = this.#parts;
    const from = encryption === undefined ? undefined : (await fileKeys.open(encryption)).key;
    const into = await fileKeys.of(directory);
    const oplog = await Promise.all(oplogKeys.map(async (key) => (await fileKeys.open(key)).key));
    return backups.stage({ directory, from, into: into?.key, oplog }, bytes, signal, async (file, end) => {
      await this.change(id, (deployment) => deployment.replaceFile(file, into));
      return end;
    });
  }

  async prepareCopy(to: string): Promise<void> {
    await rm(to, { recursive: true, force: true });
    await mkdir(to, { recursive: true, mode: 0o700 });
    await this.#copies.prepare(to);
  }

  beginCopy(to: string): Promise<CopyOutcome> {
    return this.#copies.begin(to);
  }

  /**
   * Abandons copies that have not begun. Called when a client has disconnected, because this client may have prepared
   * them.
   */
  abandonCopies(): Promise<void> {
    return this.#copies.abandon();
  }

  finishCopy(to: string): Promise<void> {
    return this.#copies.finish(to);
  }

  async #takeTurns(ids: readonly string[]): Promise<() => Promise<void>> {
    const { promise: ended, resolve: release } = Promise.withResolvers<void>();
    const turns = ids.map((id) => {
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
      const done = this.#queues.run(id, () => {
        begin();
        return ended;
      });
      return { begun, done };
    });
    await Promise.all(turns.map(({ begun }) => begun));
    return async () => {
      release();
      await Promise.all(turns.map(({ done }) => done));
    };
  }

  async digestClusters(folder: string): Promise<ClusterDigests[]> {
    const found: ClusterDigests[] = [];
    for (const id of (await readdir(folder)).toSorted()) {
      const directory = join(folder, id);
      const encryption = await this.#parts.fileKeys.of(directory);
      found.push({ id, collections: await this.#parts.backups.digests(directory, encryption?.key) });
    }
    return found;
  }

  #foldersFor(ids: readonly string[], to: string): Promise<CopiedFolder[]> {
    const folders = ids.map(async (id) => {
      const directory = join(this.#directory, id);
      const encryption = await this.#parts.fileKeys.of(directory);
      return { directory, to: join(to, id), key: encryption?.key };
    });
    return Promise.all(folders);
  }

  remove(id: string): Promise<void> {
    return this.#queues.run(id, async () => {
      const entry = this.#all.get(id);
      if (entry instanceof HostedDeployment) await entry.remove();
      else if (entry !== undefined) await discard(join(this.#directory, id));
      this.#all.delete(id);
    });
  }

  /** Returns the deployments that should be running but are not. */
  troubled(): DeploymentProblem[] {
    return [...this.#all.keys()].flatMap((id) => {
      const { state, message = '' } = this.#describe(id);
      return state === 'failed' ? [{ id, message }] : [];
    });
  }

  /** Checks the files whose last check is at least `every` milliseconds ago. */
  checkFiles(every: number): void {
    for (const entry of this.#all.values()) {
      if (entry instanceof HostedDeployment) entry.checkFileEvery(every);
    }
  }

  /** Returns the journal of a deployment, whether or not the deployment is running. */
  journal(id: string): Journal {
    return this.#existing(id).journal;
  }

  /** Returns the journals of all deployments, by id. */
  journals(): Map<string, Journal> {
    const hosted = [...this.#all].flatMap(([id, entry]) =>
      entry instanceof HostedDeployment ? [[id, entry.journal] as const] : [],
    );
    return new Map(hosted);
  }

  /** Resolves when the statistics of the search indexes are up to date. */
  async reportSearch(): Promise<void> {
    const hosted = [...this.#all.values()].filter((entry) => entry instanceof HostedDeployment);
    await Promise.all(hosted.map((entry) => entry.reportSearch()));
  }

  /** Records a sample of every running deployment. */
  async sample(shared: HostSample): Promise<void> {
    for (const entry of this.#all.values()) if (entry instanceof HostedDeployment) await entry.sample(shared);
  }

  async close(): Promise<void> {
    await Promise.all(
      [...this.#all.keys()].map((id) => this.#queues.run(id, () => this.#hosted(id)?.close())),
    );
  }

  async #queryThreadLost(id: string, thread: QueryThread): Promise<void> {
    if ((await this.#hosted(id)?.queryThreadLost(thread)) !== false) return;
    this.#parts.clock.after(REST_MS, () => void this.#queues.run(id, () => this.#hosted(id)?.reopen()));
  }

  #withhold(id: string, member: string, seconds: number): void {
    void this.#queues.run(id, () => this.#hosted(id)?.withhold(member, seconds));
    if (seconds === 0) return;
    this.#parts.clock.after(
      seconds * 1000,
      () => void this.#queues.run(id, () => this.#hosted(id)?.readmit(member)),
    );
  }

  /** Loads a deployment. Its directory may have been restored from a backup since the host started. */
  async #load(id: string): Promise<void> {
    if (this.#all.has(id)) return;
    const directory = join(this.#directory, id);
    try {
      const record = await readRecord(directory);
      this.#all.set(id, this.#hostedOf(directory, record));
    } catch (error) {
      // The directory has no record, because the creation of the deployment was interrupted. The next attempt will use
      // the directory.
      if (isAbsent(error)) return;
      const unreadable = errorMessage(error);
      this.#parts.log.error({ cluster: id, reason: unreadable }, 'deployment cannot be read');
      this.#all.set(id, { unreadable });
    }
  }

  #make(spec: DeploymentSpec): HostedDeployment {
    const record = newRecord(spec, this.#random.bytes(DECOY_SECRET_BYTES).toString('base64'));
    const deployment = this.#hostedOf(join(this.#directory, spec.id), record);
    this.#all.set(spec.id, deployment);
    return deployment;
  }

  #hostedOf(directory: string, record: DeploymentRecord): HostedDeployment {
    const deployment = new HostedDeployment(directory, record, this.#parts);
    deployment.file.onDamaged = (fault, key) =>
      void this.#queues.run(record.spec.id, () => deployment.damaged(fault, key));
    deployment.file.onRepaired = () => void this.#queues.run(record.spec.id, () => deployment.reopen());
    return deployment;
  }

  #describe(id: string): Deployment {
    const entry = this.#all.get(id);
    if (entry instanceof HostedDeployment) return entry.describe();
    const message = entry?.unreadable ?? 'not there';
    return { id, state: 'failed', members: [], primaries: [], accessRevision: 0, message };
  }

  #existing(id: string): HostedDeployment {
    const hosted = this.#hosted(id);
    if (hosted === undefined) throw new Error(`there is no deployment ${id}`);
    return hosted;
  }

  #hosted(id: string): HostedDeployment | undefined {
    const entry = this.#all.get(id);
    return entry instanceof HostedDeployment ? entry : undefined;
  }
}

function checkId(id: string): void {
  if (!idPattern.test(id)) throw new Error('a deployment id has 1 to 64 letters, digits, - or _');
}
