import type { Migration } from '../../../store/store.ts';

export const bucketMigrations: readonly Migration[] = [
  {
    number: 210,
    name: 'columns of export buckets',
    async up(schema) {
      await schema.run('DROP INDEX backup_export_bucket_by_group');
      await schema.run('ALTER TABLE backup_export_bucket RENAME TO former_backup_export_bucket');
      await schema.run(`
        CREATE TABLE backup_export_bucket (
          id {text} PRIMARY KEY,
          group_id {text} NOT NULL REFERENCES project (id) ON DELETE CASCADE,
          provider {text} NOT NULL,
          bucket_name {text} NOT NULL,
          role_id {text} NOT NULL,
          region {text},
          service_url {text},
          account_url {text},
          account {text},
          tenant_id {text}
        ) {strict}`);
      await schema.run('CREATE INDEX backup_export_bucket_by_group ON backup_export_bucket (group_id, id)');
      const db = schema.from<Tables>();
      for await (const row of schema.rows<FormerBucket>('former_backup_export_bucket', 'id'))
        await db.insertInto('backup_export_bucket').values(columnsOf(row)).execute();
      await schema.run('DROP TABLE former_backup_export_bucket');
    },
  },
];

function columnsOf({ document, ...row }: FormerBucket) {
  const { azure, ...facts }: FormerFacts = JSON.parse(document);
  return {
    ...row,
    provider: facts.provider,
    bucket_name: facts.bucketName,
    role_id: facts.roleId,
    region: facts.region ?? null,
    service_url: azure?.given ?? null,
    account_url: azure?.serviceUrl ?? null,
    account: azure?.account ?? null,
    tenant_id: facts.tenantId ?? null,
  };
}

/** A row as it was before this migration. */
interface FormerBucket {
  readonly id: string;
  readonly group_id: string;
  readonly document: string;
}

interface FormerFacts {
  readonly provider: string;
  readonly bucketName: string;
  readonly roleId: string;
  readonly region?: string;
  readonly azure?: { readonly given: string; readonly serviceUrl: string; readonly account: string };
  readonly tenantId?: string;
}

interface Tables {
  backup_export_bucket: ReturnType<typeof columnsOf>;
}
