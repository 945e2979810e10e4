import type { ExportRow } from './rows.ts';

/** A job as callers read it; with the id of a component, that component's. */
export function presentExport(row: ExportRow, id = row.id) {
  const { bucketId, snapshotId, facts } = row;
  const { components, created, customData, finished, prefix, reason, state } = facts;
  const progress = { exportedCollections: facts.exported, totalCollections: facts.total };
  const whole = components !== undefined && id === row.id;
  return {
    createdAt: created,
    customData: [...customData],
    exportBucketId: bucketId,
    id,
    prefix,
    snapshotId,
    state,
    ...(finished === undefined ? {} : { finishedAt: finished }),
    ...(reason === undefined ? {} : { stateReason: reason }),
    // Shards have their progress each (reference 3.6).
    ...(whole ? { components: [...components] } : { exportStatus: progress }),
  };
}
