import { writeDocument } from '../bson/document-writer.ts';
import { encodeDocument } from '../bson/encode.ts';
import { RawDocument } from '../bson/raw.ts';
import type { Value } from '../bson/value.ts';
import type { AuditingSpec } from '../interface/engine.ts';
import type { Reply } from '../message/reply.ts';
import type { Profiler } from '../parameters/profiler.ts';
import type { AccessPath, EmptyPlan } from '../storage/model/access-path.ts';
import type { StatementEffect } from '../storage/model/running-statement.ts';
import { argumentsOf, auditMessages, type ObservedCommand, type ObservedRequest, textIn } from './audited.ts';
import { cutAttribute } from './cut-attribute.ts';
import { directMutations } from './direct-mutations.ts';
import type { LineCodec } from './line-codec.ts';
import type { Observation } from './observation.ts';
import type { AuditEvent, CreatedCollection, LogEvent, Observer } from './observer.ts';
import { operationKinds } from './operation-kinds.ts';
import { planSummary } from './plan-summary.ts';
import { profiledStatements } from './profiled-statements.ts';
import { RecentLines } from './recent-lines.ts';
import { sentAudit, sentLog } from './sent-events.ts';

const UNAUTHORIZED = 13;
const CREATE = 'createCollection';

export interface ObserverDependencies {
  /** The directory of the cluster. */
  readonly directory: string;
  readonly lines: LineCodec;
  readonly profiler: Profiler;
  /** Returns the maximum number of characters in an attribute of a log line; 0 means no limit. */
  longestAttribute(): number;
  /** The service time (see `docs/glossary.md`), in milliseconds since 1970. */
  now(): number;
  /** Returns a random number from 0 to 1, exclusive. */
  chance(): number;
  send(observation: Observation): void;
  /** Stores an entry of the profiler in the `system.profile` of a database before the reply is sent. */
  profile(database: string, document: RawDocument): void;
}

/** A completed operation. */
export interface CompletedOperation {
  readonly command: ObservedCommand;
  readonly request: ObservedRequest;
  /** If the operation reads a cursor, the command that opened the cursor. */
  readonly originating?: RawDocument | undefined;
  readonly created?: readonly CreatedCollection[] | undefined;
  /** The reply. Undefined if the operation failed. */
  readonly reply?: Reply | undefined;
  /** The error code, or 0. */
  readonly code: number;
  readonly micros: number;
  readonly keysExamined: number;
  readonly docsExamined: number;
  readonly keysInserted: number;
  readonly keysDeleted: number;
  readonly path: AccessPath | EmptyPlan | undefined;
  /** The effects of the statements of an update or delete command, if they were recorded. */
  readonly effects?: readonly StatementEffect[] | undefined;
  /** Computes the hashes that identify the query. */
  hashes?(): object | undefined;
}

/** Writes completed operations of a cluster to its logs, its audit streams and the collections of the profiler. */
export class OperationObserver implements Observer {
  readonly #dependencies: ObserverDependencies;
  #auditing: AuditingSpec | undefined;

  constructor(dependencies: ObserverDependencies) {
    this.#dependencies = dependencies;
  }

  configure(auditing: AuditingSpec | undefined): void {
    this.#auditing = auditing?.enabled === true ? auditing : undefined;
  }

  get auditing(): boolean {
    return this.#auditing !== undefined;
  }

  audit(event: AuditEvent): void {
    if (this.auditing)
      this.#dependencies.send({ kind: 'audit', time: this.#dependencies.now(), event: sentAudit(event) });
  }

  log(event: LogEvent): void {
    this.#dependencies.send({ kind: 'log', time: this.#dependencies.now(), event: sentLog(event) });
  }

  rotate(member: string, log: 'audit' | 'server'): void {
    this.#dependencies.send({ kind: 'rotate', time: this.#dependencies.now(), member, log });
  }

  newest(member: string, severities?: ReadonlySet<string>): { lines: string[]; total: number } {
    return new RecentLines(this.#dependencies.directory, member, this.#dependencies.lines).read(severities);
  }

  /** Audits an authorization check. */
  checked({ secrets }: ObservedCommand, request: ObservedRequest, allowed: boolean): void {
    if (this.#auditing === undefined || (allowed && !this.#auditing.authorizationSuccess)) return;
    const { name, database, caller } = request;
    const args = argumentsOf(request, secrets);
    const target = textIn(args, name);
    const ns = target === undefined ? database : `${database}.${target}`;
    const param = { command: name, ns, args };
    this.audit({ atype: 'authCheck', caller, param, result: allowed ? 0 : UNAUTHORIZED });
  }

  /** Records a completed operation. If nothing must be recorded, this takes only two comparisons. */
  ended(operation: CompletedOperation): void {
    const { profiler } = this.#dependencies;
    const { request, command, micros, code } = operation;
    if (this.#auditing !== undefined) {
      for (const { atype, param } of auditMessages(command, request)) {
        this.audit({ atype, caller: request.caller, param, result: code });
      }
      if (code === 0) {
        this.#auditCreated(operation);
        for (const param of directMutations(command, request)) {
          this.audit({ atype: 'directAuthMutation', caller: request.caller, param, result: 0 });
        }
      }
    }
    const slow = micros >= profiler.slowms * 1000;
    if (!slow && profiler.quiet) return;
    this.#keep(operation, slow);
  }

  /**
   * Audits the collections and databases that an operation has created. A write to a missing collection creates the
   * collection.
   */
  #auditCreated({ command, request: { caller }, created = [] }: CompletedOperation): void {
    const isExplicit = command.audit !== 'none' && command.audit.atype === CREATE;
    for (const { database, name, first } of created) {
      // Internal databases are not audited.
      if (database === 'config' || database === 'local') continue;
      if (first) this.audit({ atype: 'createDatabase', caller, param: { ns: database }, result: 0 });
      if (isExplicit || name.startsWith('system.')) continue;
      this.audit({ atype: CREATE, caller, param: { ns: `${database}.${name}` }, result: 0 });
    }
  }

  #keep(operation: CompletedOperation, slow: boolean): void {
    const { profiler, chance } = this.#dependencies;
    const { level, filter } = profiler.of(operation.request.database);
    const sampled = slow && (profiler.sampleRate >= 1 || chance() < profiler.sampleRate);
    const [first, ...others] = level > 0 || filter !== undefined ? this.#profilesOf(operation) : [];
    const wanted = filter === undefined || first === undefined ? sampled : filter.compiled.matches(first);
    if (wanted) this.#logSlow(operation);
    if (first === undefined || level === 0 || (level === 1 && !wanted)) return;
    // Do not profile the command `profile`. Otherwise, each execution would add an entry to `system.profile`.
    if (operation.command.name === 'profile') return;
    for (const document of [first, ...others])
      this.#dependencies.profile(operation.request.database, document);
  }

