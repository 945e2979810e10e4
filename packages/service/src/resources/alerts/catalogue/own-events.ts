import type { EventTypes } from '../../../events/index.ts';

/**
 * Event types of `event-kinds.ts` that no other family records: some are about conditions that this family observes,
 * and the others never occur in this service. If another family begins to record one of these types, declare the type
 * there and remove it here.
 */
export const ownEvents: EventTypes = {
  CREDIT_CARD_ABOUT_TO_EXPIRE: 'Credit card is about to expire',
  USERS_WITHOUT_MULTI_FACTOR_AUTH: 'Users have no multi-factor authentication',
  ENCRYPTION_AT_REST_KMS_NETWORK_ACCESS_DENIED: 'Key provider cannot be reached',
  CLUSTER_INSTANCE_RESYNC_REQUESTED: 'Resync of a node was requested',
  CLUSTER_INSTANCE_UPDATE_REQUESTED: 'Update of a node was requested',
  TENANT_UPGRADE_TO_SERVERLESS_SUCCESSFUL: 'Shared-tier cluster was upgraded to a serverless instance',
  TENANT_UPGRADE_TO_SERVERLESS_FAILED: 'Upgrade of a shared-tier cluster to a serverless instance failed',
  CLUSTER_BLOCK_WRITE: 'Writes to the cluster are blocked',
  CLUSTER_UNBLOCK_WRITE: 'Writes to the cluster are possible again',
  ONLINE_ARCHIVE_INSUFFICIENT_INDEXES_CHECK: 'Indexes are missing for an online archive',
  ONLINE_ARCHIVE_MAX_CONSECUTIVE_OFFLOAD_WINDOWS_CHECK: 'Online archive is falling behind',
  TAGS_MODIFIED: 'Tags were modified',
  STREAM_PROCESSOR_STATE_IS_FAILED: 'Stream processor failed',
  COMPUTE_AUTO_SCALE_INITIATED_ANALYTICS: 'Change of instance size was started (analytics nodes)',
  COMPUTE_AUTO_SCALE_SCALE_DOWN_FAIL_ANALYTICS:
    'Scale-down to a smaller instance size was not possible (analytics nodes)',
  COMPUTE_AUTO_SCALE_MAX_INSTANCE_SIZE_FAIL_ANALYTICS:
    'Scale-up was not possible: maximum instance size reached (analytics nodes)',
  COMPUTE_AUTO_SCALE_OPLOG_FAIL_BASE:
    'Instance size was not changed because of the size of the oplog (electable and read-only nodes)',
  COMPUTE_AUTO_SCALE_OPLOG_FAIL_ANALYTICS:
    'Instance size was not changed because of the size of the oplog (analytics nodes)',
  DISK_AUTO_SCALE_OPLOG_FAIL: 'Disk size was not changed because of the size of the oplog',
  PREDICTIVE_COMPUTE_AUTO_SCALE_INITIATED_BASE: 'Predictive scaling started a change of instance size',
  PREDICTIVE_COMPUTE_AUTO_SCALE_MAX_INSTANCE_SIZE_FAIL_BASE:
    'Predictive scaling reached the largest instance size',
  PREDICTIVE_COMPUTE_AUTO_SCALE_OPLOG_FAIL_BASE:
    'Predictive scaling did not change the instance size because of the size of the oplog',
  RESOURCE_POLICY_VIOLATED: 'Resource policy was violated',
  HOST_DOWN: 'Host is down',
  HOST_HAS_INDEX_SUGGESTIONS: 'Host has index suggestions',
  HOST_MONGOT_CRASHING_OOM: 'Search process ran out of memory',
  HOST_MONGOT_STOP_REPLICATION: 'Search process stopped replication',
  HOST_MONGOT_APPROACHING_STOP_REPLICATION: 'Search process is about to stop replication',
  HOST_NOT_ENOUGH_DISK_SPACE: 'Host is short of disk space',
  SSH_KEY_NDS_HOST_ACCESS_REQUESTED: 'Access to the host was requested',
  SSH_KEY_NDS_HOST_ACCESS_REFRESHED: 'Access to the host was extended',
  PUSH_BASED_LOG_EXPORT_DROPPED_LOG: 'Log export dropped a log',
  HOST_VERSION_BEHIND: 'Host does not run the newest patch',
  VERSION_BEHIND: 'Database does not run the newest version',
  HOST_EXPOSED: 'Host is exposed to the public internet',
  HOST_SSL_CERTIFICATE_STALE: 'Certificate of the host expires soon',
  HOST_SECURITY_CHECKUP_NOT_MET: 'Host failed a security check',
  OUTSIDE_METRIC_THRESHOLD: 'Metric of a host is beyond its threshold',
  OUTSIDE_SERVERLESS_METRIC_THRESHOLD: 'Metric of a serverless instance is beyond its threshold',
  OUTSIDE_FLEX_METRIC_THRESHOLD: 'Metric of a flex cluster is beyond its threshold',
  OUTSIDE_STREAM_PROCESSOR_METRIC_THRESHOLD: 'Metric of a stream processor is beyond its threshold',
  NO_PRIMARY: 'Replica set has no primary',
  PRIMARY_ELECTED: 'Replica set has elected a primary',
  TOO_MANY_ELECTIONS: 'Replica set has too many elections',
  TOO_FEW_HEALTHY_MEMBERS: 'Replica set has too few healthy members',
  TOO_MANY_UNHEALTHY_MEMBERS: 'Replica set has too many unhealthy members',
  REPLICATION_OPLOG_WINDOW_RUNNING_OUT: 'Oplog window is too short',
  CLUSTER_MONGOS_IS_MISSING: 'Cluster has no router',
  PENDING_INVOICE_OVER_THRESHOLD: 'Pending invoice is over its threshold',
  DAILY_BILL_OVER_THRESHOLD: 'Daily bill is over its threshold',
  CPS_SNAPSHOT_BEHIND: 'Snapshots are behind their schedule',
  CPS_PREV_SNAPSHOT_OLD: 'Last snapshot is too old',
  CPS_OPLOG_BEHIND: 'Oplog archive is behind',
  AWS_ENCRYPTION_KEY_NEEDS_ROTATION: 'AWS encryption key needs rotation',
  AZURE_ENCRYPTION_KEY_NEEDS_ROTATION: 'Azure encryption key needs rotation',
  GCP_ENCRYPTION_KEY_NEEDS_ROTATION: 'Google Cloud encryption key needs rotation',
  NDS_X509_USER_AUTHENTICATION_CUSTOMER_CA_EXPIRATION_CHECK:
    "Certificate of the project's certificate authority expires soon",
  NDS_X509_USER_AUTHENTICATION_CUSTOMER_CRL_EXPIRATION_CHECK:
    "Certificate revocation list of the project's authority expires soon",
  NDS_X509_USER_AUTHENTICATION_MANAGED_USER_CERTS_EXPIRATION_CHECK:
    'Certificates of database users expire soon',
  URL_CONFIRMATION: 'Address was confirmed',
  SUCCESSFUL_DEPLOY: 'Application was deployed',
  DEPLOYMENT_FAILURE: 'Deployment of an application failed',
  REQUEST_RATE_LIMIT: 'Application reached its request rate limit',
  LOG_FORWARDER_FAILURE: 'Log forwarding failed',
  SYNC_FAILURE: 'Sync failed',
  TRIGGER_FAILURE: 'Trigger failed',
  TRIGGER_AUTO_RESUMED: 'Trigger was resumed',
  DEPLOYMENT_MODEL_CHANGE_SUCCESS: 'Deployment model was changed',
  DEPLOYMENT_MODEL_CHANGE_FAILURE: 'Change of the deployment model failed',
  OUTSIDE_REALM_METRIC_THRESHOLD: 'Metric of an application is beyond its threshold',
};
