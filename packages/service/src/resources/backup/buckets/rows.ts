import type { Selectable } from 'kysely';
import {
  addCount,
  codec,
  counter,
  fetchPage,
  type PageRange,
  type ReadTx,
  type Tx,
} from '../../../store/index.ts';
import type { Provider } from '../snapshots/rows.ts';

interface Tables {
  backup_export_bucket: { id: string; group_id: string; document: string };
}

/** Where a bucket is. */
export interface BucketPlace {
  readonly provider: Provider;
  readonly bucketName: string;
  /** At AZURE: as it was given, and that of the account alone. */
  readonly azure?: { readonly given: string; readonly serviceUrl: string; readonly account: string };
  /** What was said of the tenant; nothing looks at it. */
  readonly tenantId?: string;
}

export interface BucketRow {
  readonly id: string;
  readonly groupId: string;
  readonly facts: BucketPlace & {
    readonly roleId: string;
    /** Where a bucket at AWS said that it is, when it was named. */
    readonly region?: string;
  };
}

/** Export buckets of a project. */
export const bucketCount = counter('group', 'exportBuckets');

const facts = codec.json<BucketRow['facts']>();

function readBucketRow(row: Selectable<Tables['backup_export_bucket']>): BucketRow {
  return { id: row.id, groupId: row.group_id, facts: facts.read(row.document) };
}

export async function insertBucket(tx: Tx, row: BucketRow): Promise<void> {
  const values = { id: row.id, group_id: row.groupId, document: facts.write(row.facts) };
  await tx.from<Tables>().insertInto('backup_export_bucket').values(values).execute();
  await addCount(tx, bucketCount, row.groupId, 1);
}

export async function deleteBucket(tx: Tx, { id, groupId }: BucketRow): Promise<void> {
  await tx.from<Tables>().deleteFrom('backup_export_bucket').where('id', '=', id).execute();
  await addCount(tx, bucketCount, groupId, -1);
}

export async function findBucket(tx: ReadTx, groupId: string, id: string): Promise<BucketRow | undefined> {
  const query = tx.from<Tables>().selectFrom('backup_export_bucket').selectAll();
  const row = await query.where('id', '=', id).where('group_id', '=', groupId).executeTakeFirst();
  return row && readBucketRow(row);
}

/** Of one project, the oldest first. */
export async function pageOfBuckets(tx: ReadTx, groupId: string, page: PageRange) {
  const query = tx.from<Tables>().selectFrom('backup_export_bucket').selectAll();
  const { rows, next } = await fetchPage(query.where('group_id', '=', groupId), 'id', page);
  return { rows: rows.map(readBucketRow), next };
}
