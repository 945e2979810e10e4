/**
 * What the library, in the process of whoever tests, and its companion say to each other: lines of JSON over a
 * connection of the loopback. The library begins with the token of the companion, then calls and answers follow.
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

export interface ServiceRequest {
  /** By their names in docs/settings.md. */
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  /** 0 picks a free one. */
  readonly port: number;
  readonly tls: boolean;
  /** The path of a seed file, or what would be in it. */
  readonly seed?: string | object | undefined;
}

/** What callers of a service need. */
export interface ServiceFacts {
  readonly id: string;
  readonly url: string;
  readonly orgId: string;
  readonly groupId: string;
  readonly publicKey: string;
  readonly privateKey: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly operatorToken: string;
  /** The path of a PEM file; absent without TLS. */
  readonly caCertificate?: string;
}

export interface ClusterRequest {
  readonly id: string;
  readonly groupId?: string | undefined;
  readonly name: string;
}

/** Every call by its name. */
export interface CompanionCalls {
  startDatabase(request: DatabaseRequest): Promise<Database>;
  /** Closes its ports and keeps its data; what is not there is closed. */
  pauseDatabase(request: { readonly id: string }): Promise<void>;
  /** Ends it; its data go, unless they are in a folder of choice. */
  removeDatabase(request: { readonly id: string }): Promise<void>;
  stopMember(request: { readonly id: string; readonly member: string }): Promise<Database>;
  startMember(request: { readonly id: string; readonly member: string }): Promise<Database>;
  startService(request: ServiceRequest): Promise<ServiceFacts>;
  /** Everything is as it was after the start, at the same address and with the same credentials. */
  resetService(request: { readonly id: string }): Promise<void>;
  closeService(request: { readonly id: string }): Promise<void>;
  /** The connection string of a cluster that is `IDLE`, or is on its way there. */
  connectionString(request: ClusterRequest): Promise<string>;
  /** Makes a cluster, lets this machine in, and makes a user; the connection string logs in as that user. */
  createCluster(
    request: ClusterRequest & { readonly body: Readonly<Record<string, unknown>> },
  ): Promise<string>;
}
