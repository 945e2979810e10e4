/**
 * The protocol runs between the library and its companion process, as lines of JSON over a loopback connection. The
 * library runs in the process of a test. It first sends the token of the companion, and then calls. The companion
 * replies to each call.
 */

/** The address of a companion, which is the first line of its output. */
export interface CompanionAddress {
  readonly port: number;
  readonly token: string;
}

export interface CompanionRequest {
  readonly id: number;
  readonly call: string;
  readonly argument: unknown;
}

export type CompanionAnswer =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: { readonly message: string; readonly reason?: FailureReason } };

/** Reasons of failures that a caller can handle. */
export type FailureReason = 'PORT_TAKEN' | 'TIMED_OUT';

/** A request to start a database without a service. */
export interface DatabaseRequest {
  /** The id of a paused database, which then continues with its data. Absent for a new database. */
  readonly id?: string | undefined;
  readonly replicaSet: string;
  /** The version that the database reports, such as `8.2.0`. */
  readonly version: string;
  readonly members: readonly MemberRequest[];
  /** The address on which members listen; the default is 127.0.0.1. */
  readonly listen?: string | undefined;
  /** The folder of the data. The default is a temporary folder of the companion. */
  readonly folder?: string | undefined;
  /** True if clients need not authenticate. */
  readonly open: boolean;
  /** `createUser` commands with `$db`. They run when the database starts. */
  readonly users?: readonly Readonly<Record<string, unknown>>[];
  readonly noTableScan?: boolean;
  /** The time limit of the start, in milliseconds. Absent for no limit. */
  readonly timeout?: number | undefined;
}

export interface MemberRequest {
  /** The requested port. If absent, a free port is used. */
  readonly port?: number | undefined;
  readonly priority?: number | undefined;
  readonly hidden?: boolean | undefined;
}

export interface Database {
  readonly id: string;
  /** The folder of the data. */
  readonly folder: string;
  readonly members: readonly DatabaseMember[];
}

interface DatabaseMember {
  readonly id: string;
  readonly port: number;
  readonly primary: boolean;
}

/** The calls of the companion that runs databases. */
export interface DatabaseCalls {
  startDatabase(request: DatabaseRequest): Promise<Database>;
  /** Closes the ports of the database and keeps its data. Succeeds if the database does not exist. */
  pauseDatabase(request: { readonly id: string }): Promise<void>;
  /** Removes the database. Deletes its data, unless the data is in a folder that the caller has chosen. */
  removeDatabase(request: { readonly id: string }): Promise<void>;
  stopMember(request: { readonly id: string; readonly member: string }): Promise<Database>;
  startMember(request: { readonly id: string; readonly member: string }): Promise<Database>;
}
