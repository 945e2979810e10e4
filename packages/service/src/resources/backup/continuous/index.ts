import type { Part } from '../part.ts';
import { pointInTimeFaults } from './faults.ts';
import {
  followClusterRemoval,
  followContinuous,
  followProjectRemoval,
  followSnapshot,
  followSnapshotRemoval,
} from './hooks.ts';
import { archiveCluster, followOplog, forgetOplog } from './tasks.ts';

export const continuous: Part = {
  tasks: [followOplog, archiveCluster, forgetOplog],
  hooks: [
    followContinuous,
    followSnapshot,
    followClusterRemoval,
    followSnapshotRemoval,
    followProjectRemoval,
  ],
  eventTypes: {
    CPS_OPLOG_CAUGHT_UP: 'Oplog archive caught up',
    CPS_OPLOG_GAP: 'Oplog archive has a gap',
  },
  faults: [pointInTimeFaults],
};
