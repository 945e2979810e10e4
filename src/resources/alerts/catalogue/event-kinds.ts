import type { UnitSet } from './units.ts';

/** The thresholds of events that compare one number. */
export interface PlainThreshold {
  readonly operators: readonly Operator[];
  readonly units: UnitSet;
  /** What is meant where a threshold names no units. */
  readonly unit: string;
}

type Operator = 'GREATER_THAN' | 'LESS_THAN';

/**
 * What the configurations of some event types have in common: the fields by which matchers choose a target (any field,
 * where none are listed), and the threshold that they need. `metric` stands for a metric of that family, in the field
 * `metricThreshold`, of stream processors in `threshold`.
 */
export interface EventKind {
  readonly events: Readonly<Record<string, string>>;
  readonly matchers?: readonly string[];
  readonly metric?: 'host' | 'serverless' | 'flex' | 'streams';
  readonly threshold?: PlainThreshold;
}

const HOST_FIELDS = ['TYPE_NAME', 'HOSTNAME', 'PORT', 'HOSTNAME_AND_PORT', 'REPLICA_SET_NAME'];
const REPLICA_SET_FIELDS = ['REPLICA_SET_NAME', 'SHARD_NAME', 'CLUSTER_NAME'];
const CLUSTER_FIELDS = ['CLUSTER_NAME', 'SHARD_NAME'];
const STREAM_FIELDS = ['INSTANCE_NAME', 'PROCESSOR_NAME'];
const APPLICATION_FIELDS = ['APPLICATION_ID'];

const above = (units: UnitSet, unit: string): PlainThreshold => ({
  operators: ['GREATER_THAN'],
  units,
  unit,
});
const below = (units: UnitSet, unit: string): PlainThreshold => ({ operators: ['LESS_THAN'], units, unit });
const either = (units: UnitSet, unit: string): PlainThreshold => ({
  operators: ['GREATER_THAN', 'LESS_THAN'],
  units,
  unit,
});

const providers = ['AWS', 'AZURE', 'GCP'];

/** One entry for each cloud provider. */
function perProvider(name: (provider: string) => string, text: (provider: string) => string) {
  return Object.fromEntries(providers.map((provider) => [name(provider), text(provider)]));
}

const tiers = { BASE: 'base', ANALYTICS: 'analytics' };

/** One entry for base and for analytics nodes. */
function perTier(name: string, text: string) {
  return Object.fromEntries(
    Object.entries(tiers).map(([tier, of]) => [`${name}_${tier}`, `${text} (${of} nodes)`]),
  );
}

/**
 * Every event type that a configuration may name (contract 6; behaviour reference 8.4), by kind. The first thirteen are
 * the families of the contract.
 */
