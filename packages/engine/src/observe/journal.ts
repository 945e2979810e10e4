import type { RotatingFile } from '@portolan/foundation/rotating-file';
import type {
  AccessAttempt,
  AuditingSpec,
  DatabaseSizes,
  IndexChanges,
  IndexQueries,
  MemberAddress,
  MemberSample,
  SearchSample,
} from '../interface/engine.ts';
import type { AuditFilter } from './audit-filter.ts';
import { lineCodec } from './line-codec.ts';
import { auditLine, auditMessage, endpointOf, logLine } from './lines.ts';
import type { MemberTraffic } from './member-traffic.ts';
import type { ClusterFigures, LoginObserved, MemberWork, Observation } from './observation.ts';
import type { LogEvent } from './observer.ts';
import { accessFile, logFile, metricsFile, recordFolder } from './record-files.ts';
import { NEWEST, type SampleEntry } from './records.ts';
import { type SentLog, sentAudit, sentLog } from './sent-events.ts';

/** Maximum length of names that clients supply, and of texts that contain such names. Longer ones are truncated. */
const MAX_NAME_LENGTH = 1024;

const cut = (text: string) => text.slice(0, MAX_NAME_LENGTH);

/** An audit message that a member records about itself. */
export interface OwnAudit {
  readonly member: string;
  readonly atype: string;
  readonly param: object;
}

/** The work of searches and index updates. It belongs to the whole deployment and not to single members. */
interface SearchWork extends Omit<SearchSample, 'indexes'> {
  readonly followed: Readonly<Record<string, IndexChanges>>;
}

/**
 * The logs, audit streams, access history and metrics of a deployment. They are in files of limited size next to its
 * data.
 */
export class Journal {
  /** The folder of the files. */
  readonly folder: string;
  readonly #files = new Map<string, RotatingFile>();
  readonly #traffic = new Map<string, MemberTraffic>();
  readonly #work = new Map<string, MemberWork>();
  readonly #newest = new Map<string, readonly MemberSample[]>();
  #whole = nothing;
  #databases: Readonly<Record<string, DatabaseSizes>> = {};
  #members: readonly MemberAddress[] = [];
  #auditing: AuditingSpec | undefined;
  #filter: Promise<AuditFilter> | undefined;
  #closed = false;
  #key: Uint8Array | undefined;
  #lines = lineCodec(undefined);

  constructor(directory: string) {
    this.folder = recordFolder(directory);
  }

