import type { AccessSpec, MemberSpec, TlsProtocol, WireFault } from '../interface/engine.ts';
import type { OwnUsers } from '../worker/protocol.ts';

/** The port of a member to which no port has been assigned yet. */
export const UNKNOWN_PORT = 0;

/** The data of a cluster that a connection thread needs to reply to `hello`, and to authenticate or reject drivers. */
export interface ClusterView {
  readonly clusterId: string;
  readonly replicaSetName: string;
  readonly shardNames?: readonly string[];
  /** The major version, for example `8.0`. */
  readonly majorVersion: string;
  readonly members: readonly MemberView[];
  /** The version of the replica set's configuration. It is incremented by every change of the members. */
  readonly configVersion: number;
  /** A number that is incremented by every election. */
  readonly term: number;
  /** True if the service manages the users. Commands that change users are then rejected. */
  readonly managed: boolean;
  readonly access: AccessSpec;
  /** The users that commands have created. Absent until the host has received them. */
  readonly own?: OwnUsers;
  readonly minimumTlsProtocol?: TlsProtocol;
  /** Maximum number of connections per member. */
  readonly mostConnections?: number;
  /** True if the cluster has an audit stream. */
  readonly auditing?: boolean;
  /** The faults that the operator has declared. */
  readonly faults?: readonly WireFault[];
  /** The secret from which the verifiers of unknown users are derived. */
  readonly decoySecret: string;
}

export interface MemberView extends MemberSpec {
  /** The host name in replies to drivers. */
  readonly host: string;
  /**
   * Further host names, in the same order for every member. A driver that has connected by one of these names receives
   * the names of all members at the same index.
   */
  readonly otherHosts?: readonly string[];
  readonly port: number;
  /** `LEAVING`: the member was removed. It is still reported until drivers have switched to other members. */
  readonly state: MemberState | 'LEAVING';
}

/** A member that is `DOWN` accepts no connections. */
export type MemberState = 'PRIMARY' | 'SECONDARY' | 'ROUTER' | 'DOWN';
