import { isDeepStrictEqual } from 'node:util';
import { errorMessage } from '@portolan/foundation/thrown';
import type { WireUser } from '../access/caller.ts';
import type { DeploymentChanges } from '../control/calls.ts';
import type {
  AccessSpec,
  Deployment,
  DeploymentSpec,
  DeploymentState,
  WireFault,
} from '../interface/engine.ts';
import type { Journal } from '../observe/journal.ts';
import type { MemberView } from '../wire/view.ts';
import type { OwnUsers } from '../worker/protocol.ts';
import type { ConnectionThread } from './connection-threads.ts';
import { DeploymentFile } from './deployment-file.ts';
import { discard } from './discard.ts';
import { DurableState } from './durable-state.ts';
import { isStopped, withMember } from './election.ts';
import { Elections } from './elections.ts';
import type { FileKey } from './file-keys.ts';
import type { HostParts } from './host-parts.ts';
import type { HostSample } from './machine-figures.ts';
import { bindMembers } from './member-ports.ts';
import { changeAudits } from './own-audits.ts';
import { QueryThreadLosses } from './query-thread-losses.ts';
import { type QueryThread, QueryThreadGone } from './query-threads.ts';
import type { DeploymentRecord } from './record.ts';
import { ClusterSearch } from './search-nodes.ts';
import { clusterInfo, clusterView, leavingMembers, memberAddresses, withSpec } from './topology.ts';

const OPEN_ATTEMPTS = 3;

/** The state while the query thread does not respond. The deployment then opens in another query thread. */
const stuck = { state: 'failed', message: 'its query thread does not respond' } as const;

/** One deployment of this host. `Deployments` calls the methods of each deployment one after another. */
export class HostedDeployment implements DeploymentChanges {
  readonly #parts: HostParts;
  readonly directory: string;
  readonly file: DeploymentFile;
  readonly #durable: DurableState;
  readonly #elections: Elections;
  #state: DeploymentState;
  #message: string | undefined;
  #thread: ConnectionThread | undefined;
  #queryThread: QueryThread | undefined;
  readonly #losses: QueryThreadLosses;
  #own: OwnUsers | undefined;
  readonly #search: ClusterSearch;

  constructor(directory: string, record: DeploymentRecord, parts: HostParts) {
    this.#parts = parts;
    this.directory = directory;
    this.file = new DeploymentFile(directory, parts);
    this.#durable = new DurableState(directory, record, parts);
    this.#elections = new Elections(this.#durable, parts.clock, () => this.#publish());
    this.#search = new ClusterSearch(record.spec.id, record.searchNodes ?? 0, parts);
    this.#losses = new QueryThreadLosses(parts.clock);
    this.#state = 'paused';
    for (const port of Object.values(record.ports)) parts.ports.hold(port);
  }

  get journal(): Journal {
    return this.#durable.journal;
  }

