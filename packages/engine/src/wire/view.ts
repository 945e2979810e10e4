import type { AccessSpec, MemberSpec, TlsProtocol, WireFault } from '../interface/engine.ts';
import type { OwnUsers } from '../worker/protocol.ts';

/** What a connection thread knows about a cluster: enough to greet drivers, log them in and turn them away. */
export interface ClusterView {
  readonly clusterId: string;
  readonly replicaSetName: string;
  readonly shardNames?: readonly string[];
  /** `8.0` */
  readonly majorVersion: string;
  readonly members: readonly MemberView[];
  /** Version of the replica set's configuration; grows with every change of members. */
  readonly configVersion: number;
  /** Grows with every election. */
  readonly term: number;
  /** Users are managed by the service, so commands that change them are refused. */
  readonly managed: boolean;
  readonly access: AccessSpec;
  /** Users that commands have made, as far as the host knows. */
  readonly own?: OwnUsers;
  readonly minimumTlsProtocol?: TlsProtocol;
  /** How many connections each member takes. */
  readonly mostConnections?: number;
  /** An audit stream is kept. */
  readonly auditing?: boolean;
  /** What commands meet because the operator wants it so. */
  readonly faults?: readonly WireFault[];
  /** What the verifiers of unknown users are derived from. */
  readonly decoySecret: string;
}

export interface MemberView extends MemberSpec {
  /** As drivers are told to reach it. */
  readonly host: string;
  /** By which they may come too, in the same order for every member; they are told of all in that form then. */
  readonly otherHosts?: readonly string[];
  readonly port: number;
  /** `LEAVING`: no member any more, and told of until drivers have turned to others. */
  readonly state: MemberState | 'LEAVING';
}

/** `DOWN`: it accepts no connections. */
export type MemberState = 'PRIMARY' | 'SECONDARY' | 'ROUTER' | 'DOWN';
