import type { UnitSet } from './units.ts';

/** The allowed thresholds of events that compare one number. */
export interface PlainThreshold {
  readonly operators: readonly Operator[];
  readonly units: UnitSet;
  /** The default unit of a threshold. */
  readonly unit: string;
}

type Operator = 'GREATER_THAN' | 'LESS_THAN';

/**
 * The rules for configurations of some event types: the fields that matchers may use, and the required threshold. If no
 * fields are listed, matchers may use any field. If `metric` is set, a configuration must have a `metricThreshold` for
 * a metric of this family. Configurations about stream processors are an exception: they have a `threshold` instead.
 */
export interface EventKind {
  readonly events: readonly string[];
  readonly matchers?: readonly string[];
  readonly metric?: 'host' | 'serverless' | 'flex' | 'streams';
  readonly threshold?: PlainThreshold;
}

const HOST_FIELDS = [
  ...['TYPE_NAME', 'HOSTNAME', 'PORT', 'HOSTNAME_AND_PORT', 'REPLICA_SET_NAME'],
  ...['CLUSTER_NAME', 'PLATFORM_NODE_TYPE'],
];
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

/**
 * Every event type that a configuration may use (docs/contract/api.md 6; docs/contract/access.md 8.4), by kind. The
 * family that records an event type declares its text. The first thirteen kinds are the groups of the contract.
 */
