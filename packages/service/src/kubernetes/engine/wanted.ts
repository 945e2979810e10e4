import type { ProcessArguments, TlsProtocol } from '@portolan/engine/interface/engine';

/** A cluster as its row describes it, in the terms of the resource. */
export interface WantedCluster {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  /** Six characters that are unique to the cluster. */
  readonly mark: string;
  readonly paused: boolean;
  /** The major version, for example `8.0`. */
  readonly majorVersion: string;
  /** Whether the feature compatibility version stays as it is after an upgrade. */
  readonly isPinned: boolean;
  readonly isSharded: boolean;
  readonly shards: readonly WantedShard[];
  readonly diskGB: number;
  readonly arguments: ProcessArguments;
  readonly minimumTlsProtocol?: TlsProtocol | undefined;
  /** Ciphers for TLS 1.2 by their IANA names; absent for the default. */
  readonly ciphers?: readonly string[] | undefined;
  readonly redactsLogs?: boolean | undefined;
  /**
   * The backups that the operator makes; absent if it takes no snapshots. With `continuous`, it also archives the
   * oplog.
   */
  readonly backups?: { readonly continuous: boolean } | undefined;
}

interface WantedShard {
  /** The regions, by descending priority. */
  readonly regions: readonly WantedRegion[];
  readonly size: NodeSize;
  readonly analyticsSize: NodeSize;
}

export interface WantedRegion {
  /** The provider's own name, such as `eu-west-1`. */
  readonly name: string;
  readonly electable: number;
  readonly readOnly: number;
  readonly analytics: number;
}

export interface NodeSize {
  readonly processors: number;
  readonly memoryGB: number;
}

/** Settings of the service that apply to all clusters on Kubernetes. */
export interface ResourceSettings {
  /** The namespace of a project has this prefix, a hyphen, and the id of the project. */
  readonly namespacePrefix: string;
  /** Images of the servers by major version. */
  readonly images: Readonly<Record<string, string>>;
  /** The storage class of volumes; absent for the default one. */
  readonly storageClass?: string | undefined;
  /** How clients outside the Kubernetes cluster reach nodes. */
  readonly expose: 'none' | 'LoadBalancer';
  /** Whether nodes of clusters may be in any region, regardless of the labels of the Kubernetes nodes. */
  readonly anyNode: boolean;
  /** Whether deleting a cluster deletes its volumes. */
  readonly deletesVolumes: boolean;
  /** Where the operator stores snapshots; absent if no storage is configured. */
  readonly backups?: BackupSettings | undefined;
}

/** A bucket in which the operator can store snapshots. */
export interface BackupStorage {
  readonly type: 's3' | 'azure';
  /** The fields of the storage, such as `bucket`, under the names of the resource. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The content of the Kubernetes secret with the credentials; absent if the nodes need none. */
  readonly credentials?: Readonly<Record<string, string>> | undefined;
  /** A text that changes with the credentials, and from which they cannot be derived. */
  readonly credentialsVersion: string;
}

/** A bucket for the snapshots of one project, if the project has it as an export bucket. */
export interface ExportStorage extends BackupStorage {
  readonly projectId: string;
}

/** Where the operator stores snapshots. The fields of `BackupStorage` describe the bucket for all clusters. */
export interface BackupSettings extends BackupStorage {
  /** Image of the backup agents. */
  readonly image: string;
  readonly exportBuckets?: readonly ExportStorage[];
}

/** An export bucket of a project: a bucket at AWS, or a container of a storage account at Azure. */
export interface ExportBucket {
  readonly type: BackupStorage['type'];
  readonly bucket: string;
  readonly account?: string | undefined;
}

/** The image of backup agents of release 1.22 of the operator. */
export const defaultBackupImage = 'percona/percona-backup-mongodb:2.12.0';

/** Images that the releases 1.20 to 1.22 of the operator can run. */
export const defaultImages: Readonly<Record<string, string>> = {
  '6.0': 'percona/percona-server-mongodb:6.0.27-21',
  '7.0': 'percona/percona-server-mongodb:7.0.30-16',
  '8.0': 'percona/percona-server-mongodb:8.0.19-7',
};
