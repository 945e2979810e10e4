import type { Migration, MigrationSchema } from '../../../../store/store.ts';

/** The columns that restores and downloads have in common. */
const commonColumns = `
  id {text} PRIMARY KEY,
  group_id {text} NOT NULL REFERENCES project (id) ON DELETE CASCADE,
  cluster_id {text} NOT NULL,
  snapshot_id {text} NOT NULL,
  snapshot_created {int64} NOT NULL,
  snapshot_finished {int64} NOT NULL,
  requested {int64} NOT NULL,
  begun {int64} NOT NULL,
  finished {int64},
  compared_collections {int64},
  compared_documents {int64},
  problem {text}`;

export const jobMigrations: readonly Migration[] = [
  {
    number: 207,
    name: 'downloads apart from restores',
    async up(schema) {
      for (const index of ['by_cluster', 'by_target', 'to_target'])
        await schema.run(`DROP INDEX backup_restore_${index}`);
      await schema.run('ALTER TABLE backup_restore RENAME TO former_backup_restore');
      // There are no foreign keys to clusters and snapshots, since jobs outlive both.
      await schema.run(`
        CREATE TABLE backup_restore (
          ${commonColumns},
          source_name {text},
          target_id {text} NOT NULL,
          target_group_id {text} NOT NULL,
          target_name {text} NOT NULL,
          point_seconds {int64},
          point_increment {int64},
          awaited_run {int64}
        ) {strict}`);
      await schema.run(`
        CREATE TABLE backup_download (
          ${commonColumns},
          cluster_name {text} NOT NULL,
          host {text} NOT NULL,
          source_id {text} NOT NULL,
          members {text},
          of_shard {int64} NOT NULL,
          hours {int64} NOT NULL,
          archives {text},
          expires {int64},
          ended {text}
        ) {strict}`);
      await schema.run('CREATE INDEX backup_restore_by_cluster ON backup_restore (cluster_id, id)');
      await schema.run('CREATE INDEX backup_restore_by_target ON backup_restore (target_id, finished)');
      await schema.run('CREATE INDEX backup_restore_to_target ON backup_restore (target_id, id)');
      await schema.run('CREATE INDEX backup_download_by_cluster ON backup_download (cluster_id, id)');
      await schema.run('CREATE INDEX backup_download_by_group ON backup_download (group_id, finished)');
      for await (const row of schema.rows<FormerJob>('former_backup_restore', 'id')) await move(schema, row);
      await schema.run('DROP TABLE former_backup_restore');
    },
  },
];

async function move(schema: MigrationSchema, row: FormerJob): Promise<void> {
  const facts: FormerFacts = JSON.parse(row.document);
  const { download, pointInTime } = facts;
  const common = commonOf(row, facts);
  const db = schema.from<Tables>();
  if (download === undefined) {
    const restore = {
      ...common,
      source_name: facts.sourceName ?? null,
      target_id: row.target_id,
      target_group_id: facts.targetGroupId ?? row.group_id,
      target_name: facts.targetClusterName ?? '',
      point_seconds: pointInTime?.seconds ?? null,
      point_increment: pointInTime?.increment ?? null,
      awaited_run: facts.awaitedRun ?? null,
    };
    await db.insertInto('backup_restore').values(restore).execute();
    return;
  }
  const { archives, members, expiresAt } = download;
  const own = {
    ...common,
    cluster_name: download.clusterName,
    host: download.host,
    source_id: download.source,
    members: members === undefined ? null : JSON.stringify(members),
    of_shard: download.ofShard ? 1 : 0,
    hours: download.hours,
    archives: archives === undefined ? null : JSON.stringify(archives),
    expires: expiresAt === undefined ? null : Date.parse(expiresAt),
    ended: download.ended ?? null,
  };
  await db.insertInto('backup_download').values(own).execute();
}

function commonOf({ id, group_id, cluster_id, finished }: FormerJob, facts: FormerFacts) {
  const { compared, timestamp, snapshotFinished = timestamp, requested = timestamp } = facts;
  return {
    id,
    group_id,
    cluster_id,
    snapshot_id: facts.snapshotId,
    snapshot_created: Date.parse(timestamp),
    // Jobs of earlier versions may lack `snapshotFinished` and `requested`. For these jobs, the API showed the time
    // of the snapshot instead.
    snapshot_finished: Date.parse(snapshotFinished),
    requested: Date.parse(requested),
    begun: facts.begun ? 1 : 0,
    finished,
    compared_collections: compared?.collections ?? null,
    compared_documents: compared?.documents ?? null,
    problem: facts.problem ?? null,
  };
}

/** Rows before this migration. */
interface FormerJob {
  readonly id: string;
  readonly group_id: string;
  readonly cluster_id: string;
  readonly target_id: string;
  readonly finished: number | null;
  readonly document: string;
}

interface FormerFacts {
  readonly snapshotId: string;
  readonly download?: {
    readonly hours: number;
    readonly source: string;
    readonly host: string;
    readonly clusterName: string;
    readonly members?: readonly string[];
    readonly ofShard?: boolean;
    readonly archives?: readonly object[];
    readonly expiresAt?: string;
    readonly ended?: string;
  };
  readonly pointInTime?: { readonly seconds: number; readonly increment?: number };
  readonly timestamp: string;
  readonly snapshotFinished?: string;
  readonly requested?: string;
  readonly awaitedRun?: number;
  readonly begun?: boolean;
  readonly sourceName?: string;
  readonly targetGroupId?: string;
  readonly targetClusterName?: string;
  readonly compared?: { readonly collections: number; readonly documents: number };
  readonly problem?: string;
}

type Row = Readonly<Record<string, string | number | null>>;

interface Tables {
  backup_restore: Row;
  backup_download: Row;
}
