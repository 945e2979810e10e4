import { encodeDocument } from '../bson/encode.ts';
import { RawDocument } from '../bson/raw.ts';
import type { AuditingSpec } from '../interface/engine.ts';
import type { Reply } from '../message/reply.ts';
import type { Profiler } from '../parameters/profiler.ts';
import type { AccessPath } from '../storage/access.ts';
import { argumentsOf, auditMessages, type ObservedCommand, type ObservedRequest } from './audited.ts';
import { cutAttribute } from './cut-attribute.ts';
import { directMutations } from './direct-mutations.ts';
import type { Observation } from './observation.ts';
import type { AuditEvent, LogEvent, Made, Observer } from './observer.ts';
import { operationKinds } from './operation-kinds.ts';
import { planSummary } from './plan-summary.ts';
import { profiledStatements } from './profiled-statements.ts';
import { RecentLines } from './recent-lines.ts';
import type { Lines } from './sealed-lines.ts';

const UNAUTHORIZED = 13;
const CREATE = 'createCollection';

export interface ObserverSeams {
  /** Of the directory of the cluster. */
  readonly directory: string;
  readonly lines: Lines;
  readonly profiler: Profiler;
  /** Characters of one attribute of a log line; 0: no matter how many. */
  longestAttribute(): number;
  /** Service time in milliseconds. */
  now(): number;
  /** A number from 0 to 1 that nobody chooses. */
  chance(): number;
  send(observation: Observation): void;
  /** Keeps a document in a database's `system.profile`, before the operation is answered. */
  profile(database: string, document: RawDocument): void;
}

/** An operation that has ended. */
export interface Ended {
  readonly command: ObservedCommand;
  readonly request: ObservedRequest;
  /** The command that has opened the cursor which it reads. */
  readonly originating?: RawDocument | undefined;
  readonly made?: readonly Made[] | undefined;
  /** Absent when it failed. */
  readonly reply?: Reply | undefined;
  /** The code of the error that it ended with. */
  readonly code: number;
  readonly micros: number;
  readonly keysExamined: number;
  readonly docsExamined: number;
  readonly path: AccessPath | undefined;
}

/** Tells of the operations of one cluster what its logs, its audit stream and its profiles keep. */
export class OperationObserver implements Observer {
  readonly #seams: ObserverSeams;
  #auditing: AuditingSpec | undefined;

  constructor(seams: ObserverSeams) {
    this.#seams = seams;
  }

  configure(auditing: AuditingSpec | undefined): void {
    this.#auditing = auditing?.enabled === true ? auditing : undefined;
  }

  get auditing(): boolean {
    return this.#auditing !== undefined;
  }

  audit(event: AuditEvent): void {
    if (this.auditing) this.#seams.send({ kind: 'audit', time: this.#seams.now(), event });
  }

  log(event: LogEvent): void {
    this.#seams.send({ kind: 'log', time: this.#seams.now(), event });
  }

  rotate(member: string, log: 'audit' | 'server'): void {
    this.#seams.send({ kind: 'rotate', time: this.#seams.now(), member, log });
  }

  newest(member: string, severities?: ReadonlySet<string>): { lines: string[]; total: number } {
    return new RecentLines(this.#seams.directory, member, this.#seams.lines).read(severities);
  }

  /** Whether a caller may do what it asks for. */
  checked({ secrets }: ObservedCommand, request: ObservedRequest, allowed: boolean): void {
    if (this.#auditing === undefined || (allowed && !this.#auditing.authorizationSuccess)) return;
    const { name, database, caller } = request;
    const args = argumentsOf(request, secrets);
    const target = args[name];
    const ns = typeof target === 'string' ? `${database}.${target}` : database;
    const param = { command: name, ns, args };
    this.audit({ atype: 'authCheck', caller, param, result: allowed ? 0 : UNAUTHORIZED });
  }

  /** Costs two comparisons where nothing is to be kept. */
  ended(operation: Ended): void {
    const { profiler } = this.#seams;
    const { request, command, micros, code } = operation;
    if (this.#auditing !== undefined) {
      for (const { atype, param } of auditMessages(command, request)) {
        this.audit({ atype, caller: request.caller, param, result: code });
      }
      if (code === 0) {
        this.#auditMade(operation);
        for (const param of directMutations(command, request)) {
          this.audit({ atype: 'directAuthMutation', caller: request.caller, param, result: 0 });
        }
      }
    }
    const slow = micros >= profiler.slowms * 1000;
    if (!slow && profiler.quiet) return;
    this.#keep(operation, slow);
  }

  /** Whoever writes to what is not there makes it. */
  #auditMade({ command, request: { caller }, made = [] }: Ended): void {
    const told = command.audit !== 'nothing' && command.audit.atype === CREATE;
    for (const { database, name, first } of made) {
      // What the server keeps for itself.
      if (database === 'config' || database === 'local') continue;
      if (first) this.audit({ atype: 'createDatabase', caller, param: { ns: database }, result: 0 });
      if (told || name.startsWith('system.')) continue;
      this.audit({ atype: CREATE, caller, param: { ns: `${database}.${name}` }, result: 0 });
    }
  }

  #keep(operation: Ended, slow: boolean): void {
    const { profiler, chance } = this.#seams;
    const { level, filter } = profiler.of(operation.request.database);
    const sampled = slow && (profiler.sampleRate >= 1 || chance() < profiler.sampleRate);
    const [told, ...others] = level > 0 || filter !== undefined ? this.#profilesOf(operation) : [];
    const wanted = filter === undefined || told === undefined ? sampled : filter.compiled.matches(told);
    if (wanted) this.#logSlow(operation);
    if (told === undefined || level === 0 || (level === 1 && !wanted)) return;
    // What is written about profiles would be written about for ever.
    if (operation.command.name === 'profile') return;
    for (const document of [told, ...others]) this.#seams.profile(operation.request.database, document);
  }