  configure(time: number, members: readonly MemberAddress[], auditing: AuditingSpec | undefined): void {
    const isFirst = this.#members.length === 0;
    this.#members = members;
    for (const id of this.#newest.keys())
      if (!members.some((member) => member.id === id)) this.#newest.delete(id);
    if (JSON.stringify(auditing) === JSON.stringify(this.#auditing)) return;
    const before = this.#auditing;
    const change = { previous: configOf(before), config: configOf(auditing) };
    const record = () => {
      for (const { id } of members) this.audit(time, { member: id, atype: 'auditConfigure', param: change });
    };
    // When auditing ends, this message is the last message of the stream, so record it before the change.
    if (auditing?.enabled !== true && !isFirst) record();
    this.#auditing = auditing;
    // Load the filter code only if auditing is enabled, because it loads the query language.
    this.#filter = auditing?.enabled
      ? import('./audit-filter.ts').then(({ auditFilter }) =>
          auditFilter(auditing.filter, (reason) => this.#logUnusable(time, reason)),
        )
      : undefined;
    if (auditing?.enabled === true && !isFirst) record();
  }

  #logUnusable(time: number, error: string): void {
    const msg = 'Audit filter cannot be used, all messages are recorded';
    this.logAll(time, { s: 'W', c: 'CONTROL', id: 24221, ctx: 'main', msg, attr: { error } });
  }

  /** Records an action of the member itself. */
  audit(time: number, { member, atype, param }: OwnAudit): void {
    // Such messages have limits of their own. They can contain two audit filters, which must not be truncated.
    const event = sentAudit({ atype, caller: { member }, param, result: 0 }, Number.POSITIVE_INFINITY);
    void this.#audit({ kind: 'audit', time, event });
  }

  /** The encryption key of the deployment's data file. If there is a key, log lines are encrypted with it. */
  get key(): Uint8Array | undefined {
    return this.#key;
  }

  set key(key: Uint8Array | undefined) {
    this.#key = key;
    this.#lines = lineCodec(key);
    // Changing the key rewrites the files, so their sizes must be read again.
    this.#files.clear();
  }

  take(observation: Observation): void {
    switch (observation.kind) {
      case 'log':
        this.#log(observation.time, observation.event);
        break;
      case 'audit':
        void this.#audit(observation);
        break;
      case 'login':
        this.#login(observation.time, observation.login);
        break;
      case 'rotate':
        this.#logRotation(observation);
        break;
      case 'traffic':
        for (const [member, facts] of Object.entries(observation.traffic)) this.#traffic.set(member, facts);
        break;
      case 'work':
        for (const [member, work] of Object.entries(observation.work)) this.#work.set(member, work);
        this.#whole = observation.whole;
        this.#databases = observation.databases;
    }
  }

  log(time: number, event: LogEvent): void {
    this.#log(time, sentLog(event));
  }

  #log(time: number, event: SentLog): void {
    this.#appendLog(event.member, 'server', logLine(time, event));
  }

  /** Writes the same line to the log of every member. */
  logAll(time: number, event: Omit<LogEvent, 'member'>): void {
    for (const { id: member } of this.#members) this.log(time, { ...event, member });
  }

  memberIds(): string[] {
    return this.#members.map(({ id }) => id);
  }

  /** Records a sample of each member. `shared` contains the values that all members have in common. */
  sample(
    shared: Pick<MemberSample, 'time' | 'taken' | 'memory' | 'disk' | 'machine'>,
    search?: SearchWork,
  ): void {
    const { searchIndexes, ...whole } = this.#whole;
    for (const { id: member } of this.#members) {
      const { searches, ...own } = this.#sampleOf(member);
      const searchSample = search && searchOf(search, searches, searchIndexes);
      const sample = { ...shared, ...own, ...whole, ...(searchSample && { search: searchSample }) };
      this.#append(this.#metrics, JSON.stringify({ member, ...sample } satisfies SampleEntry));
      this.#newest.set(member, [...(this.#newest.get(member) ?? []), sample].slice(-NEWEST));
    }
  }

  /** The last samples of each member since the host started, oldest first. */
  newest(): ReadonlyMap<string, readonly MemberSample[]> {
    return this.#newest;
  }

  /** The last reported sizes by database name. */
  get databases(): Readonly<Record<string, DatabaseSizes>> {
    return this.#databases;
  }

  /** Stops writing, because the directory is about to be removed. */
  close(): void {
    this.#closed = true;
  }

  /**
   * Logs a client's request to rotate a log, but does not rotate the log. Files are rotated by size and read by time,
   * so an earlier rotation would only discard entries. A client could use it to erase its traces.
   */
  #logRotation({ member, time, log }: Observation & { kind: 'rotate' }): void {
    const attr = { logType: log };
    this.log(time, {
      member,
      s: 'I',
      c: 'CONTROL',
      id: 23166,
      ctx: 'main',
      msg: 'Log rotation initiated',
      attr,
    });
  }

  async #audit({ time, event }: Observation & { kind: 'audit' }): Promise<void> {
    const { member } = event.caller;
    const { host = '', port = 0 } = this.#members.find(({ id }) => id === member) ?? {};
    const filter = await this.#filter;
    if (filter === undefined) return;
    const message = auditMessage(time, event, { ip: host, port });
    if (filter(message)) this.#appendLog(member, 'audit', auditLine(message));
  }

  #login(time: number, login: LoginObserved): void {
    const { member, connectionId, remote } = login;
    // Truncate these texts, because anybody can send them. Otherwise, a few failed logins with long texts would replace
    // all other logins in the file.
    const [username, database, mechanism] = [cut(login.username), cut(login.database), cut(login.mechanism)];
    const failure = login.failure === undefined ? undefined : cut(login.failure);
    const attr = {
      mechanism,
      speculative: true,
      principalName: username,
      authenticationDatabase: database,
      remote,
      extraInfo: {},
      ...(failure === undefined ? {} : { error: failure }),
    };
    const ctx = `conn${connectionId}`;
    const event: LogEvent =
      failure === undefined
        ? { member, s: 'I', c: 'ACCESS', id: 20250, ctx, msg: 'Authentication succeeded', attr }
        : { member, s: 'I', c: 'ACCESS', id: 20249, ctx, msg: 'Authentication failed', attr };
    const line = logLine(time, sentLog(event));
    const { host = '', port = 0 } = this.#members.find(({ id }) => id === member) ?? {};
    const attempt: AccessAttempt = {
      time,
      success: failure === undefined,
      username,
      authSource: database,
      mechanism,
      address: endpointOf(remote).ip,
      memberId: member,
      host: `${host}:${port}`,
      failureReason: failure ?? null,
      logLine: line,
    };
    this.#appendLog(member, 'server', line);
    this.#append(this.#access, JSON.stringify(attempt));
  }

