import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { MachineClock } from '@portolan/foundation/clock';
import type { Log } from '@portolan/foundation/log';
import type { DeploymentChanges } from '../control/calls.ts';
import type { HostSettings } from '../control/protocol.ts';
import type {
  AccessSpec,
  Deployment,
  DeploymentSpec,
  DeploymentState,
  WireFault,
} from '../interface/engine.ts';
import { Journal, type OwnAudit } from '../observe/journal.ts';
import type { LogEvent } from '../observe/observer.ts';
import { removeSearchFile, SEARCH_FILE } from '../search/file/remove-file.ts';
import { noteFailedCheck, refuseLost, wasLeftOpen } from '../storage/file/damaged-file.ts';
import { FILE_NAME } from '../storage/file/format.ts';
import { replaceFile } from '../storage/file/replace-file.ts';
import type { MemberView } from '../wire/view.ts';
import type { OwnUsers } from '../worker/protocol.ts';
import type { Backups } from './backups.ts';
import type { ConnectionThread, ConnectionThreads } from './connection-threads.ts';
import { discard } from './discard.ts';
import { elect, isStopped, withElections, withheld, withMember } from './election.ts';
import type { FileChecks } from './file-checks.ts';
import type { FileKey, FileKeys } from './file-keys.ts';
import type { HostSample } from './machine-figures.ts';
import { bindMembers } from './member-ports.ts';
import { changeAudits, lifeAudits } from './own-audits.ts';
import type { Ports } from './ports.ts';
import { type QueryWorker, type QueryWorkers, WorkerGone } from './query-workers.ts';
import { type DeploymentRecord, writeRecord } from './record.ts';
import { ClusterSearch } from './search-nodes.ts';
import type { SearchThreads } from './search-threads.ts';
import { clusterInfo, clusterView, leavingMembers, memberAddresses, withSpec } from './topology.ts';

/** What every deployment of a host shares. */
export interface HostParts {
  readonly settings: HostSettings;
  readonly threads: ConnectionThreads;
  readonly workers: QueryWorkers;
  readonly ports: Ports;
  readonly backups: Backups;
  readonly fileKeys: FileKeys;
  /** Absent: search indexes are not followed. */
  readonly search?: SearchThreads;
  /** Absent: files are not checked. */
  readonly checks?: Pick<FileChecks, 'check'>;
  readonly clock: MachineClock;
  readonly log: Log;
  /** Service time in milliseconds, for what is written down. */
  now(): number;
}

/** A worker that ends more often than this within a minute has a cluster that ends it: its clusters rest a while. */
const WORKER_LOSSES = 5;
const LOSS_WINDOW_MS = 60_000;
const OPEN_ATTEMPTS = 3;

/** One deployment of this host. Its methods are called one at a time (`Deployments` sees to it). */
export class HostedDeployment implements DeploymentChanges {
  readonly #parts: HostParts;
  readonly directory: string;
  readonly journal: Journal;
  #record: DeploymentRecord;
  #state: DeploymentState;
  #message: string | undefined;
  #thread: ConnectionThread | undefined;
  #worker: QueryWorker | undefined;
  #losses: number[] = [];
  /** Monotonic machine time at which its file was looked at, or opened. */
  #checked = 0;
  /** Until when members are not to be elected, in monotonic machine time. */
  readonly #withheld = new Map<string, number>();
  /** Called with what a check of the file has found, and the key it was read with. */
  onDamaged: (fault: string, key: Uint8Array | undefined) => void = () => {};
  #own: OwnUsers | undefined;
  /** Of its file, while that is open and encrypted. */
  #key: Uint8Array | undefined;
  readonly #search: ClusterSearch;

  constructor(directory: string, record: DeploymentRecord, parts: HostParts) {
    this.#parts = parts;
    this.directory = directory;
    this.#record = record;
    this.journal = new Journal(directory);
    this.#search = new ClusterSearch(record.spec.id, record.searchNodes ?? 0, parts);
    this.#keepJournal();
    this.#state = 'paused';
    for (const port of Object.values(record.ports)) parts.ports.hold(port);
  }

