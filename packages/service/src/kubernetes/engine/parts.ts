import type { MachineClock } from '@portolan/foundation/clock';
import type { Log } from '@portolan/foundation/log';
import type { WantedAccess } from './accounts.ts';
import type { KubernetesApi } from './port.ts';
import type { ExportBucket, ResourceSettings, WantedCluster } from './wanted.ts';

/** The clusters in the store; they can change at any time. */
export interface Clusters {
  /** Ids of clusters that drivers should be able to reach. */
  running(): Promise<readonly string[]>;
  find(id: string): Promise<StoredCluster | undefined>;
  /** Returns the users and roles that the servers of a cluster should have. */
  access(id: string): Promise<WantedAccess>;
  /** Returns the export buckets of a project in which the operator could store snapshots, oldest first. */
  exportBuckets(projectId: string): Promise<readonly ExportBucket[]>;
  /** Records that the operator may create these users on the servers of a cluster. */
  recordUsers(id: string, names: readonly string[]): Promise<void>;
  /**
   * Called when the resource of a cluster may differ from the store: when another client has changed it, and when the
   * operator can apply users and roles that the servers lack.
   */
  changed(id: string): Promise<void>;
}

export interface StoredCluster {
  readonly wanted: WantedCluster;
  /** Whether the resource should match `wanted`. False while the cluster is being changed. */
  readonly isSettled: boolean;
  /** The revision of the users and roles that the servers have. */
  readonly accessRevision: number;
  readonly isDeleting: boolean;
}

/** A change of a resource by another client. */
export interface ForeignChange {
  readonly fields: readonly string[];
  /** The field managers that made the change, if the resource names them. */
  readonly managers: readonly string[];
}

export interface Parts {
  readonly api: KubernetesApi;
  readonly clusters: Clusters;
  readonly settings: ResourceSettings;
  readonly machine: MachineClock;
  readonly log: Log;
}
