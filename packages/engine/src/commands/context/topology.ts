import type { MemberAddress, MemberKind } from '../../interface/engine.ts';

/** The members of a cluster, as drivers see them. */
export interface Topology {
  readonly replicaSetName: string;
  /** The names of the shards' replica sets. Undefined if the cluster is not sharded. */
  readonly shardNames?: readonly string[] | undefined;
  readonly version: string;
  /** A number that every change of the members increments. */
  readonly configVersion: number;
  /** A number that every election increments. */
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
  /** A member that is `DOWN` accepts no connections. */
  readonly state: 'PRIMARY' | 'SECONDARY' | 'ROUTER' | 'DOWN';
}
