import type { Selectable } from 'kysely';
import { codec, fetchPage, type PageRange, type ReadTx, type Tx } from '../../../store/index.ts';
import type { MigrationSpec } from '../request.ts';
import { type Ending, type MigrationState, openStates } from './states.ts';

interface Tables {
  live_migration: {
    id: string;
    org_id: string;
    group_id: string;
    cluster_id: string;
    cluster_name: string;
    state: string;
    ending: string | null;
    wish: string;
    sealed: Uint8Array | null;
    progress: string;
  };
}

/** The progress of a migration. Dates are service time, ISO 8601. */
interface MigrationProgress {
  /** The migration host. */
  readonly host: string;
  /** The number of the attempt. It starts at 1, and increases with each restart. */
  readonly attempt: number;
  /** The block that was added to the project's access list. */
  readonly block?: string;
  readonly lagTimeSeconds?: number;
  /** Machine time of the last report or, before the first report, of the creation or start of the migration. */
  readonly told?: number;
  /** Service time of the last report without an obstacle or, if there is none, of the last change of the state. */
  readonly alive?: string;
  /** The reason why the migration host could not continue, according to its last report. */
  readonly obstacle?: string;
  readonly ready?: boolean;
  /** When the migration was first ready for its cutover. */
  readonly readySince?: string;
  readonly cutover?: string;
  readonly problem?: string;
}

export interface MigrationRow {
  readonly id: string;
  readonly orgId: string;
  readonly groupId: string;
  readonly clusterId: string;
  readonly clusterName: string;
  readonly state: MigrationState;
  /** The final state, set when the migration begins to end. */
  readonly ending: Ending | undefined;
  readonly spec: MigrationSpec;
  /** The encrypted password of the source. It is deleted when the migration ends. */
  readonly sealed: Uint8Array | undefined;
  readonly progress: MigrationProgress;
}

const spec = codec.json<MigrationSpec>();
const progress = codec.json<MigrationProgress>();

function readRow(row: Selectable<Tables['live_migration']>): MigrationRow {
  return {
    id: row.id,
    orgId: row.org_id,
    groupId: row.group_id,
    clusterId: row.cluster_id,
    clusterName: row.cluster_name,
    state: row.state as MigrationState,
    ending: (row.ending ?? undefined) as Ending | undefined,
    spec: spec.read(row.wish),
    sealed: row.sealed ?? undefined,
    progress: progress.read(row.progress),
  };
}

export async function putMigration(tx: Tx, row: MigrationRow): Promise<void> {
  const columns = {
    state: row.state,
    ending: row.ending ?? null,
    sealed: row.sealed ?? null,
    progress: progress.write(row.progress),
  };
  await tx
    .from<Tables>()
    .insertInto('live_migration')
    .values({
      id: row.id,
      org_id: row.orgId,
      group_id: row.groupId,
      cluster_id: row.clusterId,
      cluster_name: row.clusterName,
      wish: spec.write(row.spec),
      ...columns,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute();
}

export async function migrationById(tx: ReadTx, id: string): Promise<MigrationRow | undefined> {
  const query = tx.from<Tables>().selectFrom('live_migration').selectAll();
  const row = await query.where('id', '=', id).executeTakeFirst();
  return row && readRow(row);
}

const open = (tx: ReadTx) =>
  tx.from<Tables>().selectFrom('live_migration').selectAll().where('state', 'in', openStates);

/** Returns the open migration with this destination, if any. */
export async function openMigrationOf(tx: ReadTx, clusterId: string): Promise<MigrationRow | undefined> {
  const row = await open(tx).where('cluster_id', '=', clusterId).executeTakeFirst();
  return row && readRow(row);
}

export async function openMigrationsIn(tx: ReadTx, orgId: string): Promise<MigrationRow[]> {
  return (await open(tx).where('org_id', '=', orgId).orderBy('id').execute()).map(readRow);
}

/** Returns the migrations into a project, newest first. */
export async function pageOfMigrations(tx: ReadTx, groupId: string, page: PageRange) {
  const query = tx.from<Tables>().selectFrom('live_migration').selectAll().where('group_id', '=', groupId);
  const { rows, next } = await fetchPage(query, 'id', page, 'desc');
  return { rows: rows.map(readRow), next };
}