  get #record(): DeploymentRecord {
    return this.#durable.record;
  }

  /** Opens the deployment unless it is paused. */
  async reopen(): Promise<void> {
    if (!this.#record.paused) await this.open();
  }

  describe(): Deployment {
    const { spec, access, primaries, stopped, elections } = this.#record;
    const isStuck = this.#queryThread?.stuck === true;
    const { state, message } = isStuck ? stuck : { state: this.#state, message: this.#message };
    return {
      id: spec.id,
      state,
      members: memberAddresses(this.#record, this.#parts.settings.advertise),
      accessRevision: access.revision,
      primaries: state === 'running' ? primaries : [],
      ...(stopped === undefined ? {} : { stopped }),
      ...(elections === undefined ? {} : { elections }),
      ...(message === undefined ? {} : { message }),
    };
  }

  /** Opens the ports and the data file. If this fails, sets the state `failed` with the error message. */
  async open(): Promise<void> {
    if (this.#state === 'running') return;
    try {
      if (this.#record.made) this.file.refuseLost();
      await this.#settleKey();
      // Assign the thread first, so that it starts while the ports are being opened.
      this.#queryThread ??= this.#parts.queryThreads.assign(this.#record.spec.id);
      // If commands manage the users (`ownUsers`), load the users from the data file before the ports are opened.
      const unclean = this.file.wasLeftOpen();
      if (this.#record.spec.ownUsers) await this.#openDatabase();
      await this.#openPorts(unclean);
      await this.#openDatabase();
      if (!this.#record.made) await this.#durable.save({ ...this.#record, made: true });
      this.#state = 'running';
      this.#message = undefined;
      this.file.opened();
      if (unclean) this.file.check();
      this.#durable.logStartup();
    } catch (error) {
      await this.#fail(error);
      // Ignore this error. If the key of the file is missing, the error above already reports this.
      await this.file.recheck().catch(() => {});
    }
  }

  /** Encrypts or decrypts the file and the logs as configured. */
  async #settleKey(): Promise<void> {
    await this.file.settleKey(this.#record.spec.encryption);
    if (this.file.key !== this.journal.key) this.journal.key = this.file.key;
  }

  checkFileEvery(ms: number): void {
    if (this.#state === 'running') this.file.checkEvery(ms);
  }

  /** Closes the deployment when damage was found, unless the key of the file has changed since. */
  async damaged(fault: string, key: Uint8Array | undefined): Promise<void> {
    if (this.#state !== 'running' || !(await this.file.noteDamage(fault, key))) return;
    const { spec, ports } = this.#record;
    // Close the file first, so that later statements are refused.
    await this.#queryThread?.close(spec.id).catch(() => {});
    // Let drivers disconnect first: a driver fails all running statements of a connection that the host closes.
    await this.#thread?.drain(spec.id, Object.keys(ports)).catch(() => {});
    await this.close();
    await this.open();
  }

  /** Closes ports, connections and the data file. The record does not change. */
  async close(): Promise<void> {
    const { id } = this.#record.spec;
    const [thread, queryThread] = [this.#thread, this.#queryThread];
    this.#thread = undefined;
    this.#queryThread = undefined;
    if (this.#state === 'running') {
      this.#state = 'paused';
      this.#durable.logShutdown();
    }
    // Ignore this error. If the thread has ended, everything in it is closed already.
    await thread?.forget(id).catch(() => {});
    await queryThread?.close(id).catch(() => {});
    await this.#search.close();
  }

  async pause(): Promise<void> {
    await this.#durable.save({ ...this.#record, paused: true });
    await this.close();
    this.#state = 'paused';
    this.#message = undefined;
  }

  async resume(): Promise<void> {
    if (this.#record.paused) await this.#durable.save({ ...this.#record, paused: false });
    await this.open();
  }

  async reconfigure(spec: DeploymentSpec): Promise<void> {
    const next = withSpec(this.#record, spec);
    const encrypted = !isDeepStrictEqual(spec.encryption, this.#record.spec.encryption);
    if (encrypted) await this.#parts.fileKeys.check(spec.encryption);
    if (next !== this.#record) await this.#follow(next);
    // A change of the master key only wraps the file key again. Other changes of encryption close the file first.
    const rewrapped =
      spec.encryption !== undefined && this.file.key !== undefined && this.#state === 'running';
    if (encrypted) await (rewrapped ? this.#settleKey() : this.close());
    await this.setAccess(spec.access);
    await this.reopen();
  }

  async setAccess(access: AccessSpec): Promise<void> {
    if (access.revision <= this.#record.access.revision) return;
    await this.#durable.save({ ...this.#record, access });
    await this.#publish();
  }

  /** Runs a command on a router or the primary, by default as the service. Rejects if neither is running. */
  run(command: Uint8Array, user?: WireUser): Promise<Uint8Array> {
    const { spec, primaries } = this.#record;
    const member = spec.members.find(({ kind }) => kind === 'router')?.id ?? primaries[0];
    if (this.#state !== 'running' || this.#queryThread === undefined || member === undefined) {
      throw new Error(this.#message ?? 'the deployment does not accept commands now');
    }
    return this.#queryThread.run(spec.id, member, command, user);
  }

  /** Starts updating the search indexes. */
  followSearch(): void {
    if (this.#queryThread !== undefined) this.#search.follow({ dir: this.directory, key: this.file.key });
  }

  async setFaults(faults: readonly WireFault[]): Promise<void> {
    const { faults: _, ...rest } = this.#record;
    await this.#durable.save(faults.length === 0 ? rest : { ...rest, faults });
    await this.#publish();
  }

  /** Sets the number of search nodes. Without search nodes, the query thread searches. */
  async setSearchNodes(count: number): Promise<void> {
    const { searchNodes: _, ...rest } = this.#record;
    if ((this.#record.searchNodes ?? 0) !== count)
      await this.#durable.save(count === 0 ? rest : { ...rest, searchNodes: count });
    await this.#search.resize(count);
  }

  /** Resolves when the statistics of the search indexes are up to date. */
  reportSearch(): Promise<void> {
    return this.#search.reportFigures();
  }

  setOwnUsers(own: OwnUsers): void {
    this.#own = own;
  }

  async stopMember(memberId: string): Promise<void> {
    this.#checkMember(memberId);
    if (isStopped(this.#record, memberId)) return;
    await this.#durable.save(withMember(this.#record, memberId, false));
    // Tell the other members about the new primary before the connections to this member close.
    const published = this.#publish();
    this.#durable.audit([{ member: memberId, atype: 'shutdown', param: {} }]);
    await Promise.all([published, this.#thread?.unlisten(this.#record.spec.id, memberId)]);
  }

  /** Binds the port of a member before it is announced as running. */
  async startMember(memberId: string): Promise<void> {
    this.#checkMember(memberId);
    if (!isStopped(this.#record, memberId)) return;
    const next = withMember(this.#record, memberId, true);
    const ports = this.#thread === undefined ? next.ports : await this.#bind(this.#thread, next);
    await this.#durable.save({ ...next, ports });
    this.#durable.audit([{ member: memberId, atype: 'startup', param: {} }]);
    await this.#publish();
  }

  async failover(from?: string): Promise<void> {
    await this.#elections.failover(from);
  }

  /** Replaces the file by one that is encrypted with the same key. */
  async replaceFile(file: string, known: FileKey | undefined): Promise<void> {
    const now = await this.#parts.fileKeys.of(this.directory);
    if (!isDeepStrictEqual(now?.key, known?.key))
      throw new Error('the encryption of the cluster has changed during the restore');
    await this.close();
    this.file.replace(file, now);
    await this.reopen();
    if (this.#state === 'failed') throw new Error(this.#message);
  }

  /** Excludes a member from elections for `seconds`. A primary steps down. */
  async withhold(memberId: string, seconds: number): Promise<void> {
    if (this.#state === 'running') await this.#elections.withhold(memberId, seconds);
  }

  /** Ends the exclusion of a member, unless a later call has extended the exclusion. */
  async readmit(memberId: string): Promise<void> {
    if (this.#state === 'running') await this.#elections.readmit(memberId);
  }

  /** Closes the deployment and deletes its files. */
  async remove(): Promise<void> {
    await this.close();
    this.journal.close();
    for (const port of Object.values(this.#record.ports)) this.#parts.ports.release(port);
    await discard(this.directory);
  }

  /** Reopens the deployment in another query thread. Returns false if this fails, or after too many losses. */
  async queryThreadLost(queryThread: QueryThread): Promise<boolean> {
    if (this.#queryThread !== queryThread) return true;
    this.#queryThread = undefined;
    // Do not count the loss of a stuck thread, because the stuck statement may belong to another cluster.
    if (!queryThread.stuck) this.#losses.add();
    try {
      if (this.#losses.areTooMany) throw new Error('its query thread ends repeatedly');
      await this.#thread?.route(this.#record.spec.id, undefined);
      this.file.refuseLost();
      await this.#openDatabase();
      return true;
    } catch (error) {
      await this.#fail(error);
      return false;
    }
  }

  /** Moves the ports of the deployment to another connection thread. */
  async threadLost(thread: ConnectionThread): Promise<void> {
    if (this.#thread !== thread) return;
    this.#thread = undefined;
    this.#state = 'paused';
    await this.open();
  }

  /** Binds the ports of all members, and stores the ports that were chosen for members without a port. */
  async #openPorts(afterCrash: boolean): Promise<void> {
    const record = this.#record;
    this.#thread ??= this.#parts.threads.assign(record.spec.id);
    await this.#thread.configure(this.#view());
    const ports = await this.#bind(this.#thread, record, afterCrash);
    if (isDeepStrictEqual(ports, record.ports)) return;
    await this.#durable.save({ ...record, ports });
    await this.#thread.configure(this.#view());
  }

  /** Opens the ports of new members and closes those of removed members. */
  async #follow(next: DeploymentRecord): Promise<void> {
    const before = this.#record;
    const thread = this.#thread;
    await this.#durable.save(
      thread === undefined ? next : { ...next, ports: await this.#bind(thread, next) },
    );
    this.#durable.audit(changeAudits(before, this.#record, this.#parts.settings));
    const leaving = leavingMembers(before, next, this.#parts.settings);
    if (thread !== undefined && leaving.length > 0) {
      await this.#publish(leaving);
      const ids = leaving.map(({ id }) => id);
      await thread.drain(next.spec.id, ids);
    }
    await this.#publish();
    for (const [memberId, port] of Object.entries(before.ports)) {
      if (next.ports[memberId] !== undefined) continue;
      await thread?.unlisten(next.spec.id, memberId);
      this.#parts.ports.release(port);
    }
  }

  #bind(thread: ConnectionThread, record: DeploymentRecord, afterCrash = false) {
    const { settings, ports, clock } = this.#parts;
    return bindMembers(thread, record, { listen: settings.listen, ports, clock, afterCrash });
  }

  /** Opens the data file. If the query thread ends because of another cluster, tries again in another thread. */
  async #openDatabase(): Promise<void> {
    const { id } = this.#record.spec;
    for (let attempt = 1; ; attempt++) {
      this.#queryThread ??= this.#parts.queryThreads.assign(id);
      try {
        const { unsynced = false } = this.#record.spec;
        const files = { dir: this.directory, key: this.file.key, unsynced };
        await this.#queryThread.open(id, files, this.#info());
        this.#search.opened(this.#queryThread, files, this.#info());
        await this.#thread?.route(id, this.#queryThread);
        return;
      } catch (error) {
        if (!(error instanceof QueryThreadGone)) throw error;
        // Reset this even if the last attempt fails, because the thread has ended.
        this.#queryThread = undefined;
        if (attempt === OPEN_ATTEMPTS) throw error;
      }
    }
  }

  async #fail(error: unknown): Promise<void> {
    const message = errorMessage(error);
    // Log each message only once, since callers retry often.
    if (message !== this.#message) {
      this.#parts.log.error({ cluster: this.#record.spec.id, reason: message }, 'deployment failed');
    }
    await this.close();
    this.#state = 'failed';
    this.#message = message;
  }

  async sample(shared: HostSample): Promise<void> {
    if (this.#state === 'running') await this.#durable.sample(shared, this.#search.figures());
  }

  #checkMember(memberId: string): void {
    const { id, members } = this.#record.spec;
    if (members.some((member) => member.id === memberId)) return;
    throw new Error(`deployment ${id} has no member ${memberId}`);
  }

  /** Sends the record to the query thread first, so that the previous primary rejects commands at once. */
  async #publish(leaving: readonly MemberView[] = []): Promise<void> {
    this.#search.configure(this.#queryThread, this.#info());
    const view = this.#view();
    await this.#thread?.configure({ ...view, members: [...view.members, ...leaving] });
  }

  #view() {
    return clusterView(this.#record, this.#parts.settings, this.#own);
  }

  #info() {
    return clusterInfo(this.#record, this.#parts.settings);
  }
}
