import { faults } from '@portolan/foundation/faults';

export const globalWritesFaults = faults({
  CLUSTER_NOT_GLOBAL: [
    400,
    'The cluster {0} has the type {1}; only clusters of the type GEOSHARDED have zones.',
  ],
  DUPLICATE_MANAGED_NAMESPACE: [409, 'The cluster {1} already manages the namespace {0}.'],
  MANAGED_NAMESPACE_NOT_FOUND: [404, 'The cluster {1} does not manage the namespace {0}.'],
  MANAGED_NAMESPACES_LIMIT_EXCEEDED: [
    403,
    'The cluster {0} has reached its limit of {1} managed namespaces.',
  ],
  SELF_MANAGED_SHARDING: [
    400,
    'The service does not shard collections of the cluster {0}, since its users do this themselves.',
  ],
  ZONE_MAPPINGS_LIMIT_EXCEEDED: [403, 'The cluster {0} has reached its limit of {1} mapped locations.'],
});
