import type { Capability } from '@portolan/engine/interface/capabilities';
import { assertCan } from '../model/capabilities.ts';
import type { ClusterModel } from '../model/cluster.ts';

/** The capability that is needed to change each field of a body that describes servers. */
const fieldNeeds: Readonly<Record<string, Capability>> = {
  clusterType: 'topology',
  dbMajorVersion: 'versions',
  diskSizeGB: 'topology',
  numShards: 'topology',
  providerSettings: 'topology',
  replicationFactor: 'topology',
  replicationSpec: 'topology',
  replicationSpecs: 'topology',
};

/**
 * Returns the result of `read`, which reads changes of a cluster. If it throws because a value is invalid, but the
 * engine cannot change the field at all, throws NOT_SUPPORTED_BY_ENGINE instead: no value would be accepted.
 */
export function readChanges<T>(cluster: ClusterModel, changes: object, read: () => T): T {
  try {
    return read();
  } catch (error) {
    for (const name of Object.keys(changes)) {
      const need = fieldNeeds[name];
      if (need !== undefined) assertCan(cluster, need);
    }
    throw error;
  }
}
