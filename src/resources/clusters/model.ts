import type { Provider } from './data/regions.ts';
import type { ClusterState } from './rules.ts';

/**
 * A cluster apart from any body shape: nodes by zone, region and provider. Every version's shape is written from this
 * and read into it.
 */
export interface ClusterModel {
  readonly id: string;
  readonly groupId: string;
  readonly name: string;
  readonly state: ClusterState;
  readonly created: Date;
  readonly paused: boolean;
  /** When it was last resumed. */
  readonly resumed?: Date | undefined;
  readonly spec: ClusterSpec;
  /** Counts the changes of `spec` and `paused`; a task that applied an older one leaves the state alone. */
  readonly generation: number;
  readonly placement: Placement;
  /** The revision of the project's users and addresses that its nodes enforce. */
  readonly accessRevision: number;
  /** The engine host that runs it. */
  readonly host: string;
}

export type ClusterType = 'REPLICASET' | 'SHARDED' | 'GEOSHARDED';

export interface ClusterSpec {
  readonly clusterType: ClusterType;
  readonly zones: readonly Zone[];
  readonly instanceSize: string;
  readonly tenant: boolean;
  readonly diskSizeGB: number;
  readonly diskIOPS?: number | undefined;
  readonly volumeType?: 'STANDARD' | 'PROVISIONED' | undefined;
  readonly majorVersion: string;
  /** Fields that are kept and answered as they were given. */
  readonly kept: KeptFields;
}

export interface Zone {
  readonly id: string;
  readonly name: string;
  readonly numShards: number;
  /** By falling priority. */
  readonly regions: readonly RegionNodes[];
}

export interface RegionNodes {
  readonly provider: Provider;
  readonly region: string;
  readonly priority: number;
  readonly electable: number;
  readonly readOnly: number;
  readonly analytics: number;
}

/** Settings without an effect on the nodes of the deployment, in the contract's words. */
export type KeptFields = Readonly<Record<string, unknown>>;

/** What the engine made of it, and the texts that its host names hold. */
export interface Placement {
  /** Six characters, fixed per cluster: part of the replica set's name. */
  readonly mark: string;
  readonly members: readonly PlacedMember[];
  /** When the list of members last changed; absent until the first deployment. */
  readonly updated?: string;
  /** Why the deployment cannot run. */
  readonly problem?: string;
}

export interface PlacedMember {
  readonly id: string;
  readonly host: string;
  readonly port: number;
}

export function replicaSetName(mark: string, shard: number): string {
  return `platform-${mark}-shard-${shard}`;
}