export const eventKinds = {
  billing: { events: ['CREDIT_CARD_ABOUT_TO_EXPIRE'] },
  cloudBackup: {
    events: [
      'CPS_SNAPSHOT_STARTED',
      'CPS_SNAPSHOT_SUCCESSFUL',
      'CPS_SNAPSHOT_FAILED',
      'CPS_CONCURRENT_SNAPSHOT_FAILED_WILL_RETRY',
      'CPS_SNAPSHOT_FALLBACK_SUCCESSFUL',
      'CPS_SNAPSHOT_FALLBACK_FAILED',
      'CPS_COPY_SNAPSHOT_STARTED',
      'CPS_COPY_SNAPSHOT_FAILED',
      'CPS_COPY_SNAPSHOT_FAILED_WILL_RETRY',
      'CPS_COPY_SNAPSHOT_SUCCESSFUL',
      'CPS_RESTORE_SUCCESSFUL',
      'CPS_EXPORT_SUCCESSFUL',
      'CPS_RESTORE_FAILED',
      'CPS_EXPORT_FAILED',
      'CPS_AUTO_EXPORT_FAILED',
      'CPS_SNAPSHOT_DOWNLOAD_REQUEST_FAILED',
      'CPS_OPLOG_CAUGHT_UP',
    ],
  },
  dataProtection: {
    events: [
      'CPS_DATA_PROTECTION_ENABLE_REQUESTED',
      'CPS_DATA_PROTECTION_ENABLED',
      'CPS_DATA_PROTECTION_UPDATE_REQUESTED',
      'CPS_DATA_PROTECTION_UPDATED',
      'CPS_DATA_PROTECTION_DISABLE_REQUESTED',
      'CPS_DATA_PROTECTION_DISABLED',
      'CPS_DATA_PROTECTION_APPROVED_FOR_DISABLEMENT',
    ],
  },
  searchIndex: {
    events: [
      'FTS_INDEX_DELETION_FAILED',
      'FTS_INDEX_BUILD_COMPLETE',
      'FTS_INDEX_BUILD_FAILED',
      'FTS_INDEXES_RESTORE_FAILED',
      'FTS_INDEXES_SYNONYM_MAPPING_INVALID',
    ],
  },
  group: {
    events: [
      'USERS_WITHOUT_MULTI_FACTOR_AUTH',
      'ENCRYPTION_AT_REST_KMS_NETWORK_ACCESS_DENIED',
      'ENCRYPTION_AT_REST_CONFIG_NO_LONGER_VALID',
    ],
  },
  databaseAudit: {
    events: [
      'CLUSTER_INSTANCE_STOP_START',
      'CLUSTER_INSTANCE_RESYNC_REQUESTED',
      'CLUSTER_INSTANCE_UPDATE_REQUESTED',
      'SAMPLE_DATASET_LOAD_REQUESTED',
      'TENANT_UPGRADE_TO_SERVERLESS_SUCCESSFUL',
      'TENANT_UPGRADE_TO_SERVERLESS_FAILED',
      'NETWORK_PERMISSION_ENTRY_ADDED',
      'NETWORK_PERMISSION_ENTRY_REMOVED',
      'NETWORK_PERMISSION_ENTRY_UPDATED',
      'CLUSTER_BLOCK_WRITE',
      'CLUSTER_UNBLOCK_WRITE',
    ],
  },
  maintenanceWindow: {
    events: [
      'MAINTENANCE_IN_ADVANCED',
      'MAINTENANCE_AUTO_DEFERRED',
      'MAINTENANCE_STARTED',
      'MAINTENANCE_NO_LONGER_NEEDED',
    ],
  },
  onlineArchive: {
    events: [
      'ONLINE_ARCHIVE_INSUFFICIENT_INDEXES_CHECK',
      'ONLINE_ARCHIVE_MAX_CONSECUTIVE_OFFLOAD_WINDOWS_CHECK',
    ],
  },
  user: {
    events: ['JOINED_GROUP', 'REMOVED_FROM_GROUP', 'USER_ROLES_CHANGED_AUDIT'],
  },
  resource: {
    events: ['TAGS_MODIFIED', 'CLUSTER_TAGS_MODIFIED', 'GROUP_TAGS_MODIFIED'],
  },
  streamProcessor: {
    events: ['STREAM_PROCESSOR_STATE_IS_FAILED'],
    matchers: STREAM_FIELDS,
  },
  autoScaling: {
    events: [
      'COMPUTE_AUTO_SCALE_INITIATED_BASE',
      'COMPUTE_AUTO_SCALE_INITIATED_ANALYTICS',
      'COMPUTE_AUTO_SCALE_SCALE_DOWN_FAIL_BASE',
      'COMPUTE_AUTO_SCALE_SCALE_DOWN_FAIL_ANALYTICS',
      'COMPUTE_AUTO_SCALE_MAX_INSTANCE_SIZE_FAIL_BASE',
      'COMPUTE_AUTO_SCALE_MAX_INSTANCE_SIZE_FAIL_ANALYTICS',
      'COMPUTE_AUTO_SCALE_OPLOG_FAIL_BASE',
      'COMPUTE_AUTO_SCALE_OPLOG_FAIL_ANALYTICS',
      'DISK_AUTO_SCALE_INITIATED',
      'DISK_AUTO_SCALE_MAX_DISK_SIZE_FAIL',
      'DISK_AUTO_SCALE_OPLOG_FAIL',
      'PREDICTIVE_COMPUTE_AUTO_SCALE_INITIATED_BASE',
      'PREDICTIVE_COMPUTE_AUTO_SCALE_MAX_INSTANCE_SIZE_FAIL_BASE',
      'PREDICTIVE_COMPUTE_AUTO_SCALE_OPLOG_FAIL_BASE',
    ],
  },
  resourcePolicy: { events: ['RESOURCE_POLICY_VIOLATED'] },
  host: {
    events: [
      'HOST_DOWN',
      'HOST_HAS_INDEX_SUGGESTIONS',
      'HOST_MONGOT_CRASHING_OOM',
      'HOST_MONGOT_STOP_REPLICATION',
      'HOST_MONGOT_APPROACHING_STOP_REPLICATION',
      'HOST_SEARCH_NODE_INDEX_FAILED',
      'FTS_INDEX_STALE',
      'HOST_NOT_ENOUGH_DISK_SPACE',
      'SSH_KEY_NDS_HOST_ACCESS_REQUESTED',
      'SSH_KEY_NDS_HOST_ACCESS_REFRESHED',
      'PUSH_BASED_LOG_EXPORT_STOPPED',
      'PUSH_BASED_LOG_EXPORT_DROPPED_LOG',
      'HOST_VERSION_BEHIND',
      'VERSION_BEHIND',
      'HOST_EXPOSED',
      'HOST_SSL_CERTIFICATE_STALE',
      'HOST_SECURITY_CHECKUP_NOT_MET',
    ],
    matchers: HOST_FIELDS,
  },
  hostMetric: {
    events: ['OUTSIDE_METRIC_THRESHOLD'],
    matchers: HOST_FIELDS,
    metric: 'host',
  },
  serverlessMetric: {
    events: ['OUTSIDE_SERVERLESS_METRIC_THRESHOLD'],
    matchers: CLUSTER_FIELDS,
    metric: 'serverless',
  },
  flexMetric: {
    events: ['OUTSIDE_FLEX_METRIC_THRESHOLD'],
    matchers: CLUSTER_FIELDS,
    metric: 'flex',
  },
  streamProcessorMetric: {
    events: ['OUTSIDE_STREAM_PROCESSOR_METRIC_THRESHOLD'],
    matchers: STREAM_FIELDS,
    metric: 'streams',
  },
  replicaSet: {
    events: ['NO_PRIMARY', 'PRIMARY_ELECTED'],
    matchers: REPLICA_SET_FIELDS,
  },
  replicaSetCount: {
    events: ['TOO_MANY_ELECTIONS', 'TOO_FEW_HEALTHY_MEMBERS', 'TOO_MANY_UNHEALTHY_MEMBERS'],
    matchers: REPLICA_SET_FIELDS,
    threshold: either('raw', 'RAW'),
  },
  oplogWindow: {
    events: ['REPLICATION_OPLOG_WINDOW_RUNNING_OUT'],
    matchers: REPLICA_SET_FIELDS,
    threshold: either('time', 'HOURS'),
  },
  cluster: {
    events: ['CLUSTER_MONGOS_IS_MISSING'],
    matchers: CLUSTER_FIELDS,
  },
  billingAmount: {
    events: ['PENDING_INVOICE_OVER_THRESHOLD', 'DAILY_BILL_OVER_THRESHOLD'],
    threshold: above('raw', 'RAW'),
  },
  backupAge: {
    events: ['CPS_SNAPSHOT_BEHIND', 'CPS_PREV_SNAPSHOT_OLD', 'CPS_OPLOG_BEHIND'],
    threshold: above('time', 'HOURS'),
  },
  encryptionKey: {
    events: [
      'AWS_ENCRYPTION_KEY_NEEDS_ROTATION',
      'AZURE_ENCRYPTION_KEY_NEEDS_ROTATION',
      'GCP_ENCRYPTION_KEY_NEEDS_ROTATION',
      'AWS_ENCRYPTION_KEY_INVALID',
      'AZURE_ENCRYPTION_KEY_INVALID',
      'GCP_ENCRYPTION_KEY_INVALID',
    ],
    threshold: above('time', 'DAYS'),
  },
  certificateExpiry: {
    events: [
      'NDS_X509_USER_AUTHENTICATION_CUSTOMER_CA_EXPIRATION_CHECK',
      'NDS_X509_USER_AUTHENTICATION_CUSTOMER_CRL_EXPIRATION_CHECK',
      'NDS_X509_USER_AUTHENTICATION_MANAGED_USER_CERTS_EXPIRATION_CHECK',
    ],
    threshold: below('time', 'DAYS'),
  },
  application: {
    events: [
      'URL_CONFIRMATION',
      'SUCCESSFUL_DEPLOY',
      'DEPLOYMENT_FAILURE',
      'REQUEST_RATE_LIMIT',
      'LOG_FORWARDER_FAILURE',
      'SYNC_FAILURE',
      'TRIGGER_FAILURE',
      'TRIGGER_AUTO_RESUMED',
      'DEPLOYMENT_MODEL_CHANGE_SUCCESS',
      'DEPLOYMENT_MODEL_CHANGE_FAILURE',
    ],
    matchers: APPLICATION_FIELDS,
  },
  applicationMetric: {
    events: ['OUTSIDE_REALM_METRIC_THRESHOLD'],
    matchers: APPLICATION_FIELDS,
    metric: 'host',
  },
} as const satisfies Readonly<Record<string, EventKind>>;

