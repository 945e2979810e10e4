import type { Services } from '../../services.ts';
import { linksOf } from '../downloads/links.ts';
import type { DownloadRow } from '../model/downloads/rows.ts';
import type { JobRow } from '../model/jobs/rows.ts';
import type { PointInTime, RestoreRow } from '../model/restores/rows.ts';

type Shown = Pick<Services, 'publicUrl' | 'secrets'>;

export function presentRestore(row: JobRow, services: Shown) {
  return row.kind === 'download' ? presentDownload(row, services) : presentRestoreTo(row);
}

function presentRestoreTo(row: RestoreRow) {
  const { finished, pointInTime } = row;
  return {
    ...common(row),
    cancelled: false,
    deliveryType: pointInTime === undefined ? ('automated' as const) : ('pointInTime' as const),
    deliveryUrl: [] as string[],
    desiredTimestamp: desiredIn(pointInTime),
    expired: false,
    ...(finished === undefined ? {} : { finishedAt: finished }),
    ...momentIn(pointInTime),
    targetClusterName: row.targetClusterName,
    targetGroupId: row.targetGroupId,
  };
}

/** Presents a download. It has no `finishedAt`, because docs/contract/clusters.md 3.4 defines no end date for it. */
function presentDownload(row: DownloadRow, services: Shown) {
  const { ended, expires } = row;
  return {
    ...common(row),
    cancelled: ended === 'cancelled',
    deliveryType: 'download' as const,
    deliveryUrl: linksOf(services, row),
    desiredTimestamp: desiredIn(undefined),
    expired: ended === 'expired',
    ...(expires === undefined ? {} : { expiresAt: expires }),
  };
}

function common(row: JobRow) {
  const { id, problem, snapshotId, timestamp } = row;
  return { id, failed: problem !== undefined, result: resultOf(row), snapshotId, timestamp };
}

function desiredIn(moment: PointInTime | undefined) {
  if (moment === undefined) return { date: null, increment: null, time: null };
  const { seconds: time, increment = null } = moment;
  return { date: new Date(time * 1000), increment, time };
}

/** Returns the point in time, in the fields that the request contained. */
function momentIn(moment: PointInTime | undefined) {
  if (moment === undefined) return {};
  const { seconds, increment } = moment;
  return increment === undefined
    ? { pointInTimeUTCSeconds: seconds }
    : { oplogTs: seconds, oplogInc: increment };
}

/**
 * Like `presentRestore`, with the additional fields of clusters. The lists of private URLs are empty, since no member
 * has private endpoints.
 */
export function presentClusterRestore(row: JobRow, services: Shown) {
  if (row.kind === 'restore') return presentRestoreTo(row);
  const shown = presentDownload(row, services);
  const components = row.members?.map((replicaSetName, index) => {
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
    privateDownloadDeliveryUrls: [],
  };
}

/** Returns the result of comparing the data with the snapshot, or why the restore failed. */
export function resultOf({ compared, problem }: JobRow) {
  if (problem !== undefined) return { identical: false, problem };
  return compared === undefined ? undefined : { identical: true, ...compared };
}
