import { badValue } from '../../../api/faults.ts';
import { type Actor, system } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import { storeProgress } from '../../../tasks/index.ts';
import { type ClusterModel, clusterById, enqueueWork, workKey } from '../../clusters/index.ts';
import { recordInProject } from '../../projects/index.ts';
import { abandonCheckOf } from '../checks/changes.ts';
import { agentsOf } from '../links/rows.ts';
import { findSource } from '../links/rules.ts';
import type { Progress } from '../protocol.ts';
import type { AcceptedRequest } from '../request.ts';
import type { migrationEvents } from '../rules.ts';
import { revokeAccess } from './access.ts';
import { type MigrationRow, migrationById, putMigration } from './rows.ts';
import { type Ending, isOpen } from './states.ts';

export const PREPARE = { kind: 'liveMigration.prepare' };
export const END = { kind: 'liveMigration.end' };
export const COMPLETE = { kind: 'liveMigration.complete' };
export const EXPIRE = { kind: 'liveMigration.expire' };
export const WATCH = { kind: 'liveMigration.watch' };

export interface MigrationWork {
  readonly clusterId: string;
  readonly migrationId: string;
}

const HOUR_MS = 3_600_000;
/** How long a ready migration waits for its cutover (docs/contract/clusters.md 5). */
const EXPIRES_MS = 120 * HOUR_MS;
/** Maximum time without progress. Waiting for the cutover also counts as progress. */
export const STALL_MS = 24 * HOUR_MS;
/**
 * The maximum number of attempts. A new attempt starts whenever the oplog of the source has dropped changes before they
 * were copied.
 */
const MAX_ATTEMPTS = 4;

export async function addMigration(
  tx: Tx,
  { groupId, id: clusterId, name: clusterName }: ClusterModel,
  accepted: AcceptedRequest,
  machineNow: number,
): Promise<MigrationRow> {
  const { spec, orgId } = accepted;
  const at = { projectId: spec.sourceGroupId, deployment: spec.sourceName, host: spec.host };
  const source = await findSource(tx, orgId, at, machineNow);
  const row: MigrationRow = {
    ...accepted,
    groupId,
    clusterId,
    clusterName,
    state: 'CHECKING',
    ending: undefined,
    progress: { host: source?.agent.host ?? spec.host ?? '', attempt: 1, ...lifeAt(tx, machineNow) },
  };
  await putMigration(tx, row);
  await watchAgain(tx, row);
  return row;
}

/**
 * Returns fields that begin a new measurement of the time without progress. Each state may last `STALL_MS` without
 * progress.
 */
const lifeAt = (tx: Tx, machineNow: number) => ({ alive: tx.now.toISOString(), told: machineNow });

/** Continues a migration when its check has ended. */
export async function continueAfterCheck(tx: Tx, id: string, problem: string | undefined): Promise<void> {
  const row = await migrationById(tx, id);
  if (row?.state !== 'CHECKING') return;
  if (problem !== undefined) return end(tx, row, 'FAILED', problem);
  const progress = { ...row.progress, alive: tx.now.toISOString() };
  await putMigration(tx, { ...row, state: 'PREPARING', progress });
  await work(tx, PREPARE, row);
}

/** Allows the migration host to start. */
export async function markRunning(tx: Tx, row: MigrationRow, machineNow: number): Promise<void> {
  const progress = { ...row.progress, ...lifeAt(tx, machineNow) };
  await putMigration(tx, { ...row, state: 'RUNNING', progress });
  await record(tx, row, 'CLUSTER_IMPORT_STARTED', system);
}

/** Records the progress that the migration host reports. */
export async function recordProgress(
  tx: Tx,
  row: MigrationRow,
  told: Progress,
  machineNow: number,
): Promise<void> {
  if (row.state !== 'RUNNING' || told.attempt !== row.progress.attempt) return;
  if (told.phase === 'failed')
    return end(tx, row, 'FAILED', told.problem ?? 'the migration host gave no reason');
  if (told.phase === 'lost') return restart(tx, row);
  if (told.phase === 'done' && row.progress.cutover !== undefined)
    return end(tx, { ...row, progress: { ...row.progress, told: machineNow } }, 'COMPLETE');
  const { lagTimeSeconds: _, obstacle: __, ...before } = row.progress;
  const readySince = before.readySince ?? (told.ready ? tx.now.toISOString() : undefined);
  const progress = {
    ...before,
    ...(told.lagTimeSeconds === undefined ? {} : { lagTimeSeconds: told.lagTimeSeconds }),
    ...(told.problem === undefined ? { alive: tx.now.toISOString() } : { obstacle: told.problem }),
    told: machineNow,
    ready: told.ready,
    ...(readySince === undefined ? {} : { readySince }),
  };
  await putMigration(tx, { ...row, progress });
  await storeCopied(tx, row, told);
  if (before.readySince === undefined && readySince !== undefined) {
    const runAt = new Date(tx.now.getTime() + EXPIRES_MS);
    await work(tx, EXPIRE, row, { queue: 'expiry', runAt });
  }
}

/** Whether the migration has waited for its cutover for too long. */
export function isExpired({ progress: { readySince } }: MigrationRow, now: Date): boolean {
  return readySince !== undefined && now.getTime() - Date.parse(readySince) >= EXPIRES_MS;
}

