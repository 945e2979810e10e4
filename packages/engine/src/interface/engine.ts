/**
 * This file contains the data types of the calls between the service and an engine (`calls.ts`). An engine runs a
 * *deployment* for each cluster. The *members* of a deployment are the nodes to which drivers connect.
 */

import type { FoundServers } from './found.ts';
import type { ProcessArguments, RefusedArgument, TlsProtocol } from './process-arguments.ts';

export type * from './found.ts';
export type * from './process-arguments.ts';
export type * from './samples.ts';

/** A `router` stores no data. It accepts commands for all shards of a sharded deployment. */
export type MemberKind = 'electable' | 'readOnly' | 'analytics' | 'router';

export interface MemberSpec {
  /** An id that never changes within the deployment, such as `shard-00-00` or `router-00-00`. */
  readonly id: string;
  /** The number of the shard, from 0. For a router, the number of the shard whose member runs on the same machine. */
  readonly shard: number;
  readonly kind: MemberKind;
  readonly provider: string;
  readonly region: string;
  /** The election priority. A member with priority 0 is never elected. */
  readonly priority: number;
  /** True if drivers cannot discover this member. Its priority is 0. */
  readonly hidden?: boolean;
  /**
   * The host names below the domain of the engine. Absent if the engine has no domain. The replica set uses the first
   * name.
   */
  readonly names?: readonly string[];
  /** The port of the member. If absent, the member gets a free port of the host's range, and keeps this port. */
  readonly port?: number;
}

export interface DeploymentSpec {
  /** The id of the cluster. */
  readonly id: string;
  readonly clusterName: string;
  readonly replicaSetName: string;
  /** The names of the shards' replica sets in a sharded deployment. The first equals `replicaSetName`. */
  readonly shardNames?: readonly string[];
  /** The major version, for example `8.0`. */
  readonly majorVersion: string;
  /** The full version, for example `8.0.29`. */
  readonly version: string;
  readonly members: readonly MemberSpec[];
  readonly access: AccessSpec;
  /** The minimum TLS version of members; the default is 1.2. */
  readonly minimumTlsProtocol?: TlsProtocol;
  /** The limits of the cluster's size. Absent if only the machine limits it. */
  readonly limits?: SizeLimits;
  /**
   * Server options, under the names that the API uses for process arguments. If absent, the server's defaults apply.
   */
  readonly arguments?: ProcessArguments;
  /**
   * The feature compatibility version that servers outside Portolan must have. Absent if the service does not change
   * it.
   */
  readonly featureCompatibilityVersion?: string;
  /**
   * True if commands may create users and roles, which are stored with the data. Only engines without a service use
   * this.
   */
  readonly ownUsers?: boolean;
  /**
   * True if replies do not wait until the disk has stored the write. A crash of the machine then loses the latest
   * writes. Used for temporary data.
   */
  readonly unsynced?: boolean;
  /** The audit stream of every member. Absent if there is none. */
  readonly auditing?: AuditingSpec;
  /** The id of the master key that wraps the key of the data file. Absent if the file is not encrypted. */
  readonly encryption?: { readonly masterKey: string };
}

interface SizeLimits {
  /** Maximum number of connections per member. Further connections are closed at once. */
  readonly connections: number;
  /** Maximum size of the data and its oplog, in bytes. At this size, writes are rejected and reads continue. */
  readonly disk: number;
}

export interface AuditingSpec {
  readonly enabled: boolean;
  /** A query document on the fields of audit messages, as JSON. If absent or empty, every message is recorded. */
  readonly filter?: string;
  /** True to record successful authorization as well, as `authCheck` with the result 0. */
  readonly authorizationSuccess: boolean;
}

/** The users of a deployment and the addresses from which they may connect. */
export interface AccessSpec {
  /**
   * A number that is incremented by every change of the project's users or addresses. A deployment ignores settings
   * with an older revision than its own.
   */
  readonly revision: number;
  readonly users: readonly UserSpec[];
  /** CIDR blocks. If empty, nobody may connect. */
  readonly addresses: readonly string[];
  /** The custom roles, which can be granted to users like the built-in roles. */
  readonly customRoles?: readonly CustomRoleSpec[];
  /** The authorities that sign the certificates of users, by name. Each value is a text of PEM certificates. */
  readonly authorities?: Readonly<Record<string, string>>;
  /** True if clients have all privileges without login. Used for test databases. */
  readonly open?: boolean;
}

/** A user that may log in to the deployment. The service omits users whose scopes do not include the cluster. */
export interface UserSpec {
  readonly username: string;
  /** The database in which the user is defined: `admin` or `$external`. */
  readonly database: string;
  readonly roles: readonly RoleGrant[];
  /** The verifiers of the password. Absent if the user does not log in with a password. */
  readonly scram?: ScramCredentials;
  /**
   * The password. Set only if the engine needs it. Also absent if no cluster of the project had such an engine when the
   * user got the password.
   */
  readonly password?: PasswordSpec;
  /**
   * The requirements for the certificate with which the user logs in. If they are set, the name of the user is the
   * subject of the certificate in the format of RFC 2253.
   */
  readonly certificates?: {
    /** The name of the authority in `AccessSpec.authorities`. */
    readonly authority: string;
    /** A URI that the certificate must contain as a subject alternative name. Absent if no URI is required. */
    readonly uri?: string;
  };
  /**
   * Restrictions on the addresses of clients and servers. The user can log in only if all restrictions are met. A
   * restriction is met if an entry of each of its lists matches.
   */
  readonly restrictions?: ReadonlyArray<{
    readonly clientSource?: readonly string[];
    readonly serverAddress?: readonly string[];
  }>;
}

