import type { Actor } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import { recordInProject } from '../../projects/index.ts';
import { releaseRole, useRole } from '../../provider-access/index.ts';
import { hasActiveExports } from '../model/exports/rows.ts';
import { exportsBySchedule } from '../model/schedules/rows.ts';
import { bucketFaults } from './faults.ts';
import { type BucketRow, deleteBucket, insertBucket } from './rows.ts';

const usage = ({ id, groupId }: Pick<BucketRow, 'id' | 'groupId'>) =>
  ({ featureType: 'EXPORT_SNAPSHOT', featureId: { exportBucketId: id, groupId } }) as const;

/** Adds a bucket whose writability was checked, and marks its access role as used. */
export async function addBucket(
  tx: Tx,
  groupId: string,
  facts: BucketRow['facts'],
  actor: Actor,
): Promise<BucketRow> {
  const row: BucketRow = { id: tx.id(), groupId, facts };
  await useRole(tx, { groupId, roleId: facts.roleId, provider: facts.provider }, usage(row));
  await insertBucket(tx, row);
  await record(tx, 'BUCKET_CREATED_AUDIT', row, actor);
  return row;
}

/** Removes a bucket, but not the objects in it. Throws EXPORT_BUCKET_DELETE_FAILED if exports use it. */
export async function removeBucket(tx: Tx, row: BucketRow, actor: Actor): Promise<void> {
  const used = (await exportsBySchedule(tx, row.groupId, row.id)) || (await hasActiveExports(tx, row.id));
  if (used) throw bucketFaults.EXPORT_BUCKET_DELETE_FAILED(row.id);
  await releaseRole(tx, row.facts.roleId, usage(row));
  await deleteBucket(tx, row);
  await record(tx, 'BUCKET_DELETED_AUDIT', row, actor);
}

function record(tx: Tx, type: string, { groupId }: BucketRow, actor: Actor): Promise<void> {
  return recordInProject(tx, groupId, { type, actor });
}
