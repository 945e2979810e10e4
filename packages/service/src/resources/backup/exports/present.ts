import type { ExportRow } from '../model/exports/rows.ts';

/** Presents an export job as the API returns it. If `id` is the id of the job of a single shard, returns that job. */
export function presentExport(row: ExportRow, id = row.id) {
  const { bucketId, components, created, customData, finished, prefix, reason, snapshotId, state } = row;
  const progress = { exportedCollections: row.exported, totalCollections: row.total };
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
    // The shards of a sharded cluster have separate progress (docs/contract/clusters.md 3.6).
    ...(whole ? { components: [...components] } : { exportStatus: progress }),
  };
}
