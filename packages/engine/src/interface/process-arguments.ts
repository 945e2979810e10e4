/**
 * The server options of a deployment. Null or an absent field means the default. Options without a meaning in an engine
 * are only stored and returned.
 */
export interface ProcessArguments {
  /**
   * The time in seconds after which pre-images and post-images expire. With -1, they expire together with their oplog
   * entries.
   */
  readonly changeStreamOptionsPreAndPostImagesExpireAfterSeconds?: number;
  readonly chunkMigrationConcurrency?: number;
  readonly customOpensslCipherConfigTls12?: readonly string[];
  /** The time limit in milliseconds of reads that do not set a limit. The value 0 means no limit. */
  readonly defaultMaxTimeMS?: number;
  readonly defaultReadConcern?: 'available' | 'local';
  /** `majority`, or a number of members as a string. */
  readonly defaultWriteConcern?: string;
  readonly javascriptEnabled?: boolean;
  readonly minimumEnabledTlsProtocol?: TlsProtocol;
  readonly noTableScan?: boolean;
  readonly oplogMinRetentionHours?: number | null;
  readonly oplogSizeMB?: number | null;
  readonly queryStatsLogVerbosity?: number;
  readonly sampleRefreshIntervalBIConnector?: number;
  readonly sampleSizeBIConnector?: number;
  readonly tlsCipherConfigMode?: 'CUSTOM' | 'DEFAULT';
  readonly transactionLifetimeLimitSeconds?: number;
}

export type TlsProtocol = 'TLS1_0' | 'TLS1_1' | 'TLS1_2' | 'TLS1_3';

/** A process argument, or the feature compatibility version, that servers have refused, with the reason. */
export interface RefusedArgument {
  readonly name: keyof ProcessArguments | 'featureCompatibilityVersion';
  readonly reason: string;
}
