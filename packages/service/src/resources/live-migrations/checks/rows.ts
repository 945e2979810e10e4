import type { Selectable } from 'kysely';
import { codec, type ReadTx, type Tx } from '../../../store/index.ts';
import type { Survey } from '../protocol.ts';
import type { MigrationSpec } from '../request.ts';

interface Tables {
  migration_check: {
    id: string;
    org_id: string;
    group_id: string;
    cluster_id: string;
    status: string;
    wish: string;
    sealed: Uint8Array | null;
    survey: string | null;
    problem: string | null;
    migration_id: string | null;
  };
}

export interface CheckRow {
  readonly id: string;
  readonly orgId: string;
  readonly groupId: string;
  readonly clusterId: string;
  readonly status: 'PENDING' | 'SUCCESS' | 'FAILED';
  readonly spec: MigrationSpec;
  /** The encrypted password of the source. It is deleted when the check ends. */
  readonly sealed: Uint8Array | undefined;
  /** The migration host's survey of the source. */
  readonly survey: Survey | undefined;
  /**
   * While the check is pending, the problem that the migration host has reported, if any. After the end of the check,
   * why the migration is not possible; undefined if it is possible.
   */
  readonly problem: string | undefined;
  /** The migration that waits for the check; undefined for a check without a migration. */
  readonly migrationId: string | undefined;
}

const spec = codec.json<MigrationSpec>();
const survey = codec.json<Survey>();

function readRow(row: Selectable<Tables['migration_check']>): CheckRow {
  return {
    id: row.id,
    orgId: row.org_id,
    groupId: row.group_id,
    clusterId: row.cluster_id,
    status: row.status as CheckRow['status'],
    spec: spec.read(row.wish),
    sealed: row.sealed ?? undefined,
    survey: row.survey === null ? undefined : survey.read(row.survey),
    problem: row.problem ?? undefined,
    migrationId: row.migration_id ?? undefined,
  };
}

export async function putCheck(tx: Tx, row: CheckRow): Promise<void> {
  const columns = {
    status: row.status,
    sealed: row.sealed ?? null,
    survey: row.survey === undefined ? null : survey.write(row.survey),
    problem: row.problem ?? null,
  };
  await tx
    .from<Tables>()
    .insertInto('migration_check')
    .values({
      id: row.id,
      org_id: row.orgId,
      group_id: row.groupId,
      cluster_id: row.clusterId,
      wish: spec.write(row.spec),
      migration_id: row.migrationId ?? null,
      ...columns,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute();
}

export async function checkById(tx: ReadTx, id: string): Promise<CheckRow | undefined> {
  const query = tx.from<Tables>().selectFrom('migration_check').selectAll();
  const row = await query.where('id', '=', id).executeTakeFirst();
  return row && readRow(row);
}

/** Returns the check that a migration waits for. */
export async function openCheckOf(tx: ReadTx, migrationId: string): Promise<CheckRow | undefined> {
  const query = tx.from<Tables>().selectFrom('migration_check').selectAll();
  const pending = query.where('migration_id', '=', migrationId).where('status', '=', 'PENDING');
  const row = await pending.executeTakeFirst();
  return row && readRow(row);
}

/** Returns the checks of an organization that wait for a survey. */
export async function openChecks(tx: ReadTx, orgId: string): Promise<CheckRow[]> {
  const query = tx.from<Tables>().selectFrom('migration_check').selectAll().where('org_id', '=', orgId);
  const open = query.where('status', '=', 'PENDING').where('survey', 'is', null).where('problem', 'is', null);
  return (await open.orderBy('id').execute()).map(readRow);
}
