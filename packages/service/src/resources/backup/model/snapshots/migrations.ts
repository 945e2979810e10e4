import type { Migration, MigrationSchema } from '../../../../store/store.ts';

const newColumns = [
  "cluster_name {text} NOT NULL DEFAULT ''",
  "frequency {text} NOT NULL DEFAULT ''",
  'description {text}',
  'retention_value {int64} NOT NULL DEFAULT 0',
  "retention_unit {text} NOT NULL DEFAULT ''",
  'by_hand {int64} NOT NULL DEFAULT 0',
  'due {int64}',
  'items {text}',
  'started {int64}',
  'ended {int64}',
  'config_servers {text}',
  'version {text}',
  'provider {text}',
  'disk_gb {real}',
  'storage_bytes {int64} NOT NULL DEFAULT 0',
  'master_key {text}',
  'key_provider {text}',
  'tried {int64} NOT NULL DEFAULT 0',
  'position_seconds {int64}',
  'position_increment {int64}',
  'problem {text}',
];

export const snapshotMigrations: readonly Migration[] = [
  {
    number: 208,
    name: 'columns of snapshots',
    async up(schema) {
      // Add columns rather than replace the table, since that would delete the copies that reference it.
      for (const column of newColumns) await schema.run(`ALTER TABLE backup_snapshot ADD COLUMN ${column}`);
      await schema.run(`
        CREATE TABLE backup_snapshot_member (
          id {text} PRIMARY KEY,
          snapshot_id {text} NOT NULL REFERENCES backup_snapshot (id) ON DELETE CASCADE,
          place {int64} NOT NULL,
          replica_set_name {text} NOT NULL,
          provider {text} NOT NULL
        ) {strict}`);
      await schema.run(
        'CREATE INDEX backup_snapshot_member_by_snapshot ON backup_snapshot_member (snapshot_id, place)',
      );
      for await (const row of schema.rows<FormerSnapshot>('backup_snapshot', 'id')) await move(schema, row);
      await schema.run('ALTER TABLE backup_snapshot DROP COLUMN document');
    },
  },
  {
    number: 211,
    name: 'consistency of snapshots',
    async up(schema) {
      await schema.run('ALTER TABLE backup_snapshot ADD COLUMN consistency {text}');
    },
  },
  {
    number: 212,
    name: 'positions of snapshots of adopted deployments',
    async up(schema) {
      // These positions are those of the copy from which the snapshot was taken, not those of the deployment.
      await schema.run(
        'UPDATE backup_snapshot SET position_seconds = NULL, position_increment = NULL WHERE consistency IS NOT NULL',
      );
    },
  },
];

async function move(schema: MigrationSchema, { id, document }: FormerSnapshot): Promise<void> {
  const facts: FormerFacts = JSON.parse(document);
  const db = schema.from<Tables>();
  await db.updateTable('backup_snapshot').set(columnsOf(facts)).where('id', '=', id).execute();
  for (const [place, member] of (facts.sharded?.members ?? []).entries()) {
    const row = { id: member.id, replica_set_name: member.replicaSetName, provider: member.provider };
    await db
      .insertInto('backup_snapshot_member')
      .values({ ...row, snapshot_id: id, place })
      .execute();
  }
}

function columnsOf(facts: FormerFacts) {
  const { encryption, position, retention, sharded } = facts;
  return {
    cluster_name: facts.clusterName,
    frequency: facts.frequency,
    description: facts.description ?? null,
    retention_value: retention.value,
    retention_unit: retention.unit,
    by_hand: facts.byHand ? 1 : 0,
    due: dateOf(facts.due),
    items: facts.items === undefined ? null : JSON.stringify(facts.items),
    started: dateOf(facts.started),
    ended: dateOf(facts.ended),
    config_servers: sharded?.configServers ?? null,
    version: facts.version ?? null,
    provider: facts.provider ?? null,
    disk_gb: facts.diskGB ?? null,
    storage_bytes: facts.storageBytes,
    master_key: encryption?.masterKey ?? null,
    key_provider: encryption?.provider ?? null,
    tried: facts.tried ? 1 : 0,
    position_seconds: position?.seconds ?? null,
    position_increment: position?.increment ?? null,
    problem: facts.problem ?? null,
  };
}

const dateOf = (iso: string | undefined) => (iso === undefined ? null : Date.parse(iso));

/** Rows before this migration. */
interface FormerSnapshot {
  readonly id: string;
  readonly document: string;
}

interface FormerFacts {
  readonly clusterName: string;
  readonly frequency: string;
  readonly description?: string;
  readonly retention: { readonly value: number; readonly unit: string };
  readonly byHand?: boolean;
  readonly due?: string;
  readonly items?: readonly object[];
  readonly started?: string;
  readonly ended?: string;
  readonly sharded?: {
    readonly members: ReadonlyArray<{
      readonly id: string;
      readonly replicaSetName: string;
      readonly provider: string;
    }>;
    readonly configServers: string;
  };
  readonly version?: string;
  readonly provider?: string;
  readonly diskGB?: number;
  readonly storageBytes: number;
  readonly encryption?: { readonly masterKey: string; readonly provider: string };
  readonly tried?: boolean;
  readonly position?: { readonly seconds: number; readonly increment: number };
  readonly problem?: string;
}

interface Tables {
  backup_snapshot: { id: string } & ReturnType<typeof columnsOf>;
  backup_snapshot_member: {
    id: string;
    snapshot_id: string;
    place: number;
    replica_set_name: string;
    provider: string;
  };
}
