import type { RestoreRow } from './rows.ts';

export function presentRestore({ id, finished, facts }: RestoreRow) {
  return {
    id,
    cancelled: false,
    deliveryType: 'automated' as const,
    deliveryUrl: [],
    desiredTimestamp: { date: null, increment: null, time: null },
    expired: false,
    failed: facts.problem !== undefined,
    ...(finished === undefined ? {} : { finishedAt: finished }),
    snapshotId: facts.snapshotId,
    targetClusterName: facts.targetClusterName,
    targetGroupId: facts.targetGroupId,
    timestamp: facts.timestamp,
  };
}