/**
 * Stores the number of copied documents as the progress of the task that watches the migration. The list of tasks shows
 * this progress.
 */
async function storeCopied(tx: Tx, { id, clusterId }: MigrationRow, { copied }: Progress): Promise<void> {
  if (copied === undefined) return;
  const { documents: done, total } = copied;
  const key = workKey(clusterId, `migration:${id}:watch`);
  await storeProgress(tx, { ...WATCH, key }, { unit: 'documents', done, total });
}

/** Restarts a migration after the oplog of the source has dropped changes that were not copied yet. */
async function restart(tx: Tx, row: MigrationRow): Promise<void> {
  const { host, attempt, block } = row.progress;
  if (attempt >= MAX_ATTEMPTS)
    return end(
      tx,
      row,
      'FAILED',
      'the oplog of the source is too small: it drops changes before they are copied',
    );
  const alive = tx.now.toISOString();
  const progress = { host, attempt: attempt + 1, alive, ...(block === undefined ? {} : { block }) };
  await putMigration(tx, { ...row, progress });
  await record(tx, row, 'CLUSTER_IMPORT_RESTART_REQUESTED', system);
}

/** Requests the cutover. Throws if the migration is not ready. Repeating the request has no effect. */
export async function requestCutover(tx: Tx, row: MigrationRow, ready: boolean, actor: Actor): Promise<void> {
  if (row.progress.cutover !== undefined && isOpen(row.state)) return;
  if (row.state !== 'RUNNING' || !ready)
    throw badValue('liveMigrationId', 'names a migration that is not ready for its cutover');
  const progress = { ...row.progress, cutover: tx.now.toISOString() };
  await putMigration(tx, { ...row, progress });
  await record(tx, row, 'CLUSTER_IMPORT_CUTOVER', actor);
}

/**
 * Schedules the next check for the time at which the migration will have been without progress for too long,
 * but at least an hour from now.
 */
export async function watchAgain(tx: Tx, row: MigrationRow): Promise<void> {
  const { alive = tx.now.toISOString() } = row.progress;
  const stalled = Date.parse(alive) + STALL_MS;
  const runAt = new Date(Math.max(stalled, tx.now.getTime() + HOUR_MS));
  await work(tx, WATCH, row, { queue: 'watch', runAt });
}

/** Cancels a migration. Throws if it has ended. Has no effect while it is being completed. */
export async function cancelMigration(tx: Tx, row: MigrationRow, actor: Actor): Promise<void> {
  if (!isOpen(row.state)) throw badValue('liveMigrationId', 'names a migration that has ended');
  await end(tx, row, 'FAILED', `it was cancelled by ${actor.username ?? actor.publicKey ?? 'the operator'}`);
}

/**
 * Ends a migration, and revokes its access. The nodes of the destination may be unreachable, so a task cleans the
 * destination up later. A migration that failed or expired gets its final state at once. A complete migration gets its
 * final state when the destination is clean, or when the task `COMPLETE` stops waiting for the clean-up.
 */
export async function end(tx: Tx, row: MigrationRow, ending: Ending, problem?: string): Promise<void> {
  if (!isOpen(row.state) || row.state === 'ENDING') return;
  if (row.state === 'CHECKING') await abandonCheckOf(tx, row.id);
  const progress = { ...row.progress, ...(problem === undefined ? {} : { problem }) };
  const decided = { ...row, state: 'ENDING', ending, sealed: undefined, progress } as const;
  await putMigration(tx, decided);
  await revokeAccess(tx, row, progress.block);
  await work(tx, END, row);
  if (ending === 'COMPLETE') await work(tx, COMPLETE, row, { queue: 'completion' });
  else await ended(tx, decided);
}

const endEvents = {
  COMPLETE: 'CLUSTER_IMPORT_COMPLETED',
  FAILED: 'CLUSTER_IMPORT_CANCELLED',
  EXPIRED: 'CLUSTER_IMPORT_EXPIRED',
} as const satisfies Record<Ending, keyof typeof migrationEvents>;

/** Records the final state, which releases the destination. */
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

/** Returns the address from which the migration host reports; undefined if the host is no longer linked. */
export async function addressOf(tx: Tx, { orgId, progress }: MigrationRow): Promise<string | undefined> {
  return (await agentsOf(tx, orgId)).find(({ host }) => host === progress.host)?.address;
}

/**
 * Enqueues work on a migration. For work that calls no node, `apart` names a separate queue and a start time,
 * and any instance can do the work.
 */
async function work(
  tx: Tx,
  kind: { readonly kind: string },
  row: MigrationRow,
  apart?: { readonly queue: string; readonly runAt?: Date },
): Promise<void> {
  const cluster = await clusterById(tx, row.clusterId);
  if (cluster === undefined) return;
  // All migrations of a cluster have the same queue, so that one migration is cleaned up before the next migration
  // starts.
  const at =
    apart === undefined
      ? { queue: 'migration' }
      : { ...apart, queue: `migration:${row.id}:${apart.queue}`, onAnyInstance: true };
  await enqueueWork<MigrationWork>(tx, kind, cluster, { migrationId: row.id }, at);
}