export const eventKinds = {
  billing: { events: { CREDIT_CARD_ABOUT_TO_EXPIRE: 'Credit card is about to expire' } },
  cloudBackup: {
    events: {
      CPS_SNAPSHOT_STARTED: 'Snapshot was begun',
      CPS_SNAPSHOT_SUCCESSFUL: 'Snapshot was taken',
      CPS_SNAPSHOT_FAILED: 'Snapshot failed',
      CPS_CONCURRENT_SNAPSHOT_FAILED_WILL_RETRY: 'Snapshot beside another one failed and is tried again',
      CPS_SNAPSHOT_FALLBACK_SUCCESSFUL: 'Fallback snapshot was taken',
      CPS_SNAPSHOT_FALLBACK_FAILED: 'Fallback snapshot failed',
      CPS_COPY_SNAPSHOT_STARTED: 'Copy of a snapshot was begun',
      CPS_COPY_SNAPSHOT_FAILED: 'Copy of a snapshot failed',
      CPS_COPY_SNAPSHOT_FAILED_WILL_RETRY: 'Copy of a snapshot failed and is tried again',
      CPS_COPY_SNAPSHOT_SUCCESSFUL: 'Snapshot was copied',
      CPS_RESTORE_SUCCESSFUL: 'Restore ended well',
      CPS_EXPORT_SUCCESSFUL: 'Export of a snapshot ended well',
      CPS_RESTORE_FAILED: 'Restore failed',
      CPS_EXPORT_FAILED: 'Export of a snapshot failed',
      CPS_AUTO_EXPORT_FAILED: 'Automatic export of a snapshot failed',
      CPS_SNAPSHOT_DOWNLOAD_REQUEST_FAILED: 'Download of a snapshot failed',
      CPS_OPLOG_CAUGHT_UP: 'Archive of the oplog caught up',
    },
  },
  dataProtection: {
    events: {
      CPS_DATA_PROTECTION_ENABLE_REQUESTED: 'Backup compliance policy was asked for',
      CPS_DATA_PROTECTION_ENABLED: 'Backup compliance policy was enabled',
      CPS_DATA_PROTECTION_UPDATE_REQUESTED: 'Change of the backup compliance policy was asked for',
      CPS_DATA_PROTECTION_UPDATED: 'Backup compliance policy was changed',
      CPS_DATA_PROTECTION_DISABLE_REQUESTED: 'End of the backup compliance policy was asked for',
      CPS_DATA_PROTECTION_DISABLED: 'Backup compliance policy was disabled',
      CPS_DATA_PROTECTION_APPROVED_FOR_DISABLEMENT: 'Backup compliance policy may be disabled',
    },
  },
  searchIndex: {
    events: {
      FTS_INDEX_DELETION_FAILED: 'Deletion of a search index failed',
      FTS_INDEX_BUILD_COMPLETE: 'Search index was built',
      FTS_INDEX_BUILD_FAILED: 'Build of a search index failed',
      FTS_INDEXES_RESTORE_FAILED: 'Restore of search indexes failed',
      FTS_INDEXES_SYNONYM_MAPPING_INVALID: 'Synonyms of a search index are not valid',
    },
  },
  group: {
    events: {
      USERS_WITHOUT_MULTI_FACTOR_AUTH: 'Users have no second factor',
      ENCRYPTION_AT_REST_KMS_NETWORK_ACCESS_DENIED: 'Key provider cannot be reached',
      ENCRYPTION_AT_REST_CONFIG_NO_LONGER_VALID: 'Key provider does not give the key any more',
    },
  },
  databaseAudit: {
    events: {
      CLUSTER_INSTANCE_STOP_START: 'Instance was stopped or started',
      CLUSTER_INSTANCE_RESYNC_REQUESTED: 'New sync of an instance was asked for',
      CLUSTER_INSTANCE_UPDATE_REQUESTED: 'Update of an instance was asked for',
      SAMPLE_DATASET_LOAD_REQUESTED: 'Sample data was asked for',
      TENANT_UPGRADE_TO_SERVERLESS_SUCCESSFUL: 'Shared cluster became a serverless instance',
      TENANT_UPGRADE_TO_SERVERLESS_FAILED: 'Shared cluster could not become a serverless instance',
      NETWORK_PERMISSION_ENTRY_ADDED: 'Address was added to the access list',
      NETWORK_PERMISSION_ENTRY_REMOVED: 'Address was removed from the access list',
      NETWORK_PERMISSION_ENTRY_UPDATED: 'Address on the access list was changed',
      CLUSTER_BLOCK_WRITE: 'Writes to the cluster are blocked',
      CLUSTER_UNBLOCK_WRITE: 'Writes to the cluster are possible again',
    },
  },
  maintenanceWindow: {
    events: {
      MAINTENANCE_IN_ADVANCED: 'Maintenance is ahead',
      MAINTENANCE_AUTO_DEFERRED: 'Maintenance was put off',
      MAINTENANCE_STARTED: 'Maintenance began',
      MAINTENANCE_NO_LONGER_NEEDED: 'Maintenance is not needed any more',
    },
  },
  onlineArchive: {
    events: {
      ONLINE_ARCHIVE_INSUFFICIENT_INDEXES_CHECK: 'Indexes are missing for an online archive',
      ONLINE_ARCHIVE_MAX_CONSECUTIVE_OFFLOAD_WINDOWS_CHECK: 'Online archive does not keep up',
    },
  },
  user: {
    events: {
      JOINED_GROUP: 'User joined the project',
      REMOVED_FROM_GROUP: 'User left the project or was removed from it',
      USER_ROLES_CHANGED_AUDIT: 'Roles of the user were changed',
    },
  },
  resource: {
    events: {
      TAGS_MODIFIED: 'Tags were modified',
      CLUSTER_TAGS_MODIFIED: 'Tags of the cluster were modified',
      GROUP_TAGS_MODIFIED: 'Tags of the project were modified',
    },
  },
  streamProcessor: {
    events: { STREAM_PROCESSOR_STATE_IS_FAILED: 'Stream processor failed' },
    matchers: STREAM_FIELDS,
  },
  autoScaling: {
    events: {
      ...perTier('COMPUTE_AUTO_SCALE_INITIATED', 'Another instance size was begun'),
      ...perTier('COMPUTE_AUTO_SCALE_SCALE_DOWN_FAIL', 'Smaller instance size was not possible'),
      ...perTier('COMPUTE_AUTO_SCALE_MAX_INSTANCE_SIZE_FAIL', 'Largest instance size is reached'),
      ...perTier('COMPUTE_AUTO_SCALE_OPLOG_FAIL', 'Instance size was not changed because of the oplog'),
      DISK_AUTO_SCALE_INITIATED: 'Larger disk was begun',
      DISK_AUTO_SCALE_MAX_DISK_SIZE_FAIL: 'Largest disk is reached',
      DISK_AUTO_SCALE_OPLOG_FAIL: 'Disk was not changed because of the oplog',
      PREDICTIVE_COMPUTE_AUTO_SCALE_INITIATED_BASE: 'Another instance size was begun ahead of load',
      PREDICTIVE_COMPUTE_AUTO_SCALE_MAX_INSTANCE_SIZE_FAIL_BASE:
        'Largest instance size is reached ahead of load',
      PREDICTIVE_COMPUTE_AUTO_SCALE_OPLOG_FAIL_BASE: 'Instance size was not changed ahead of load',
    },
  },
  resourcePolicy: { events: { RESOURCE_POLICY_VIOLATED: 'Resource policy was violated' } },
  host: {
    events: {
      HOST_DOWN: 'Host is down',
      HOST_HAS_INDEX_SUGGESTIONS: 'Host has suggestions of indexes',
      HOST_MONGOT_CRASHING_OOM: 'Search process has run out of memory',
      HOST_MONGOT_STOP_REPLICATION: 'Search process has stopped to replicate',
      HOST_MONGOT_APPROACHING_STOP_REPLICATION: 'Search process is about to stop to replicate',
      HOST_SEARCH_NODE_INDEX_FAILED: 'Search node could not build an index',
      FTS_INDEX_STALE: 'Search index is behind its collection',
      HOST_NOT_ENOUGH_DISK_SPACE: 'Host is short of disk space',
      SSH_KEY_NDS_HOST_ACCESS_REQUESTED: 'Access to the host was asked for',
      SSH_KEY_NDS_HOST_ACCESS_REFRESHED: 'Access to the host was prolonged',
      PUSH_BASED_LOG_EXPORT_STOPPED: 'Export of logs has stopped',
      PUSH_BASED_LOG_EXPORT_DROPPED_LOG: 'Export of logs has dropped a log',
      HOST_VERSION_BEHIND: 'Host does not run the newest patch',
      VERSION_BEHIND: 'Database does not run the newest version',
      HOST_EXPOSED: 'Host can be reached from everywhere',
      HOST_SSL_CERTIFICATE_STALE: 'Certificate of the host runs out soon',
      HOST_SECURITY_CHECKUP_NOT_MET: 'Host does not meet a check of security',
    },
    matchers: HOST_FIELDS,
  },
  hostMetric: {
    events: { OUTSIDE_METRIC_THRESHOLD: 'Metric of a host is beyond its threshold' },
    matchers: HOST_FIELDS,
    metric: 'host',
  },
  serverlessMetric: {
    events: {
      OUTSIDE_SERVERLESS_METRIC_THRESHOLD: 'Metric of a serverless instance is beyond its threshold',
    },
    matchers: CLUSTER_FIELDS,
    metric: 'serverless',
  },
  flexMetric: {
    events: { OUTSIDE_FLEX_METRIC_THRESHOLD: 'Metric of a flex cluster is beyond its threshold' },
    matchers: CLUSTER_FIELDS,
    metric: 'flex',
  },
  streamProcessorMetric: {
    events: {
      OUTSIDE_STREAM_PROCESSOR_METRIC_THRESHOLD: 'Metric of a stream processor is beyond its threshold',
    },
    matchers: STREAM_FIELDS,
    metric: 'streams',
  },
  replicaSet: {
    events: {
      NO_PRIMARY: 'Replica set has no primary',
      PRIMARY_ELECTED: 'Replica set has elected a primary',
    },
    matchers: REPLICA_SET_FIELDS,
  },
  replicaSetCount: {
    events: {
      TOO_MANY_ELECTIONS: 'Replica set has too many elections',
      TOO_FEW_HEALTHY_MEMBERS: 'Replica set has too few healthy members',
      TOO_MANY_UNHEALTHY_MEMBERS: 'Replica set has too many unhealthy members',
    },
    matchers: REPLICA_SET_FIELDS,
    threshold: either('raw', 'RAW'),
  },
  oplogWindow: {
    events: { REPLICATION_OPLOG_WINDOW_RUNNING_OUT: 'Oplog holds too short a time' },
    matchers: REPLICA_SET_FIELDS,
    threshold: either('time', 'HOURS'),
  },
  cluster: {
    events: { CLUSTER_MONGOS_IS_MISSING: 'Cluster has no router' },
    matchers: CLUSTER_FIELDS,
  },
  billingAmount: {
    events: {
      PENDING_INVOICE_OVER_THRESHOLD: 'Pending invoice is over its threshold',
      DAILY_BILL_OVER_THRESHOLD: 'Bill of a day is over its threshold',
    },
    threshold: above('raw', 'RAW'),
  },
  backupAge: {
    events: {
      CPS_SNAPSHOT_BEHIND: 'Snapshots are behind their schedule',
      CPS_PREV_SNAPSHOT_OLD: 'Last snapshot is too old',
      CPS_OPLOG_BEHIND: 'Archive of the oplog is behind',
    },
    threshold: above('time', 'HOURS'),
  },
  encryptionKey: {
    events: {
      ...perProvider(
        (provider) => `${provider}_ENCRYPTION_KEY_NEEDS_ROTATION`,
        (provider) => `Encryption key at ${provider} has not been rotated for long`,
      ),
      ...perProvider(
        (provider) => `${provider}_ENCRYPTION_KEY_INVALID`,
        (provider) => `Encryption key at ${provider} is not valid`,
      ),
    },
    threshold: above('time', 'DAYS'),
  },
  certificateExpiry: {
    events: {
      NDS_X509_USER_AUTHENTICATION_CUSTOMER_CA_EXPIRATION_CHECK:
        "Certificate of the project's authority runs out",
      NDS_X509_USER_AUTHENTICATION_CUSTOMER_CRL_EXPIRATION_CHECK:
        "Revocations of the project's authority run out",
      NDS_X509_USER_AUTHENTICATION_MANAGED_USER_CERTS_EXPIRATION_CHECK:
        'Certificates of database users run out',
    },
    threshold: below('time', 'DAYS'),
  },
  application: {
    events: {
      URL_CONFIRMATION: 'Address was confirmed',
      SUCCESSFUL_DEPLOY: 'Application was deployed',
      DEPLOYMENT_FAILURE: 'Deployment of an application failed',
      REQUEST_RATE_LIMIT: 'Application has reached its rate of requests',
      LOG_FORWARDER_FAILURE: 'Forwarding of logs failed',
      SYNC_FAILURE: 'Sync failed',
      TRIGGER_FAILURE: 'Trigger failed',
      TRIGGER_AUTO_RESUMED: 'Trigger was resumed',
      DEPLOYMENT_MODEL_CHANGE_SUCCESS: 'Model of deployment was changed',
      DEPLOYMENT_MODEL_CHANGE_FAILURE: 'Model of deployment could not be changed',
    },
    matchers: APPLICATION_FIELDS,
  },
  applicationMetric: {
    events: { OUTSIDE_REALM_METRIC_THRESHOLD: 'Metric of an application is beyond its threshold' },
    matchers: APPLICATION_FIELDS,
    metric: 'host',
  },
} as const satisfies Readonly<Record<string, EventKind>>;

const kindOfEvent = new Map<string, EventKind>(
  Object.values<EventKind>(eventKinds).flatMap((kind) =>
    Object.keys(kind.events).map((name) => [name, kind]),
  ),
);

/** The kind of an event type that a configuration may name. */
export function eventKindOf(eventType: string): EventKind | undefined {
  return kindOfEvent.get(eventType);
}

/** Descriptions of all event types that configurations may name. */
export const alertableEvents: Readonly<Record<string, string>> = Object.assign(
  {},
  ...Object.values<EventKind>(eventKinds).map(({ events }) => events),
);

/** The names of fields that matchers may name, as the reference lists them (8.5). */
export const matcherFieldNames = [
  'PLATFORM_NODE_TYPE',
  'CLUSTER_NAME',
  'HOSTNAME',
  'PORT',
  'HOSTNAME_AND_PORT',
  'APPLICATION_ID',
  'REPLICA_SET_NAME',
  'TYPE_NAME',
  'SHARD_NAME',
] as const;

/** What a host is, as matchers of `TYPE_NAME` say it. */
export const hostTypes = ['STANDALONE', 'PRIMARY', 'SECONDARY', 'ARBITER', 'MONGOS', 'CONFIG'] as const;
