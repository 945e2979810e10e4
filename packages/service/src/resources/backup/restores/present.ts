import type { Services } from '../../services.ts';
import { linksOf } from '../downloads/links.ts';
import type { PointInTime, RestoreRow } from '../model/restores/rows.ts';

type Shown = Pick<Services, 'publicUrl' | 'secrets'>;

export function presentRestore(row: RestoreRow, services: Shown) {
  const { id, finished, facts } = row;
  const { download } = facts;
  const links = linksOf(services, row);
  return {
    id,
    cancelled: download?.ended === 'cancelled',
    deliveryType: deliveryOf(facts),
    deliveryUrl: links,
    desiredTimestamp: desiredIn(facts.pointInTime),
    expired: download?.ended === 'expired',
    ...(download?.expiresAt === undefined ? {} : { expiresAt: download.expiresAt }),
    failed: facts.problem !== undefined,
    // docs/contract/clusters.md 3.4 has no such date for downloads.
    ...(finished === undefined || download !== undefined ? {} : { finishedAt: finished }),
    ...momentIn(facts.pointInTime),
    result: resultOf(facts),
    snapshotId: facts.snapshotId,
    ...(facts.targetClusterName === undefined ? {} : { targetClusterName: facts.targetClusterName }),
    ...(facts.targetGroupId === undefined ? {} : { targetGroupId: facts.targetGroupId }),
    timestamp: facts.timestamp,
  };
}

function deliveryOf({ download, pointInTime }: RestoreRow['facts']) {
  if (download !== undefined) return 'download' as const;
  return pointInTime === undefined ? ('automated' as const) : ('pointInTime' as const);
}

function desiredIn(moment: PointInTime | undefined) {
  if (moment === undefined) return { date: null, increment: null, time: null };
  const { seconds: time, increment = null } = moment;
  return { date: new Date(time * 1000), increment, time };
}

/** The point in time as requested. */
function momentIn(moment: PointInTime | undefined) {
  if (moment === undefined) return {};
  const { seconds, increment } = moment;
  return increment === undefined
    ? { pointInTimeUTCSeconds: seconds }
    : { oplogTs: seconds, oplogInc: increment };
}

/** As `presentRestore`, with the fields of clusters. No member has private endpoints. */
export function presentClusterRestore(row: RestoreRow, services: Shown) {
  const shown = presentRestore(row, services);
  const { members } = row.facts.download ?? {};
  const components = members?.map((replicaSetName, index) => {
    const url = shown.deliveryUrl[index];
    return {
      ...(url === undefined ? {} : { downloadUrl: url }),
      privateDownloadDeliveryUrls: [],
      replicaSetName,
    };
  });
  return {
    ...shown,
    ...(components === undefined ? {} : { components }),
    ...(row.facts.download === undefined ? {} : { privateDownloadDeliveryUrls: [] }),
  };
}

/** The result of the comparison with the snapshot, or why the restore failed. */
export function resultOf({ compared, problem }: RestoreRow['facts']) {
  if (problem !== undefined) return { identical: false, problem };
  return compared === undefined ? undefined : { identical: true, ...compared };
}
