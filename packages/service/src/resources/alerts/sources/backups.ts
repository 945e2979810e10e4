import { type BackupAges, backupAges } from '../../backup/index.ts';
import { projectsWithClusters } from '../../clusters/index.ts';
import { baseUnits } from '../catalogue/units.ts';
import { configuredAmong } from '../configurations/rows.ts';
import type { Finding } from '../lifecycle/changes.ts';
import { isBeyond } from './comparison.ts';
import type { StateSource } from './states.ts';

const ages: Readonly<Record<string, (of: BackupAges) => number | undefined>> = {
  CPS_OPLOG_BEHIND: ({ oplog }) => oplog,
  CPS_PREV_SNAPSHOT_OLD: ({ last }) => last,
  CPS_SNAPSHOT_BEHIND: ({ behind }) => behind,
};

/** Findings about the age of snapshots and oplog archives. Omits projects without configurations for such findings. */
export const backups: StateSource = {
  eventTypes: Object.keys(ages),
  async look(tx) {
    const groupIds = await configuredAmong(tx, await projectsWithClusters(tx), this.eventTypes);
    return (await backupAges(tx, groupIds)).flatMap(findingsOf);
  },
};

function findingsOf(found: BackupAges): Finding[] {
  const { groupId, clusterId, clusterName } = found;
  const target = {
    key: `cluster:${clusterId}`,
    fields: { CLUSTER_NAME: clusterName },
    subject: { clusterName },
    clusterId,
  };
  return Object.entries(ages).map(([eventType, read]) => ({
    groupId,
    eventType,
    target,
    evaluate({ document: { threshold } }) {
      const number = read(found);
      if (number === undefined || threshold === undefined || !isBeyond(threshold, 'time', number))
        return 'ok';
      return { clusterName, currentValue: { number, units: baseUnits.time } };
    },
  }));
}
