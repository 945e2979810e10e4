/**
 * What the library, in the process of the tests, and its companion process exchange: lines of JSON over a loopback
 * connection. The library first sends the companion's token, then calls; the companion sends an answer to each call.
 */

/** The first line that a companion prints: how it is reached. */
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

/** Why a call failed, where whoever called can do something about it. */
export type FailureReason = 'PORT_TAKEN' | 'TIMED_OUT';

/** A database without a service. */
export interface DatabaseRequest {
  /** One that was paused, which goes on with its data; absent: a new one. */
  readonly id?: string | undefined;
  readonly replicaSet: string;
  /** `8.2.0`: what it says that it is. */
  readonly version: string;
  readonly members: readonly MemberRequest[];
  /** The address that members listen on; 127.0.0.1 when absent. */
  readonly listen?: string | undefined;
  /** Where the data are kept; absent: in a folder of the companion, which goes with it. */
  readonly folder?: string | undefined;
  /** Nobody needs to log in. */
  readonly open: boolean;
  /** Commands `createUser`, with `$db`, for users that are to be made. */
  readonly users?: readonly Readonly<Record<string, unknown>>[];
  readonly noTableScan?: boolean;
  /** Milliseconds; absent: as long as it takes. */
  readonly timeout?: number | undefined;
}

export interface MemberRequest {
  /** A port of choice; absent: a free one. */
  readonly port?: number | undefined;
  readonly priority?: number | undefined;
  readonly hidden?: boolean | undefined;
}

export interface Database {
  readonly id: string;
  /** Where its data are. */
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
  /** Closes its ports and keeps its data; what is not there is closed. */
  pauseDatabase(request: { readonly id: string }): Promise<void>;
  /** Ends it; its data go, unless they are in a folder of choice. */
  removeDatabase(request: { readonly id: string }): Promise<void>;
  stopMember(request: { readonly id: string; readonly member: string }): Promise<Database>;
  startMember(request: { readonly id: string; readonly member: string }): Promise<Database>;
}
