import type { Selectable } from 'kysely';
import { addCount, counter, fetchPage, type PageRange, type ReadTx, type Tx } from '../../../store/index.ts';
import type { Provider } from '../model/snapshots/rows.ts';

interface Tables {
  backup_export_bucket: {
    id: string;
    group_id: string;
    provider: string;
    bucket_name: string;
    role_id: string;
    region: string | null;
    service_url: string | null;
    account_url: string | null;
    account: string | null;
    tenant_id: string | null;
  };
}

export interface BucketLocation {
  readonly provider: Provider;
  readonly bucketName: string;
  /** Only for AZURE: the service URL as received, the URL of the storage account, and the account. */
  readonly azure?: { readonly given: string; readonly serviceUrl: string; readonly account: string };
  /** The Azure tenant in the request. It has no effect. */
  readonly tenantId?: string;
}

export interface BucketRow {
  readonly id: string;
  readonly groupId: string;
  readonly facts: BucketLocation & {
    readonly roleId: string;
    /** The region that an AWS bucket reported when it was added. */
    readonly region?: string;
  };
}

/** Counts the export buckets of a project. */
export const bucketCount = counter('group', 'exportBuckets');

function readBucketRow(row: Selectable<Tables['backup_export_bucket']>): BucketRow {
  const { service_url: given, account_url: serviceUrl, account, region, tenant_id: tenantId } = row;
  const isAzure = given !== null && serviceUrl !== null && account !== null;
  return {
    id: row.id,
    groupId: row.group_id,
    facts: {
      provider: row.provider as Provider,
      bucketName: row.bucket_name,
      roleId: row.role_id,
      ...(region === null ? {} : { region }),
      ...(isAzure ? { azure: { given, serviceUrl, account } } : {}),
      ...(tenantId === null ? {} : { tenantId }),
    },
  };
}

export async function insertBucket(tx: Tx, row: BucketRow): Promise<void> {
  const { azure, ...facts } = row.facts;
  const values = {
    id: row.id,
    group_id: row.groupId,
    provider: facts.provider,
    bucket_name: facts.bucketName,
    role_id: facts.roleId,
    region: facts.region ?? null,
    service_url: azure?.given ?? null,
    account_url: azure?.serviceUrl ?? null,
    account: azure?.account ?? null,
    tenant_id: facts.tenantId ?? null,
  };
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

/** Returns the buckets of a project, oldest first. */
export async function pageOfBuckets(tx: ReadTx, groupId: string, page: PageRange) {
  const query = tx.from<Tables>().selectFrom('backup_export_bucket').selectAll();
  const { rows, next } = await fetchPage(query.where('group_id', '=', groupId), 'id', page);
  return { rows: rows.map(readBucketRow), next };
}

/** Returns where all export buckets of a project are, oldest first. */
export async function exportBucketsOf(tx: ReadTx, groupId: string): Promise<BucketLocation[]> {
  const query = tx.from<Tables>().selectFrom('backup_export_bucket').selectAll();
  const rows = await query.where('group_id', '=', groupId).orderBy('id').execute();
  return rows.map((row) => readBucketRow(row).facts);
}