  #sampleOf(member: string) {
    const {
      current = 0,
      totalCreated = 0,
      bytesIn = 0,
      bytesOut = 0,
      requests = 0,
    } = this.#traffic.get(member) ?? {};
    return {
      ...(this.#work.get(member) ?? idle),
      connections: { current, totalCreated },
      network: { bytesIn, bytesOut, requests },
    };
  }

  get #access(): RotatingFile {
    return this.#opened('access', accessFile);
  }

  get #metrics(): RotatingFile {
    return this.#opened('metrics', metricsFile);
  }

  #file(member: string, log: 'audit' | 'server'): RotatingFile {
    return this.#opened(`${member}/${log}`, (folder) => logFile(folder, member, log));
  }

  #opened(name: string, open: (folder: string) => RotatingFile): RotatingFile {
    let file = this.#files.get(name);
    if (file === undefined) {
      file = open(this.folder);
      this.#files.set(name, file);
    }
    return file;
  }

  #appendLog(member: string, log: 'audit' | 'server', line: string): void {
    this.#append(this.#file(member, log), this.#lines.write(line));
  }

  #append(file: RotatingFile, line: string): void {
    if (!this.#closed) file.append(`${line}\n`);
  }
}

/** Returns an audit configuration in the format of `auditConfigure` messages. */
function configOf({ enabled, filter, authorizationSuccess }: AuditingSpec = NOT_AUDITED): object {
  return { enabled, filter: filter ?? '', auditAuthorizationSuccess: authorizationSuccess };
}

const NOT_AUDITED: AuditingSpec = { enabled: false, authorizationSuccess: false };

const none = { ops: 0, micros: 0 };
const idle: MemberWork = {
  operations: { insert: 0, query: 0, update: 0, delete: 0, getmore: 0, command: 0 },
  documents: { returned: 0, inserted: 0, updated: 0, deleted: 0 },
  examined: { keys: 0, documents: 0 },
  sorts: { statements: 0, spilled: 0 },
  latency: { reads: none, writes: none, commands: none },
  processor: { user: 0, kernel: 0 },
  asserts: { regular: 0, user: 0 },
  interrupted: 0,
  queued: { readers: 0, writers: 0 },
  searches: {},
};
const unfollowed: IndexChanges = { inserts: 0, updates: 0, deletes: 0, lag: 0 };
const unsearched: IndexQueries = { succeeded: 0, failed: 0, getMores: 0 };

/** Returns the search statistics, or undefined if the deployment has neither search nodes nor search indexes. */
function searchOf(
  { followed, ...work }: SearchWork,
  searches: MemberWork['searches'],
  indexes: ClusterFigures['searchIndexes'],
): SearchSample | undefined {
  if (work.nodes === 0 && Object.keys(indexes).length === 0) return undefined;
  const all = Object.entries(indexes).map(([id, sizes]) => {
    return [id, { ...unfollowed, ...followed[id], ...unsearched, ...searches[id], ...sizes }] as const;
  });
  return { ...work, indexes: Object.fromEntries(all) };
}
const nothing: ClusterFigures = {
  oplog: { bytes: 0, window: 0 },
  cursors: { open: 0, timedOut: 0 },
  expired: 0,
  sizes: { data: 0, storage: 0, index: 0, objects: 0, collections: 0, indexes: 0, views: 0 },
  searchIndexes: {},
};
