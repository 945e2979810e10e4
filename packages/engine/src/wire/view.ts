import type { AccessSpec, MemberSpec, TlsProtocol, WireFault } from '../interface/engine.ts';
import type { OwnUsers } from '../worker/protocol.ts';

/** The port of a member that has no port yet. */
export const UNKNOWN_PORT = 0;

/**
 * The view of a cluster in a connection thread: everything that the thread needs to greet, authenticate or reject
 * drivers.
 */
export interface ClusterView {
  readonly clusterId: string;
  readonly replicaSetName: string;
  readonly shardNames?: readonly string[];
  /** The major version, for example `8.0`. */
  readonly majorVersion: string;
  readonly members: readonly MemberView[];
  /** The version of the replica set's configuration, which every change of the members increments. */
  readonly configVersion: number;
  /** A number that every election increments. */
  readonly term: number;
  /** True if the service manages the users, so that commands that change users are rejected. */
  readonly managed: boolean;
  readonly access: AccessSpec;
  /** The users that commands created, if the host has received them. */
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
   * Further host names, in the same order for every member. A driver that connects by one of them receives names of the
   * same kind for all members.
   */
  readonly otherHosts?: readonly string[];
  readonly port: number;
  /** `LEAVING`: the member was removed, but is still reported until drivers have switched to other members. */
  readonly state: MemberState | 'LEAVING';
}

/** A member that is `DOWN` accepts no connections. */
export type MemberState = 'PRIMARY' | 'SECONDARY' | 'ROUTER' | 'DOWN';