  /** Opens what should be open; one that is paused stays so. */
  async reopen(): Promise<void> {
    if (!this.#record.paused) await this.open();
  }

  describe(): Deployment {
    const { spec, access, primaries, stopped, elections } = this.#record;
    return {
      id: spec.id,
      state: this.#state,
      members: memberAddresses(this.#record, this.#parts.settings.advertise),
      accessRevision: access.revision,
      primaries: this.#state === 'running' ? primaries : [],
      ...(stopped === undefined ? {} : { stopped }),
      ...(elections === undefined ? {} : { elections }),
      ...(this.#message === undefined ? {} : { message: this.#message }),
    };
  }

  /** Opens ports and database; what goes wrong becomes the state `failed` and its message. */
  async open(): Promise<void> {
    if (this.#state === 'running') return;
    try {
      if (this.#record.made) refuseLost(join(this.directory, FILE_NAME));
      await this.#settleKey();
      // The worker starts while the ports are bound.
      this.#worker ??= this.#parts.workers.assign(this.#record.spec.id);
      // The ports of who keeps its own users open when these are known.
      const unclean = wasLeftOpen(this.directory, FILE_NAME);
      if (this.#record.spec.ownUsers) await this.#openDatabase();
      await this.#openPorts();
      await this.#openDatabase();
      if (!this.#record.made) await this.#save({ ...this.#record, made: true });
      this.#state = 'running';
      this.#message = undefined;
      this.#checked = this.#parts.clock.monotonic();
      if (unclean) this.checkFile();
      this.#logAll({
        c: 'CONTROL',
        id: 4615611,
        msg: 'Server starting',
        attr: { version: this.#record.spec.version },
      });
      this.#auditAll(lifeAudits(this.#record, 'startup'));
      this.#logElections([], this.#record.primaries);
    } catch (error) {
      await this.#fail(error);
    }
  }

  /** Brings its file and its logs to the encryption that is wanted. */
  async #settleKey(): Promise<void> {
    this.#key = await this.#parts.fileKeys.settle(this.directory, this.#record.spec.encryption);
    if (this.#key !== this.journal.key) this.journal.key = this.#key;
  }

  /** What lies unread for long is damaged unnoticed, and from then on beyond what backups still have. */
  checkFileEvery(ms: number): void {
    if (this.#state === 'running' && this.#parts.clock.monotonic() - this.#checked >= ms) this.checkFile();
  }

  /** In the background, and at a low priority: what was written before is served meanwhile. */
  checkFile(): void {
    const { checks, clock } = this.#parts;
    this.#checked = clock.monotonic();
    const key = this.#key;
    checks?.check(join(this.directory, FILE_NAME), key, (fault) => this.onDamaged(fault, key));
  }

  /**
   * Its file was found damaged: it is closed, and stays closed until somebody has looked. What was found with another
   * key was another file, or this one read with the key of another.
   */
  async damaged(fault: string, key: Uint8Array | undefined): Promise<void> {
    if (!isDeepStrictEqual(key, this.#key)) return;
    const file = join(this.directory, FILE_NAME);
    await noteFailedCheck(file, fault);
    if (this.#state === 'running') await this.#fail(new Error(`${file} is damaged: ${fault}`));
  }

  /** Closes ports, connections and database; the record stays as it is. */
  async close(): Promise<void> {
    const { id } = this.#record.spec;
    const [thread, worker] = [this.#thread, this.#worker];
    this.#thread = undefined;
    this.#worker = undefined;
    if (this.#state === 'running') {
      this.#state = 'paused';
      this.#logAll({ c: 'CONTROL', id: 20565, msg: 'Now exiting' });
      this.#auditAll(lifeAudits(this.#record, 'shutdown'));
    }
    // Either may have ended, and with it all that was to be closed.
    await thread?.forget(id).catch(() => {});
    await worker?.close(id).catch(() => {});
    await this.#search.close();
  }

  async pause(): Promise<void> {
    await this.#save({ ...this.#record, paused: true });
    await this.close();
    this.#state = 'paused';
    this.#message = undefined;
  }

  async resume(): Promise<void> {
    if (this.#record.paused) await this.#save({ ...this.#record, paused: false });
    await this.open();
  }

  async reconfigure(spec: DeploymentSpec): Promise<void> {
    const next = withSpec(this.#record, spec);
    const encrypted = !isDeepStrictEqual(spec.encryption, this.#record.spec.encryption);
    if (encrypted) await this.#parts.fileKeys.check(spec.encryption);
    if (next !== this.#record) await this.#follow(next);
    // Another master key leaves the file as it is; else it is brought to what is wanted when it is opened.
    const rewrapped = spec.encryption !== undefined && this.#key !== undefined && this.#state === 'running';
    if (encrypted) await (rewrapped ? this.#settleKey() : this.close());
    await this.setAccess(spec.access);
    await this.reopen();
  }

  async setAccess(access: AccessSpec): Promise<void> {
    if (access.revision <= this.#record.access.revision) return;
    await this.#save({ ...this.#record, access });
    await this.#publish();
  }

  /** Runs a command in the service's name, on a router or on the primary; rejects while there is neither. */
  run(command: Uint8Array): Promise<Uint8Array> {
    const { spec, primaries } = this.#record;
    const member = spec.members.find(({ kind }) => kind === 'router')?.id ?? primaries[0];
    if (this.#state !== 'running' || this.#worker === undefined || member === undefined) {
      throw new Error(this.#message ?? 'the deployment takes no commands now');
    }
    return this.#worker.run(spec.id, member, command);
  }

  /** It has search indexes. */
  followSearch(): void {
    if (this.#worker !== undefined) this.#search.follow({ dir: this.directory, key: this.#key });
  }

  async setFaults(faults: readonly WireFault[]): Promise<void> {
    const { faults: _, ...rest } = this.#record;
    await this.#save(faults.length === 0 ? rest : { ...rest, faults });
    await this.#publish();
  }

  /** So many threads of its own search for it; none: its query thread does. */
  async setSearchNodes(count: number): Promise<void> {
    const { searchNodes: _, ...rest } = this.#record;
    if ((this.#record.searchNodes ?? 0) !== count)
      await this.#save(count === 0 ? rest : { ...rest, searchNodes: count });
    await this.#search.resize(count);
  }

  /** When this resolves, what searches have taken until now is known. */
  tellSearch(): Promise<void> {
    return this.#search.tell();
  }

  takeOwnUsers(own: OwnUsers): void {
    this.#own = own;
  }

  async stopMember(memberId: string): Promise<void> {
    this.#checkMember(memberId);
    if (isStopped(this.#record, memberId)) return;
    await this.#save(withMember(this.#record, memberId, false));
    // The others already know who follows when the connections to this one end.
    const published = this.#publish();
    this.#auditAll([{ member: memberId, atype: 'shutdown', param: {} }]);
    await Promise.all([published, this.#thread?.unlisten(this.#record.spec.id, memberId)]);
  }

  /** Its port is its own again before it takes part, and before the others know. */
  async startMember(memberId: string): Promise<void> {
    this.#checkMember(memberId);
    if (!isStopped(this.#record, memberId)) return;
    const next = withMember(this.#record, memberId, true);
    const ports = this.#thread === undefined ? next.ports : await this.#bind(this.#thread, next);
    await this.#save({ ...next, ports });
    this.#auditAll([{ member: memberId, atype: 'startup', param: {} }]);
    await this.#publish();
  }

  /** The primary steps down, if it is `from`; without it that of every shard. */
  async failover(from?: string): Promise<void> {
    const { primaries } = this.#record;
    if (from !== undefined && !primaries.includes(from)) return;
    const next = elect(this.#record, from === undefined ? primaries : [from]);
    if (next.primaries.length < primaries.length) throw new Error('no other member can become primary');
    await this.#save(next);
    await this.#publish();
  }

  /** Goes on with the data of another file, encrypted with the same key, which takes the place of its own. */
  async replaceFile(file: string, known: FileKey | undefined): Promise<void> {
    const now = await this.#parts.fileKeys.of(this.directory);
    if (!isDeepStrictEqual(now?.key, known?.key))
      throw new Error('the encryption of the cluster has changed meanwhile');
    await this.close();
    removeSearchFile(this.directory);
    replaceFile(join(this.directory, FILE_NAME), file, now?.key);
    await this.reopen();
    if (this.#state === 'failed') throw new Error(this.#message);
  }

  /** A member is not elected for so many seconds; if it is primary, it steps down. */
  async withhold(memberId: string, seconds: number): Promise<void> {
    if (this.#state !== 'running' || this.#record.ports[memberId] === undefined) return;
    this.#withheld.set(memberId, this.#parts.clock.monotonic() + seconds * 1000);
    await this.#electAnew(withheld(this.#record, memberId, seconds > 0));
  }

  /** It may be elected again, unless it was withheld for longer meanwhile. */
  async letIn(memberId: string): Promise<void> {
    if (this.#state !== 'running' || (this.#withheld.get(memberId) ?? 0) > this.#parts.clock.monotonic())
      return;
    await this.#electAnew(withheld(this.#record, memberId, false));
  }

  async #electAnew(next: DeploymentRecord): Promise<void> {
    const changed =
      next.term !== this.#record.term || next.primaries.length !== this.#record.primaries.length;
    await this.#save(next);
    if (changed) await this.#publish();
  }

  /** Ends the deployment and deletes its files. */
  async remove(): Promise<void> {
    await this.close();
    this.journal.close();
    for (const port of Object.values(this.#record.ports)) this.#parts.ports.release(port);
    await discard(this.directory);
  }

  /**
   * Its query worker has ended: its requests wait while it opens in another. False when that happens too often, and
   * the deployment has failed until it is opened again.
   */
  async workerLost(worker: QueryWorker): Promise<boolean> {
    if (this.#worker !== worker) return true;
    this.#worker = undefined;
    const now = this.#parts.clock.monotonic();
    const losses = this.#losses.filter((at) => now - at < LOSS_WINDOW_MS);
    // A statement that was stuck, perhaps of another cluster, says nothing about this one.
    this.#losses = worker.stuck ? losses : [...losses, now];
    try {
      if (this.#losses.length > WORKER_LOSSES) throw new Error('its query worker ends again and again');
      await this.#thread?.route(this.#record.spec.id, undefined);
      refuseLost(join(this.directory, FILE_NAME));
      await this.#openDatabase();
      return true;
    } catch (error) {
      await this.#fail(error);
      return false;
    }
  }

  /** Its connection thread has ended: another one takes over its ports. */
  async threadLost(thread: ConnectionThread): Promise<void> {
    if (this.#thread !== thread) return;
    this.#thread = undefined;
    this.#state = 'paused';
    await this.open();
  }

  /** Binds the ports of all members; those that are new stay with them from here on. */
  async #openPorts(): Promise<void> {
    const record = this.#record;
    this.#thread ??= this.#parts.threads.assign(record.spec.id);
    await this.#thread.configure(this.#view());
    const ports = await this.#bind(this.#thread, record);
    if (isDeepStrictEqual(ports, record.ports)) return;
    await this.#save({ ...record, ports });
    await this.#thread.configure(this.#view());
  }

  /** Opens the ports of new members, closes those of members that are gone. */
  async #follow(next: DeploymentRecord): Promise<void> {
    const before = this.#record;
    const thread = this.#thread;
    await this.#save(thread === undefined ? next : { ...next, ports: await this.#bind(thread, next) });
    this.#auditAll(changeAudits(before, this.#record, this.#parts.settings));
    const leaving = leavingMembers(before, next, this.#parts.settings);
    if (thread !== undefined && leaving.length > 0) {
      await this.#publish(leaving);
      await thread.drain(
        next.spec.id,
        leaving.map(({ id }) => id),
      );
    }
    await this.#publish();
    for (const [memberId, port] of Object.entries(before.ports)) {
      if (next.ports[memberId] !== undefined) continue;
      await thread?.unlisten(next.spec.id, memberId);
      this.#parts.ports.release(port);
    }
  }

  #bind(thread: ConnectionThread, record: DeploymentRecord): Promise<Record<string, number>> {
    const { settings, ports } = this.#parts;
    return bindMembers(thread, record, { listen: settings.listen, ports });
  }

  /** A worker that another cluster has ended meanwhile is no reason to give this one up. */
  async #openDatabase(): Promise<void> {
    const { id } = this.#record.spec;
    for (let attempt = 1; ; attempt++) {
      this.#worker ??= this.#parts.workers.assign(id);
      try {
        const { unsynced = false } = this.#record.spec;
        const files = { dir: this.directory, key: this.#key, unsynced };
        await this.#worker.open(id, files, this.#info());
        this.#search.opened(this.#worker, files);
        await this.#thread?.route(id, this.#worker);
        return;
      } catch (error) {
        if (!(error instanceof WorkerGone)) throw error;
        // Before it is given up, too: one that has ended would never answer that it has closed the cluster.
        this.#worker = undefined;
        if (attempt === OPEN_ATTEMPTS) throw error;
      }
    }
  }

  async #fail(error: unknown): Promise<void> {
    const { id } = this.#record.spec;
    const message = error instanceof Error ? error.message : String(error);
    // Somebody tries again and again; the log tells it once.
    if (message !== this.#message) {
      this.#parts.log.error({ cluster: id, reason: message }, 'deployment failed');
    }
    await this.close();
    this.#state = 'failed';
    this.#message = message;
  }

  async #save(next: DeploymentRecord): Promise<void> {
    const record = withElections(this.#record, next, this.#parts.now());
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    await writeRecord(this.directory, record);
    this.#logElections(this.#record.primaries, record.primaries);
    this.#record = record;
    this.#keepJournal();
  }

  #keepJournal(): void {
    const members = memberAddresses(this.#record, this.#parts.settings.advertise);
    this.journal.configure(this.#parts.now(), members, this.#record.spec.auditing);
  }

  #auditAll(audits: readonly OwnAudit[]): void {
    for (const audit of audits) this.journal.audit(this.#parts.now(), audit);
  }

  #logAll(event: Pick<LogEvent, 'c' | 'id' | 'msg' | 'attr'>): void {
    this.journal.logAll(this.#parts.now(), { s: 'I', ctx: 'main', ...event });
  }

  #logElections(before: readonly string[], after: readonly string[]): void {
    const { term } = this.#record;
    const log = (member: string, id: number, msg: string, s: 'I' | 'W') =>
      this.journal.log(this.#parts.now(), {
        member,
        s,
        c: 'REPL',
        id,
        ctx: 'ReplCoord',
        msg,
        attr: { term },
      });
    for (const member of before)
      if (!after.includes(member)) log(member, 6015310, 'Stepping down from primary', 'W');
    for (const member of after) {
      if (!before.includes(member)) log(member, 21450, 'Election succeeded, assuming primary role', 'I');
    }
  }

  /** Writes down what its members have done so far. */
  async sample({ free, total, ...shared }: HostSample): Promise<void> {
    if (this.#state !== 'running') return;
    const used = await bytesIn(this.directory);
    const search = { ...this.#search.figures(), disk: await bytesIn(this.directory, SEARCH_FILE) };
    this.journal.sample({ ...shared, disk: { used, free, total } }, search);
  }

  #checkMember(memberId: string): void {
    const { id, members } = this.#record.spec;
    if (members.some((member) => member.id === memberId)) return;
    throw new Error(`deployment ${id} has no member ${memberId}`);
  }

  /** The worker first: what comes to a member that is primary no more is refused from here on. */
  async #publish(leaving: readonly MemberView[] = []): Promise<void> {
    this.#worker?.configure(this.#record.spec.id, this.#info());
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

/** The files of a directory that begin so, those of its folders left out: these are bounded. */
async function bytesIn(directory: string, prefix = ''): Promise<number> {
  const names = (await readdir(directory).catch(() => [])).filter((name) => name.startsWith(prefix));
  const sizes = names.map(
    async (name) => (await stat(join(directory, name)).catch(() => undefined))?.size ?? 0,
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