/** A role with privileges and inherited roles. Actions have the server's names, such as `find`. */
export interface CustomRoleSpec {
  readonly role: string;
  /** The database in which the role is defined. Roles of the API belong to `admin`. */
  readonly database: string;
  readonly privileges: readonly PrivilegeSpec[];
  readonly roles: readonly RoleGrant[];
}

interface PrivilegeSpec {
  readonly actions: readonly string[];
  /**
   * One of three forms: `{cluster: true}`; a database and a collection; or a database and a time series, whose buckets
   * are the resource. An empty name matches any name.
   */
  readonly resource: {
    readonly cluster?: boolean;
    readonly anyResource?: boolean;
    readonly db?: string;
    readonly collection?: string;
    readonly system_buckets?: string;
  };
}

export interface RoleGrant {
  readonly role: string;
  readonly database: string;
  readonly collection?: string;
}

/** The user with whose privileges a command runs. The deployment need not have a user with this name. */
export interface ActingUser {
  readonly username: string;
  readonly roles: readonly RoleGrant[];
}

export interface PasswordSpec {
  readonly text: string;
  /** A text that changes with the password, and from which the password cannot be derived. */
  readonly version: string;
}

/** Salted SCRAM verifiers (RFC 5802). All strings are base64. */
export interface ScramCredentials {
  readonly sha1?: ScramVerifier;
  readonly sha256?: ScramVerifier;
}

export interface ScramVerifier {
  readonly iterations: number;
  readonly salt: string;
  readonly storedKey: string;
  readonly serverKey: string;
}

export interface MemberAddress {
  readonly id: string;
  readonly host: string;
  readonly port: number;
}

export type DeploymentState = 'running' | 'paused' | 'failed';

/** The election of a member that replaced another primary. */
export interface Election {
  readonly memberId: string;
  /** Service time, in milliseconds since 1970. */
  readonly time: number;
}

/** A fault that the operator has declared for commands of drivers. */
export interface WireFault {
  readonly id: string;
  readonly commands: readonly string[];
  /** True to close the connection without a reply. */
  readonly closeConnection?: boolean;
  /** The code of an error that replaces the reply of the command. */
  readonly errorCode?: number;
  /** The delay in milliseconds before the connection is closed, the error is returned, or the command runs. */
  readonly delay?: number;
  /** Number of matching commands that run normally before the first failure. */
  readonly skip: number;
  /** Maximum number of failures, counted for all members together. */
  readonly times?: number;
  readonly probability: number;
  /**
   * The seed of the random numbers that determine which commands fail. Absent in faults that earlier versions declared.
   */
  readonly seed?: number;
}

export interface Deployment {
  readonly id: string;
  readonly state: DeploymentState;
  readonly members: readonly MemberAddress[];
  /** The revision of the `AccessSpec` that every member enforces. */
  readonly accessRevision: number;
  /**
   * The reason why the servers lack some users or roles; null if they have all of them. Absent if the engine does not
   * report this.
   */
  readonly accessProblem?: string | null;
  /**
   * The primary of each replica set, in the order of the shards. A replica set has no primary if less than a majority
   * of its electable members is running.
   */
  readonly primaries: readonly string[];
  /** The ids of members that were stopped and have not been started again. */
  readonly stopped?: readonly string[];
  /**
   * The ids of members that do not reply although the service has not stopped them. Set only by engines that do not
   * start their members themselves.
   */
  readonly down?: readonly string[];
  /** The elections of the last hours in which a member replaced another primary, oldest first. */
  readonly elections?: readonly Election[];
  /**
   * The process arguments that the servers have refused at the last change, and the feature compatibility version if
   * they have refused it. Absent if they have refused none.
   */
  readonly refusedArguments?: readonly RefusedArgument[];
  /** The reason why the state is `failed`. */
  readonly message?: string;
  /** What the engine has detected about the servers, if it did not start them. */
  readonly found?: FoundServers;
  /** The names and versions of the servers. Set only if they differ from the specification. */
  readonly servers?: ServerNames;
}

/** The names of the servers of a deployment, and how drivers connect to them. */
export interface ServerNames {
  /** The names of the shards' replica sets. */
  readonly replicaSets: readonly string[];
  /** True if drivers connect with TLS. */
  readonly tls: boolean;
  /** The host of an SRV record that lists the members. */
  readonly srvHost?: string;
  /** The full version, for example `8.0.19`. */
  readonly version?: string;
}

export interface DeploymentProblem {
  readonly id: string;
  readonly message: string;
}

/** Selects logins. An absent field matches all logins. Times are service times, in milliseconds since 1970. */
export interface AccessHistoryQuery {
  readonly from?: number;
  /** The end of the time range, inclusive. */
  readonly to?: number;
  readonly success?: boolean;
  /** The address of the client, for example `192.0.2.1`. */
  readonly address?: string;
  readonly memberId?: string;
  /** Maximum number of logins; the default is 20,000. */
  readonly limit?: number;
}

/** An attempt to log in to a member. */
export interface AccessAttempt {
  /** Service time, in milliseconds since 1970. */
  readonly time: number;
  readonly success: boolean;
  readonly username: string;
  /** The authentication database in the request of the client. */
  readonly authSource: string;
  readonly mechanism: string;
  /** The client's address, without a port. */
  readonly address: string;
  readonly memberId: string;
  /** The address of the member for drivers, for example `127.0.0.1:27100`. */
  readonly host: string;
  /** Why the login failed; null if it succeeded. */
  readonly failureReason: string | null;
  /** The member's log line, as JSON. */
  readonly logLine: string;
}

/** The logs of a member, in lines of JSON. See the call `logs` in `calls.ts`. */
export type LogName = 'db' | 'db-audit-log';
