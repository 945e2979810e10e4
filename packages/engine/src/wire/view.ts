import type { AccessSpec, MemberSpec, TlsProtocol, WireFault } from '../interface/engine.ts';
import type { OwnUsers } from '../worker/protocol.ts';

/** The port of a member that has none yet. */
export const UNKNOWN_PORT = 0;

/** What a connection thread knows about a cluster: all it needs to greet, authenticate and reject drivers. */
export interface ClusterView {
  readonly clusterId: string;
  readonly replicaSetName: string;
  readonly shardNames?: readonly string[];
  /** `8.0` */
  readonly majorVersion: string;
  readonly members: readonly MemberView[];
  /** Version of the replica set's configuration; increases with every change of members. */
  readonly configVersion: number;
  /** Increases with every election. */
  readonly term: number;
  /** The service manages users, so commands that change them are rejected. */
  readonly managed: boolean;
  readonly access: AccessSpec;
  /** Users that commands created, as known to the host. */
  readonly own?: OwnUsers;
  readonly minimumTlsProtocol?: TlsProtocol;
  /** Maximum number of connections of each member. */
  readonly mostConnections?: number;
  /** Whether the cluster keeps an audit stream. */
  readonly auditing?: boolean;
  /** Faults that the operator has declared. */
  readonly faults?: readonly WireFault[];
  /** Source of the verifiers of unknown users. */
  readonly decoySecret: string;
}

export interface MemberView extends MemberSpec {
  /** The host name that drivers are given. */
  readonly host: string;
  /** Further host names, in the same order for every member; a driver that uses one is given all members in that form. */
  readonly otherHosts?: readonly string[];
  readonly port: number;
  /** `LEAVING`: removed, but still reported until drivers have switched to others. */
  readonly state: MemberState | 'LEAVING';
}

/** `DOWN`: it accepts no connections. */
export type MemberState = 'PRIMARY' | 'SECONDARY' | 'ROUTER' | 'DOWN';
