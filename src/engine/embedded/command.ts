import type { MemberAddress, MemberKind, RoleGrant } from '../engine.ts';
import type { NewId } from './language/insert.ts';
import type { RawDocument } from './language/raw.ts';
import type { Value } from './language/value.ts';
import type { ClusterStore } from './storage/cluster-store.ts';

/**
 * A command of the wire protocol, as data. Commands stand in `commands/`, one file per family; the table of all
 * of them (`commands/index.ts`) is what a query worker runs, what is checked against a user's roles, and later what
 * the documents list.
 */
export interface Command {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** What the caller must be allowed to do; none of them: any logged-in user. `'open'`: also before log-in. */
  readonly privileges: 'open' | ((request: CommandRequest) => readonly Privilege[]);
  /** Only on the database `admin`. */
  readonly adminOnly?: boolean;
  /** True when it changes data: it runs inside the write transaction that a group of waiting commands shares. */
  readonly writes?: boolean;
  /** Takes a transaction number: what it did is kept, so that it can be sent again. */
  readonly retryable?: boolean;
  /** Takes a read concern other than `local`. */
  readonly readConcern?: boolean;
  /** Takes a write concern although it does not write. */
  readonly writeConcern?: boolean;
  /** Also on a member that is not primary, without a read preference that says so. */
  readonly anyMember?: boolean;
  /** The command that a request is, where that depends on its arguments. */
  variant?(request: CommandRequest): Command;
  /** Fields of the answer without `ok`; a thrown `ServerError` becomes the error answer. */
  run(request: CommandRequest, cluster: ClusterContext): Reply;
}

export type Reply = Readonly<Record<string, unknown>>;

/** A write was done, but not as its write concern wants. */
export interface UnsatisfiedConcern {
  readonly code: number;
  readonly codeName: string;
  readonly errmsg: string;
}

/** One message, taken apart. */
export interface CommandRequest {
  readonly name: string;
  /** `$db` */
  readonly database: string;
  /** The command document as it came (OP_MSG section of kind 0). */
  readonly body: RawDocument;
  /** Document sequences (kind 1) by name: `documents`, `updates`, `deletes`. */
  readonly sequences: ReadonlyMap<string, readonly RawDocument[]>;
  readonly caller: WireCaller;
  /** Tells sessions apart: the id and whose it is. */
  readonly session?: string;
  /** Runs the statements of a numbered write, each once however often it is sent. */
  readonly retries?: Retries;
  /** Time is up: what has waited for something to happen answers that nothing has. */
  readonly impatient?: boolean;
  /** The sender does not want to know what came of its writes. */
  readonly unacknowledged?: boolean;
}

export interface Retries {
  /** Runs the statement at this place of the command, or answers what it did when it was run before. */
  once(index: number, run: () => StatementOutcome): StatementOutcome;
  /** Ids of the statements that had been run before. */
  readonly retried: readonly number[];
}

/** What a statement did, as far as answers tell. */
export interface StatementOutcome {
  /** Documents inserted, matched or removed. */
  readonly n: number;
  readonly modified?: number;
  /** The `_id` of the document that an upsert made. */
  readonly upserted?: Value;
  /** The whole answer, for commands that answer more than counts. */
  readonly reply?: RawDocument;
}

/** Who sent it: one connection. */
export interface WireCaller {
  readonly connectionId: number;
  readonly remote: string;
  /** The member's id whose port was called. */
  readonly member: string;
  readonly user?: WireUser;
}

export interface WireUser {
  readonly username: string;
  readonly database: string;
  readonly roles: readonly RoleGrant[];
}

/** `action` on a resource; an empty `collection` is the database as a whole, an absent `database` the cluster. */
export interface Privilege {
  readonly action: string;
  readonly database?: string;
  readonly collection?: string;
}

/** What a command acts on. */
export interface ClusterContext {
  readonly id: string;
  readonly replicaSetName: string;
  readonly version: string;
  /** Grows with every change of members. */
  readonly configVersion: number;
  /** Grows with every election. */
  readonly term: number;
  readonly members: readonly ClusterMember[];
  readonly store: ClusterStore;
  readonly cursors: Cursors;
  readonly sessions: Sessions;
  /** Milliseconds since the epoch, in service time. */
  now(): number;
  /** Seconds since the cluster was opened, in machine time. */
  uptime(): number;
  /** Milliseconds of a clock that never goes back, for measuring. */
  elapsed(): number;
  /** A new ObjectId. */
  readonly newId: NewId;
}

export interface ClusterMember extends MemberAddress {
  readonly kind: MemberKind;
  readonly priority: number;
  readonly hidden?: boolean;
  readonly provider: string;
  readonly region: string;
  /** `DOWN`: it accepts no connections. */
  readonly state: 'PRIMARY' | 'SECONDARY' | 'DOWN';
}

/** Results that callers have not read to the end yet. */
export interface Cursors {
  /** Keeps the rest of a result; answers its id. */
  open(cursor: OpenCursor): bigint;
  find(id: bigint): OpenCursor | undefined;
  /** False when there is no such cursor. */
  close(id: bigint): boolean;
  /** Closes every cursor of a session. */
  closeSession(session: string): void;
}

export interface OpenCursor {
  readonly namespace: string;
  /** Who opened it, as `database.username`; empty when nobody was logged in. */
  readonly owner: string;
  readonly session?: string;
  /** Lives until it is read to the end or killed, however long nobody asks for it. */
  readonly lasting: boolean;
  /** More may come at any time: whoever asks for more waits for it. */
  readonly awaits?: boolean;
  readonly results: Results;
}

/** A result that is read in batches; between two of them it holds no documents but the one that did not fit. */
export interface Results {
  /** The next documents, `limit` at most and 16 MiB together, but one at least when there is one. */
  take(limit: number): RawDocument[];
  /** True when it is known that nothing follows. */
  readonly ended: boolean;
  /** Where to go on behind what was taken, for results that can be resumed. */
  readonly resumeToken?: RawDocument;
}

/** Thrown by a command that reads when there is nothing yet: it is run again after the next commit, or in `ms`. */
export class NothingYet extends Error {
  readonly ms: number;

  constructor(ms: number) {
    super('nothing has happened yet');
    this.name = 'NothingYet';
    this.ms = ms;
  }
}

/** Sessions of one cluster. One that is not known begins when it is used. */
export interface Sessions {
  /** Makes a session; answers the 16 bytes of its id. */
  start(user: WireUser | undefined): Uint8Array;
  /** Says that a session is used. */
  use(session: string): void;
  /** Forgets sessions and closes their cursors. */
  end(sessions: Iterable<string>): void;
  /** Those for which `wanted` is true. */
  find(wanted: (session: SessionKey) => boolean): string[];
}

/** Whose session, and the hexadecimal digits of its id. */
export interface SessionKey {
  /** `database.username`; empty when nobody was logged in. */
  readonly owner: string;
  readonly id: string;
}
