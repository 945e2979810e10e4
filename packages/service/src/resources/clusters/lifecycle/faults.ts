import { faults } from '@portolan/foundation/faults';

export const failoverFaults = faults({
  TENANT_CLUSTER_TEST_FAILOVER_NOT_SUPPORTED: [400, 'A shared-tier cluster does not support test failovers.'],
  CLUSTER_RESTART_IN_PROGRESS: [400, 'The cluster {0} is being changed; retry when it is IDLE.'],
  CLUSTER_RESTART_INVALID: [400, 'The cluster {0} is not healthy, so its primaries cannot step down.'],
});

export const pinFaults = faults({
  CANNOT_PIN_FCV_TENANT: [400, 'A shared-tier cluster has no feature compatibility version.'],
  FCV_NOT_PINNED: [409, 'The feature compatibility version of the cluster {0} is not pinned.'],
});
