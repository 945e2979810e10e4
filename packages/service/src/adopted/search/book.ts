/**
 * A search index that the service has created or changed on the servers of a deployment. The servers choose ids and
 * count versions themselves.
 */
export interface SearchRecord {
  /** The id in the API. */
  readonly id: string;
  /** The id on the servers. */
  readonly serverId: string;
  /** The last definition that the service has sent: its version in the API, and its version on the servers. */
  readonly version: number;
  readonly serverVersion: number;
}

/** The records of the search indexes of deployments. */
export interface SearchBook {
  of(deploymentId: string): Promise<readonly SearchRecord[]>;
  /** Stores a record in place of the record with the same id. */
  save(deploymentId: string, record: SearchRecord): Promise<void>;
  remove(deploymentId: string, id: string): Promise<void>;
}
