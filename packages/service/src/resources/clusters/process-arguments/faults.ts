import { faults } from '@portolan/foundation/faults';

export const argumentFaults = faults({
  TENANT_CLUSTER_PROCESS_ARGS_NOT_SUPPORTED: [
    400,
    'A shared-tier cluster does not support process arguments.',
  ],
  OPLOG_SIZE_MB_LESS_THAN_990: [400, 'The oplog must have at least 990 MB.'],
  OPLOG_SIZE_MB_LESS_THAN_EQUAL_ZERO: [400, 'The size of the oplog must be greater than zero.'],
  OPLOG_SIZE_MB_TOO_BIG: [400, 'The oplog does not fit on the disk of {0} GB.'],
  OPLOG_MIN_RETENTION_HOURS_NO_DISK_AUTO_SCALING: [
    400,
    'A minimum oplog retention requires disk autoscaling.',
  ],
  INVALID_SAMPLE_SIZE_BI_CONNECTOR: [400, 'sampleSizeBIConnector must not be negative.'],
  INVALID_SAMPLE_REFRESH_INTERVAL_BI_CONNECTOR: [
    400,
    'sampleRefreshIntervalBIConnector must not be negative.',
  ],
});
