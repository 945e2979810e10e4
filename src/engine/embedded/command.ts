import type { MemberAddress, MemberKind, RoleGrant } from '../engine.ts';
import type { Accounts } from './access/accounts.ts';
import type { RawDocument } from './bson/raw.ts';
import type { Value } from './bson/value.ts';
import type { ServerError } from './errors/server-error.ts';
import type { NewId } from './language/insert.ts';
import type { Scripts } from './language/scripts.ts';
import type { Observer } from './observe/observer.ts';
import type { ServerParameters } from './parameters/parameters.ts';
import type { ClusterStore } from './storage/cluster-store.ts';
import type { OperationCounters } from './worker/operation-counters.ts';

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
  /** Where alone it is known: on routers, or on every member of a sharded cluster. */
  readonly on?: 'routers' | 'sharded';
  /** Only on the database `admin`. */
  readonly adminOnly?: boolean;
  /** True when it changes data: it runs inside the write transaction that a group of waiting commands shares. */
  readonly writes?: boolean;
  /** Takes a transaction number: what it did is kept, so that it can be sent again. */
  readonly retryable?: boolean;
  /** Ends the transaction that it is sent in. */
  readonly ends?: boolean;
  /** Takes a read concern other than `local`. */
  readonly readConcern?: boolean;
  /** Takes a write concern although it does not write. */
  readonly writeConcern?: boolean;
  /** Also on a member that is not primary, without a read preference that says so. */
  readonly anyMember?: boolean;
  /** Touches nothing that is stored: runs also while a statement of the same cluster writes. */
  readonly aside?: boolean;
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
  readonly errInfo?: object;
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
  /** The transaction that it is a statement of. */
  readonly transaction?: { readonly number: bigint };
  /** How the transaction ends, for the command that ends it. */
  readonly transactionEnd?: TransactionEnd;
  /** Time is up: what has waited for something to happen answers that nothing has. */
  readonly impatient?: boolean;
  /** What the connection's side knows, for commands that tell it. */
  readonly edge?: EdgeFacts;
  /** The sender does not want to know what came of its writes. */
  readonly unacknowledged?: boolean;
}

