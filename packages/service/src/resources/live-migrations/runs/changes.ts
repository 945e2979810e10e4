import { badValue } from '../../../api/faults.ts';
import { type Actor, system } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import { type ClusterModel, clusterById, enqueueWork } from '../../clusters/index.ts';
import { recordInProject } from '../../projects/index.ts';
import { agentsOf } from '../links/rows.ts';
import { findSource } from '../links/rules.ts';
import type { Progress } from '../protocol.ts';
import type { migrationEvents } from '../rules.ts';
import type { Asked } from '../wish.ts';
import { type MigrationRow, migrationById, putMigration } from './rows.ts';
import { type Ending, isOpen } from './states.ts';

export const PREPARE = { kind: 'liveMigration.prepare' };
export const END = { kind: 'liveMigration.end' };
export const EXPIRE = { kind: 'liveMigration.expire' };

export interface MigrationWork {
  readonly clusterId: string;
  readonly migrationId: string;
}

const HOUR_MS = 3_600_000;
/** How long one that is ready waits for its cutover (clusters-data reference 5). */
const EXPIRES_MS = 120 * HOUR_MS;
/** All begins anew so often where the source forgets changes before they are copied. */
const MOST_ATTEMPTS = 4;

export async function addMigration(
  tx: Tx,
  { groupId, id: clusterId, name: clusterName }: ClusterModel,
  asked: Asked,
  machineNow: number,
): Promise<MigrationRow> {
  const { wish, orgId } = asked;
  const at = { projectId: wish.sourceGroupId, deployment: wish.sourceName, host: wish.host };
  const source = await findSource(tx, orgId, at, machineNow);
  const row: MigrationRow = {
    ...asked,
    groupId,
    clusterId,
    clusterName,
    state: 'CHECKING',
    ending: undefined,
    progress: { host: source?.agent.host ?? wish.host ?? '', attempt: 1 },
  };
  await putMigration(tx, row);
  return row;
}

/** Source and destination have been looked at. */
export async function checked(tx: Tx, id: string, problem: string | undefined): Promise<void> {
  const row = await migrationById(tx, id);
  if (row?.state !== 'CHECKING') return;
  if (problem !== undefined) return end(tx, row, 'FAILED', problem);
  await putMigration(tx, { ...row, state: 'PREPARING' });
  await work(tx, PREPARE, row);
}

/** The migration host may begin. */
export async function started(tx: Tx, row: MigrationRow): Promise<void> {
  await putMigration(tx, { ...row, state: 'RUNNING' });
  await record(tx, row, 'CLUSTER_IMPORT_STARTED', system);
}

/** Takes over what the migration host tells of its work. */
export async function takeProgress(
  tx: Tx,
  row: MigrationRow,
  told: Progress,
  machineNow: number,
): Promise<void> {
  if (row.state !== 'RUNNING' || told.attempt !== row.progress.attempt) return;
  if (told.phase === 'failed') return end(tx, row, 'FAILED', told.problem ?? 'the migration host gave up');
  if (told.phase === 'lost') return beginAnew(tx, row);
  if (told.phase === 'done' && row.progress.cutover !== undefined) return end(tx, row, 'COMPLETE');
  const { lagTimeSeconds: _, ...before } = row.progress;
  const readySince = before.readySince ?? (told.ready ? tx.now.toISOString() : undefined);
  const progress = {
    ...before,
    ...(told.lagTimeSeconds === undefined ? {} : { lagTimeSeconds: told.lagTimeSeconds }),
    told: machineNow,
    ready: told.ready,
    ...(readySince === undefined ? {} : { readySince }),
  };
  await putMigration(tx, { ...row, progress });
  if (before.readySince === undefined && readySince !== undefined) {
    await work(tx, EXPIRE, row, new Date(tx.now.getTime() + EXPIRES_MS));
  }
}

/** The source does not remember what happened since the last change that was copied. */
async function beginAnew(tx: Tx, row: MigrationRow): Promise<void> {
  const { host, attempt, block } = row.progress;
  if (attempt >= MOST_ATTEMPTS)
    return end(
      tx,
      row,
      'FAILED',
      'the source forgets changes before they are copied: its oplog is too small',
    );
  const progress = { host, attempt: attempt + 1, ...(block === undefined ? {} : { block }) };
  await putMigration(tx, { ...row, progress });
  await record(tx, row, 'CLUSTER_IMPORT_RESTART_REQUESTED', system);
}

/** Lets the migration host apply what is there, and end; throws before it is ready. Asked again, nothing happens. */
export async function requestCutover(tx: Tx, row: MigrationRow, ready: boolean, actor: Actor): Promise<void> {
  if (row.progress.cutover !== undefined && isOpen(row.state)) return;
  if (row.state !== 'RUNNING' || !ready)
    throw badValue('liveMigrationId', 'names a migration that is not ready for its cutover');
  const progress = { ...row.progress, cutover: tx.now.toISOString() };
  await putMigration(tx, { ...row, progress });
  await record(tx, row, 'CLUSTER_IMPORT_CUTOVER', actor);
}

/** Lets a task take away what the migration has put into the destination for itself. */
export async function end(tx: Tx, row: MigrationRow, ending: Ending, problem?: string): Promise<void> {
  if (!isOpen(row.state) || row.state === 'ENDING') return;
  const progress = { ...row.progress, ...(problem === undefined ? {} : { problem }) };
  await putMigration(tx, { ...row, state: 'ENDING', ending, sealed: undefined, progress });
  await work(tx, END, row);
}

const endEvents = {
  COMPLETE: 'CLUSTER_IMPORT_COMPLETED',
  FAILED: 'CLUSTER_IMPORT_CANCELLED',
  EXPIRED: 'CLUSTER_IMPORT_EXPIRED',
} as const satisfies Record<Ending, keyof typeof migrationEvents>;

/** Nothing of it is left in the destination but what was migrated. */
export async function ended(tx: Tx, row: MigrationRow): Promise<void> {
  if (row.ending === undefined || !isOpen(row.state)) return;
  await putMigration(tx, { ...row, state: row.ending });
  await record(tx, row, endEvents[row.ending], system);
}

async function record(
  tx: Tx,
  { groupId, clusterName, progress }: MigrationRow,
  type: keyof typeof migrationEvents,
  actor: Actor,
): Promise<void> {
  const { problem: reason } = progress;
  await recordInProject(tx, groupId, { type, actor, clusterName, ...(reason && { details: { reason } }) });
}

/** The address from which the migration host calls; nothing where it is gone. */
export async function addressOf(tx: Tx, { orgId, progress }: MigrationRow): Promise<string | undefined> {
  return (await agentsOf(tx, orgId)).find(({ host }) => host === progress.host)?.address;
}

async function work(tx: Tx, kind: { readonly kind: string }, row: MigrationRow, runAt?: Date): Promise<void> {
  const cluster = await clusterById(tx, row.clusterId);
  if (cluster === undefined) return;
  // One line for a cluster: what a migration leaves behind is taken away before the next one puts its own there.
  const at =
    runAt === undefined
      ? { beside: 'migration' }
      : { beside: `migration:${row.id}:expiry`, runAt, anywhere: true };
  await enqueueWork<MigrationWork>(tx, kind, cluster, { migrationId: row.id }, at);
}
