import { timestampAt } from '../../storage/oplog/time.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { ClusterMember } from '../context/topology.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Returns `{ ts, t }` of the last oplog entry. */
export function lastOpTime({ store, topology }: ClusterContext): Fields {
  return { ts: timestampAt(store.oplog.last), t: BigInt(topology.term) };
}

/**
 * Returns the optimes of the cluster. All are equal, because an acknowledged write is durable, applied and committed on
 * all members at once.
 */
export function optimesOf(cluster: ClusterContext): Fields {
  const [optime, wall] = [lastOpTime(cluster), new Date(cluster.store.oplog.lastWall)];
  return {
    optimes: {
      lastCommittedOpTime: optime,
      lastCommittedWallTime: wall,
      readConcernMajorityOpTime: optime,
      appliedOpTime: optime,
      durableOpTime: optime,
      writtenOpTime: optime,
      lastAppliedWallTime: wall,
      lastDurableWallTime: wall,
      lastWrittenWallTime: wall,
    },
  };
}

/** Returns the optimes of one member, or none if it is down. */
export function optimesOfMember({ state }: ClusterMember, cluster: ClusterContext): Fields {
  if (state === 'DOWN') return {};
  const [optime, wall] = [lastOpTime(cluster), new Date(cluster.store.oplog.lastWall)];
  return {
    optime,
    optimeDurable: optime,
    optimeWritten: optime,
    optimeDate: wall,
    optimeDurableDate: wall,
    optimeWrittenDate: wall,
    lastAppliedWallTime: wall,
    lastDurableWallTime: wall,
    lastWrittenWallTime: wall,
  };
}
