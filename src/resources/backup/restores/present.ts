import type { Services } from '../../services.ts';
import { linksOf } from '../downloads/links.ts';
import type { RestoreRow } from './rows.ts';

type Shown = Pick<Services, 'publicUrl' | 'secrets'>;

export function presentRestore(row: RestoreRow, services: Shown) {
  const { id, finished, facts } = row;
  const { download } = facts;
  const links = linksOf(services, row);
  return {
    id,
    cancelled: download?.ended === 'cancelled',
    deliveryType: download === undefined ? ('automated' as const) : ('download' as const),
    deliveryUrl: links,
    desiredTimestamp: { date: null, increment: null, time: null },
    expired: download?.ended === 'expired',
    ...(download?.expiresAt === undefined ? {} : { expiresAt: download.expiresAt }),
    failed: facts.problem !== undefined,
    // The reference has none of downloads.
    ...(finished === undefined || download !== undefined ? {} : { finishedAt: finished }),
    result: resultOf(facts),
    snapshotId: facts.snapshotId,
    ...(facts.targetClusterName === undefined ? {} : { targetClusterName: facts.targetClusterName }),
    ...(facts.targetGroupId === undefined ? {} : { targetGroupId: facts.targetGroupId }),
    timestamp: facts.timestamp,
  };
}

/** As `presentRestore`, with what restores of clusters have besides: no member has private endpoints. */
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

/** What came of it: the comparison with the snapshot, or why there is none. */
export function resultOf({ compared, problem }: RestoreRow['facts']) {
  if (problem !== undefined) return { identical: false, problem };
  return compared === undefined ? undefined : { identical: true, ...compared };
}
