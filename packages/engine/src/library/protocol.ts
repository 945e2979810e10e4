/**
 * The protocol between the library, in the test's process, and its companion process: lines of JSON over a loopback
 * connection. The library first sends the companion's token, then calls; the companion answers each call.
 */

/** The first line that a companion prints: its address. */
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

/** Failures that a caller can handle. */
export type FailureReason = 'PORT_TAKEN' | 'TIMED_OUT';

/** A database without a service. */
export interface DatabaseRequest {
  /** The id of a paused database, which keeps its data; absent: a new database. */
  readonly id?: string | undefined;
  readonly replicaSet: string;
  /** The version that it reports, such as `8.2.0`. */
  readonly version: string;
  readonly members: readonly MemberRequest[];
  /** The listen address of the members; default: 127.0.0.1. */
  readonly listen?: string | undefined;
  /** The folder of the data; absent: a temporary folder of the companion. */
  readonly folder?: string | undefined;
  /** Clients need not authenticate. */
  readonly open: boolean;
  /** `createUser` commands, with `$db`, to run at the start. */
  readonly users?: readonly Readonly<Record<string, unknown>>[];
  readonly noTableScan?: boolean;
  /** The time limit in milliseconds; absent: none. */
  readonly timeout?: number | undefined;
}

export interface MemberRequest {
  /** The wanted port; absent: a free one. */
  readonly port?: number | undefined;
  readonly priority?: number | undefined;
  readonly hidden?: boolean | undefined;
}

export interface Database {
  readonly id: string;
  /** The folder of its data. */
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
  /** Closes the ports of the database and keeps its data; succeeds if it does not exist. */
  pauseDatabase(request: { readonly id: string }): Promise<void>;
  /** Removes the database, and its data unless they are in a chosen folder. */
  removeDatabase(request: { readonly id: string }): Promise<void>;
  stopMember(request: { readonly id: string; readonly member: string }): Promise<Database>;
  startMember(request: { readonly id: string; readonly member: string }): Promise<Database>;
}
