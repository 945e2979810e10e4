import type { MemberAddress, MemberKind } from '../../interface/engine.ts';

/** The members of a cluster, as drivers see them. */
export interface Topology {
  readonly replicaSetName: string;
  /** The replica set of each shard, for a sharded cluster. */
  readonly shardNames?: readonly string[] | undefined;
  readonly version: string;
  /** Incremented with every change of members. */
  readonly configVersion: number;
  /** Incremented with every election. */
  readonly term: number;
  readonly members: readonly ClusterMember[];
}

export interface ClusterMember extends MemberAddress {
  readonly shard: number;
  readonly kind: MemberKind;
  readonly priority: number;
  readonly hidden?: boolean;
  readonly provider: string;
  readonly region: string;
  /** `DOWN`: it accepts no connections. */
  readonly state: 'PRIMARY' | 'SECONDARY' | 'ROUTER' | 'DOWN';
}