  #logSlow(operation: Ended): void {
    const { request } = operation;
    const { caller } = request;
    const { facts, ...cut } = this.#cut(operation);
    const attr = { type: 'command', ...facts, remote: caller.remote, protocol: 'op_msg' };
    const ctx = `conn${caller.connectionId}`;
    this.log({
      member: caller.member,
      s: 'I',
      c: 'COMMAND',
      id: 51803,
      ctx,
      msg: 'Slow query',
      attr,
      ...cut,
    });
  }

  /** Here, and not where lines are written: what is as long as a message need not go from thread to thread. */
  #cut(operation: Ended) {
    const facts = describe(operation);
    const longest = this.#seams.longestAttribute() || Number.POSITIVE_INFINITY;
    const command = cutAttribute(facts.command, longest);
    const originating = facts.originatingCommand && cutAttribute(facts.originatingCommand, longest);
    const cut = [
      { name: 'command', of: command, size: operation.request.body.length },
      { name: 'originatingCommand', of: originating, size: operation.originating?.length },
    ].filter(({ of }) => of?.truncated !== undefined);
    return {
      facts: {
        ...facts,
        command: command.kept,
        ...(originating && { originatingCommand: originating.kept }),
      },
      ...(cut.length > 0 && {
        truncated: Object.fromEntries(cut.map(({ name, of }) => [name, of?.truncated])),
        size: Object.fromEntries(cut.map(({ name, size }) => [name, size])),
      }),
    };
  }

  #profilesOf(operation: Ended): RawDocument[] {
    const { command, request, reply } = operation;
    const { durationMillis, ...facts } = describe(operation);
    const statements = profiledStatements(command, request, reply);
    if (statements.length === 0) return [this.#profileOf(operation, facts, durationMillis)];
    return statements.map(({ command, done }) =>
      this.#profileOf(operation, { ...facts, command, ...done }, durationMillis),
    );
  }

  #profileOf(operation: Ended, facts: object, millis: number): RawDocument {
    const { caller } = operation.request;
    const { user } = caller;
    const allUsers = user === undefined ? [] : [{ user: user.username, db: user.database }];
    return new RawDocument(
      encodeDocument({
        op: operationKinds[operation.command.operation].op,
        ...facts,
        millis,
        protocol: 'op_msg',
        ts: new Date(this.#seams.now()),
        client: caller.remote.slice(0, caller.remote.lastIndexOf(':')),
        appName: caller.appName,
        allUsers,
        user: user === undefined ? '' : `${user.username}@${user.database}`,
      }),
    );
  }
}

function describe(ended: Ended) {
  const { command, request, originating, reply, code, micros, keysExamined, docsExamined, path } = ended;
  const args = argumentsOf(request, command.secrets);
  const opened = originating && argumentsOf({ ...request, body: originating }, []);
  // A getMore names its collection aside.
  const target = command.operation === 'getmore' ? args.collection : args[request.name];
  return {
    ns: `${request.database}.${typeof target === 'string' ? target : '$cmd'}`,
    // A comment goes on with the cursor.
    command: opened?.comment === undefined ? args : { ...args, comment: args.comment ?? opened.comment },
    ...(opened === undefined ? {} : { cursorid: args.getMore, originatingCommand: opened }),
    ...(request.caller.appName === undefined ? {} : { appName: request.caller.appName }),
    ...(path === undefined ? {} : { planSummary: planSummary(path) }),
    keysExamined,
    docsExamined,
    ...returned(reply),
    numYields: 0,
    ...(code === 0 ? {} : { ok: 0, errCode: code }),
    ...(command.operation === 'insert' ? { ninserted: reply?.n } : {}),
    durationMillis: Math.round(micros / 1000),
  };
}

function returned(reply: Reply | undefined): { nreturned?: number; cursorExhausted?: boolean } {
  const cursor = reply?.cursor as { firstBatch?: unknown; nextBatch?: unknown; id?: unknown } | undefined;
  const batch = cursor?.firstBatch ?? cursor?.nextBatch;
  if (!Array.isArray(batch)) return {};
  return { nreturned: batch.length, ...(Number(cursor?.id ?? 0) === 0 ? { cursorExhausted: true } : {}) };
}
