import { CONCERN_DEFAULTS, SETTINGS } from '../../parameters/parameters.ts';
import { readStored } from '../../parameters/stored.ts';
import type { ClusterContext } from '../context/cluster.ts';

/** Describes the default read and write concerns. */
export function describeDefaultConcerns(cluster: ClusterContext): Record<string, unknown> {
  const stored = readStored(cluster.store, SETTINGS, CONCERN_DEFAULTS);
  const { defaultReadConcern, defaultWriteConcern } = cluster.parameters;
  return {
    defaultReadConcern: { level: defaultReadConcern ?? 'local' },
    defaultWriteConcern: defaultWriteConcern ?? { w: 'majority', wtimeout: 0 },
    updateOpTime: stored?.get('updateOpTime'),
    updateWallClockTime: stored?.get('updateWallClockTime'),
    defaultWriteConcernSource: defaultWriteConcern === undefined ? 'implicit' : 'global',
    defaultReadConcernSource: defaultReadConcern === undefined ? 'implicit' : 'global',
    localUpdateWallClockTime: new Date(cluster.clock.now()),
  };
}