/** Answers what the command that ends a transaction answers. */
export interface TransactionEnd {
  /** Inside the write transaction of the store. */
  commit(): Reply;
  abort(): Reply;
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

/** What the thread of a connection knows of the called member's connections. */
export interface EdgeFacts {
  readonly current: number;
  readonly totalCreated: number;
  /** Requests that are not answered yet, this one included. */
  readonly active: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly requests: number;
  /** Absent where nobody has asked for them one by one. */
  readonly connections?: readonly WireCaller[];
}

/** Who sent it: one connection. */
export interface WireCaller {
  readonly connectionId: number;
  readonly remote: string;
  /** As its driver has named the program. */
  readonly appName?: string;
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
  /** The replica set of each shard, where the cluster is sharded. */
  readonly shardNames?: readonly string[] | undefined;
  readonly version: string;
  /** Grows with every change of members. */
  readonly configVersion: number;
  /** Grows with every election. */
  readonly term: number;
  readonly members: readonly ClusterMember[];
  readonly store: ClusterStore;
  readonly cursors: Cursors;
  readonly sessions: Sessions;
  readonly operations: Operations;
  readonly counters: OperationCounters;
  /** Users and roles, and what each user may do. */
  readonly accounts: Accounts;
  /** Inside `write`: users or roles were changed by a command; they count from here on, on every connection. */
  accountsChanged(): void;
  /** Defaults, limits and switches that commands obey. */
  readonly parameters: ServerParameters;
  /** Keeps what happens in logs; absent where nobody listens. */
  readonly observed?: Observer | undefined;
  /** Milliseconds since the epoch, in service time. */
  now(): number;
  /** Seconds since the cluster was opened, in machine time. */
  uptime(): number;
  /** Milliseconds of a clock that never goes back, for measuring. */
  elapsed(): number;
  /** Bytes that nobody can guess. */
  randomBytes(size: number): Buffer;
  /** A new ObjectId. */
  readonly newId: NewId;
  /** What runs the scripts of one operation. */
  readonly scripts: () => Scripts;
}

export interface ClusterMember extends MemberAddress {
  readonly shard: number;
  readonly kind: MemberKind;
  readonly priority: number;
  readonly hidden?: boolean;
  readonly provider: string;
  readonly region: string;
  /** `DOWN`: it accepts no connections. */
  readonly state: 'PRIMARY' | 'SECONDARY' | 'ROUTER' | 'DOWN';
}

/** What the requests of one cluster are at. */
export interface Operations {
  /** The one that asks. */
  readonly current: RunningOperation | undefined;
  /** All that have come and are not answered yet. */
  list(): RunningOperation[];
  /** Ends those for which `wanted` is true at their next check point, and with them what they have done. */
  kill(wanted: (operation: RunningOperation) => boolean, reason: ServerError): void;
}

export interface RunningOperation {
  /** Unique in its process for a long time. */
  readonly id: number;
  readonly caller: WireCaller;
  /** Monotonic machine time of its arrival, in milliseconds. */
  readonly arrived: number;
  /** `parked`: it waits for something to happen. */
  readonly state: 'waiting' | 'running' | 'parked';
  readonly command: Command | undefined;
  /** Absent until it has been looked at. */
  readonly request: CommandRequest | undefined;
  /** How often others were run while it was at it. */
  readonly yields: number;
  /** Monotonic machine time at which it is ended; infinite where nobody has said. */
  deadline: number;
  readonly killed: ServerError | undefined;
  kill(reason: ServerError): void;
}

/** Results that callers have not read to the end yet. */
export interface Cursors {
  /** Keeps the rest of a result; answers its id. */
  open(cursor: OpenCursor): bigint;
  find(id: bigint): OpenCursor | undefined;
  /**
   * Runs `read`, which takes more from a cursor, with the time that its caller has left for it; nobody else may read
   * it meanwhile.
   */
  reading<T>(id: bigint, read: () => T): T;
  /** All that are open and not being read. */
  idle(): IdleCursor[];
  /** False when there is no such cursor. The request that reads it is killed. */
  close(id: bigint): boolean;
  /** Closes every cursor of a session. */
  closeSession(session: string): void;
}

export interface OpenCursor {
  readonly namespace: string;
  /** Who opened it, as `database.username`; empty when nobody was logged in. */
  readonly owner: string;
  readonly session?: string;
  /** The number of the transaction in which it was opened. */
  readonly transaction?: bigint;
  /** Lives until it is read to the end or killed, however long nobody asks for it. */
  readonly lasting: boolean;
  /** More may come at any time: whoever asks for more waits for it. */
  readonly awaits?: boolean;
  readonly results: Results;
}

/** A cursor that waits to be asked for more. */
export interface IdleCursor {
  readonly id: bigint;
  readonly cursor: OpenCursor;
  /** Milliseconds of machine time since the epoch. */
  readonly opened: number;
  readonly used: number;
  readonly batches: number;
  /** The command that has opened it, unless it is long. */
  readonly command: RawDocument | undefined;
}

/** A result that is read in batches; between two of them it holds no documents but the one that did not fit. */
export interface Results {
  /** The next documents, `limit` at most and 16 MiB together, but one at least when there is one. */
  take(limit: number): RawDocument[];
  /** True when it is known that nothing follows. */
  readonly ended: boolean;
  /** Where to go on behind what was taken, for results that can be resumed. */
  readonly resumeToken?: RawDocument;
  /** There may be something to take; asked after each commit while somebody waits. True where it is not known. */
  readonly stirred?: boolean;
  /** There is more to look through although nothing was found yet. */
  readonly behind?: boolean;
}

/** Thrown by a command that reads when there is nothing yet: it is run again after the next commit, or in `ms`. */
export class NothingYet extends Error {
  readonly ms: number;
  /** Whether a commit is worth running it again for. */
  readonly stirred: () => boolean;

  constructor(ms: number, stirred = () => true) {
    super('nothing has happened yet');
    this.name = 'NothingYet';
    this.ms = ms;
    this.stirred = stirred;
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
  /** Milliseconds since a session was last used. */
  idle(session: string): number | undefined;
}

/** Whose session, and the hexadecimal digits of its id. */
export interface SessionKey {
  /** `database.username`; empty when nobody was logged in. */
  readonly owner: string;
  readonly id: string;
}