const kindOfEvent = new Map<string, EventKind>(
  Object.values<EventKind>(eventKinds).flatMap((kind) => kind.events.map((name) => [name, kind])),
);

/** Returns the kind of an event type; undefined if configurations cannot use it. */
export function eventKindOf(eventType: string): EventKind | undefined {
  return kindOfEvent.get(eventType);
}

/** Whether configurations of an event type compare a number with a threshold. */
export function comparesNumbers(eventType: string): boolean {
  const kind = kindOfEvent.get(eventType);
  return kind?.metric !== undefined || kind?.threshold !== undefined;
}

/** Whether configurations can use an event type. */
export function isAlertable(eventType: string): boolean {
  return kindOfEvent.has(eventType);
}

/** All event types that configurations can use. */
export const alertableEvents: readonly string[] = [...kindOfEvent.keys()];

/** The field names of matchers (docs/contract/access.md 8.5). */
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

/** The values of the matcher field `TYPE_NAME`. */
export const hostTypes = ['STANDALONE', 'PRIMARY', 'SECONDARY', 'ARBITER', 'MONGOS', 'CONFIG'] as const;

/** The values of the matcher field `PLATFORM_NODE_TYPE`. */
export const nodeTypes = ['ELECTABLE', 'READ_ONLY', 'ANALYTICS'] as const;