  #logSlow(operation: CompletedOperation): void {
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

  /** Truncates long attributes in this thread, before the line is sent to another thread. */
  #cut(operation: CompletedOperation) {
    const facts = describe(operation);
    const longest = this.#dependencies.longestAttribute() || Number.POSITIVE_INFINITY;
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

  #profilesOf(operation: CompletedOperation): RawDocument[] {
    const { command, request, effects } = operation;
    const { durationMillis, numYields, ...described } = describe(operation);
    // The field `numYield` of profiler entries is called `numYields` in log lines.
    const facts = { ...described, numYield: numYields };
    const statements = profiledStatements(command, request, effects);
    if (statements === undefined) return [this.#profileOf(operation, facts, durationMillis)];
    return statements.map(({ command, done, micros }) =>
      this.#profileOf(
        operation,
        { ...facts, command, ...done },
        micros === undefined ? durationMillis : Math.round(micros / 1000),
      ),
    );
  }

  #profileOf(operation: CompletedOperation, facts: object, millis: number): RawDocument {
    const { caller } = operation.request;
    const { user } = caller;
    const allUsers = user === undefined ? [] : [{ user: user.username, db: user.database }];
    return new RawDocument(
      encodeDocument({
        op: operationKinds[operation.command.operation].op,
        ...facts,
        millis,
        protocol: 'op_msg',
        ts: new Date(this.#dependencies.now()),
        client: caller.remote.slice(0, caller.remote.lastIndexOf(':')),
        appName: caller.appName,
        allUsers,
        user: user === undefined ? '' : `${user.username}@${user.database}`,
      }),
    );
  }
}

function describe(ended: CompletedOperation) {
  const { command, request, originating, reply, code, micros, keysExamined, docsExamined, path, hashes } =
    ended;
  const args = argumentsOf(request, command.secrets);
  const opened = originating && argumentsOf({ ...request, body: originating }, []);
  // In `getMore`, the field `collection` names the collection. In other commands, the first field names it.
  const target = textIn(args, command.operation === 'getmore' ? 'collection' : request.name);
  return {
    ns: `${request.database}.${target ?? '$cmd'}`,
    // A `getMore` has the same comment as the command that opened its cursor.
    command: withComment(args, opened?.get('comment')),
    ...(opened === undefined ? {} : { cursorid: args.get('getMore'), originatingCommand: opened }),
    ...(request.caller.appName === undefined ? {} : { appName: request.caller.appName }),
    ...(path === undefined ? {} : { planSummary: planSummary(path) }),
    ...(path === undefined && opened === undefined ? {} : { ...hashes?.(), queryFramework: 'classic' }),
    keysExamined,
    docsExamined,
    ...returned(reply),
    numYields: 0,
    ...(code === 0 ? {} : { ok: 0, errCode: code }),
    ...(command.operation === 'insert' ? { ninserted: reply?.n } : {}),
    ...(ended.keysInserted === 0 ? {} : { keysInserted: ended.keysInserted }),
    ...(ended.keysDeleted === 0 ? {} : { keysDeleted: ended.keysDeleted }),
    durationMillis: Math.round(micros / 1000),
  };
}

function withComment(args: RawDocument, comment: Value | undefined): RawDocument {
  if (comment === undefined || args.has('comment')) return args;
  return writeDocument((writer) => {
    for (const element of args) writer.element(element);
    writer.field('comment', comment);
  });
}

function returned(reply: Reply | undefined): { nreturned?: number; cursorExhausted?: boolean } {
  const cursor = reply?.cursor as { firstBatch?: unknown; nextBatch?: unknown; id?: unknown } | undefined;
  const batch = cursor?.firstBatch ?? cursor?.nextBatch;
  if (!Array.isArray(batch)) return {};
  return { nreturned: batch.length, ...(Number(cursor?.id ?? 0) === 0 ? { cursorExhausted: true } : {}) };
}
