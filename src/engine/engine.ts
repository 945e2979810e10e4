import type { ClockSetting } from '../runtime/clock.ts';
import type { Certificate } from '../runtime/tls/certificate.ts';

/**
 * The data plane as the service sees it: one interface, several engines. A *deployment* is what an engine runs for
 * a cluster; its *members* are the nodes that drivers connect to.
 *
 * Every call may be repeated: a task that was cut off runs its step again.
 */

export type MemberKind = 'electable' | 'readOnly' | 'analytics';

export interface MemberSpec {
  /** Stable within the deployment: `shard-00-00`. */
  readonly id: string;
  readonly shard: number;
  readonly kind: MemberKind;
  readonly provider: string;
  readonly region: string;
  /** Election priority; 0 is never elected. */
  readonly priority: number;
  /** Drivers are not told of it; its priority is 0. */
  readonly hidden?: boolean;
}

export interface DeploymentSpec {
  /** The cluster's id. */
  readonly id: string;
  readonly clusterName: string;
  readonly replicaSetName: string;
  /** `8.0` */
  readonly majorVersion: string;
  /** `8.0.29` */
  readonly version: string;
  readonly members: readonly MemberSpec[];
  readonly access: AccessSpec;
  /** The oldest version that members still speak, where they speak TLS; 1.2 when absent. */
  readonly minimumTlsProtocol?: TlsProtocol;
}

export type TlsProtocol = 'TLS1_0' | 'TLS1_1' | 'TLS1_2' | 'TLS1_3';

/** Who may log in to a deployment, and from where. */
export interface AccessSpec {
  /** Grows with every change of the project's users or addresses; an older one never replaces a newer one. */
  readonly revision: number;
  readonly users: readonly UserSpec[];
  /** CIDR blocks; none means that nobody may connect. */
  readonly addresses: readonly string[];
}

export interface UserSpec {
  readonly username: string;
  /** Where the user is defined: `admin` or `$external`. */
  readonly database: string;
  readonly roles: readonly RoleGrant[];
  /** Absent for users that do not log in with a password. */
  readonly scram?: ScramCredentials;
}

export interface RoleGrant {
  readonly role: string;
  readonly database: string;
  readonly collection?: string;
}

/** Salted verifiers (RFC 5802); the password itself never reaches an engine. All texts are base64. */
export interface ScramCredentials {
  readonly sha1: ScramVerifier;
  readonly sha256: ScramVerifier;
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

export interface Deployment {
  readonly id: string;
  readonly state: DeploymentState;
  readonly members: readonly MemberAddress[];
  /** The revision of users and addresses that every member enforces. */
  readonly accessRevision: number;
  /** The member that takes writes; none while a majority of the electable members is missing. */
  readonly primary?: string;
  /** Ids of members that were stopped and are to stay so. */
  readonly stopped?: readonly string[];
  /** Why the state is `failed`. */
  readonly message?: string;
}

/** What an engine can do; what it cannot, the API answers with the contract's error. */
export interface EngineCapabilities {
  readonly pause: boolean;
  readonly tls: boolean;
}

export interface Engine {
  readonly name: string;
  readonly capabilities: EngineCapabilities;
  /** Starts the deployment, or answers the one that is there. Resolves when every member accepts drivers. */
  provision(spec: DeploymentSpec): Promise<Deployment>;
  /** Brings a deployment to the members and version of `spec`; ports of members that stay do not change. */
  reconfigure(spec: DeploymentSpec): Promise<Deployment>;
  /** Closes every port and gives memory and files back; the data stays. */
  pause(id: string): Promise<Deployment>;
  resume(id: string): Promise<Deployment>;
  /** Ends the deployment and deletes its data. A deployment that is not there is already removed. */
  remove(id: string): Promise<void>;
  describe(id: string): Promise<Deployment | undefined>;
  /** Closes the member's port, over restarts too, until it is started; another one becomes primary if it was. */
  stopMember(id: string, memberId: string): Promise<Deployment>;
  /** Rejects when another program has taken its port meanwhile. */
  startMember(id: string, memberId: string): Promise<Deployment>;
  /**
   * The primary steps down and another member follows it; rejects when none can. With `from` it does so only while
   * that member is primary, so that the call may be repeated.
   */
  failover(id: string, from?: string): Promise<Deployment>;
  setAccess(id: string, access: AccessSpec): Promise<Deployment>;
  /** Service time for the data plane: dates that databases make by themselves follow it. */
  setClock(setting: ClockSetting): Promise<void>;
  /** What members present from here on, where the engine was set up to speak TLS; rejects what cannot be used. */
  setTls(certificate: Certificate): Promise<void>;
}
