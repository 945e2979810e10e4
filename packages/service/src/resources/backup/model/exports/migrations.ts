import type { Migration, MigrationSchema } from '../../../../store/store.ts';

export const exportMigrations: readonly Migration[] = [
  {
    number: 206,
    name: 'columns of exports',
    async up(schema) {
      for (const by of ['cluster', 'snapshot', 'bucket'])
        await schema.run(`DROP INDEX backup_export_by_${by}`);
      await schema.run('ALTER TABLE backup_export RENAME TO former_backup_export');
      // There are no foreign keys to the cluster, the snapshot and the bucket, since jobs outlive them.
      await schema.run(`
        CREATE TABLE backup_export (
          id {text} PRIMARY KEY,
          group_id {text} NOT NULL REFERENCES project (id) ON DELETE CASCADE,
          cluster_id {text} NOT NULL,
          cluster_name {text} NOT NULL,
          snapshot_id {text} NOT NULL,
          snapshot_started {int64} NOT NULL,
          bucket_id {text} NOT NULL,
          state {text} NOT NULL,
          created {int64} NOT NULL,
          finished {int64},
          prefix {text} NOT NULL,
          by_schedule {int64} NOT NULL,
          exported {int64} NOT NULL,
          total {int64} NOT NULL,
          error_code {text},
          error_message {text},
          org_id {text} NOT NULL,
          org_name {text} NOT NULL,
          group_name {text} NOT NULL,
          labels {text} NOT NULL,
          custom_data {text} NOT NULL
        ) {strict}`);
      await schema.run(`
        CREATE TABLE backup_export_component (
          id {text} PRIMARY KEY,
          export_id {text} NOT NULL REFERENCES backup_export (id) ON DELETE CASCADE,
          place {int64} NOT NULL,
          replica_set_name {text} NOT NULL
        ) {strict}`);
      await schema.run('CREATE INDEX backup_export_by_cluster ON backup_export (cluster_id, id)');
      await schema.run('CREATE INDEX backup_export_by_snapshot ON backup_export (snapshot_id, id)');
      await schema.run('CREATE INDEX backup_export_by_bucket ON backup_export (bucket_id, state)');
      await schema.run(
        'CREATE INDEX backup_export_component_by_export ON backup_export_component (export_id, place)',
      );
      for await (const row of schema.rows<FormerExport>('former_backup_export', 'id'))
        await move(schema, row);
      await schema.run('DROP TABLE former_backup_export');
    },
  },
];

async function move(schema: MigrationSchema, { document, ...row }: FormerExport): Promise<void> {
  const facts: FormerFacts = JSON.parse(document);
  const { origin, reason, components = [] } = facts;
  const { active: _, ...kept } = row;
  const db = schema.from<Tables>();
  const columns = {
    cluster_name: facts.clusterName,
    snapshot_started: Date.parse(origin.snapshotDate),
    state: facts.state,
    created: Date.parse(facts.created),
    finished: facts.finished === undefined ? null : Date.parse(facts.finished),
    prefix: facts.prefix,
    by_schedule: facts.bySchedule ? 1 : 0,
    exported: facts.exported,
    total: facts.total,
    error_code: reason?.errorCode ?? null,
    error_message: reason?.message ?? null,
    org_id: origin.orgId,
    org_name: origin.orgName,
    group_name: origin.groupName,
    labels: JSON.stringify(origin.labels),
    custom_data: JSON.stringify(facts.customData),
  };
  await db
    .insertInto('backup_export')
    .values({ ...kept, ...columns })
    .execute();
  for (const [place, { exportId, replicaSetName }] of components.entries()) {
    const component = { id: exportId, export_id: row.id, place, replica_set_name: replicaSetName };
    await db.insertInto('backup_export_component').values(component).execute();
  }
}

/** A row as it was before this migration. */
interface FormerExport {
  readonly id: string;
  readonly group_id: string;
  readonly cluster_id: string;
  readonly snapshot_id: string;
  readonly bucket_id: string;
  readonly active: number;
  readonly document: string;
}

interface FormerFacts {
  readonly state: string;
  readonly clusterName: string;
  readonly created: string;
  readonly finished?: string;
  readonly prefix: string;
  readonly customData: readonly object[];
  readonly origin: {
    readonly orgId: string;
    readonly orgName: string;
    readonly groupName: string;
    readonly labels: readonly object[];
    readonly snapshotDate: string;
  };
  readonly bySchedule?: true;
  readonly exported: number;
  readonly total: number;
  readonly components?: ReadonlyArray<{ readonly exportId: string; readonly replicaSetName: string }>;
  readonly reason?: { readonly errorCode: string; readonly message: string };
}

interface Tables {
  backup_export: Omit<FormerExport, 'active' | 'document'> & Readonly<Record<string, string | number | null>>;
  backup_export_component: { id: string; export_id: string; place: number; replica_set_name: string };
}
