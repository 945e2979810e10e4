import type { Tx } from '../../../store/index.ts';
import { type ClusterModel, enqueueWork } from '../../clusters/index.ts';
import type { Surveyed } from '../protocol.ts';
import type { AcceptedRequest } from '../request.ts';
import { type CheckRow, checkById, openCheckOf, putCheck } from './rows.ts';

export const CHECK = { kind: 'liveMigration.check' };

export interface CheckWork {
  readonly clusterId: string;
  readonly checkId: string;
}

/**
 * Enqueues a check of whether a migration is possible. `migrationId` is the id of the migration that waits for the
 * check.
 */
export async function requestCheck(
  tx: Tx,
  cluster: ClusterModel,
  accepted: AcceptedRequest & { readonly migrationId?: string },
): Promise<CheckRow> {
  const row: CheckRow = {
    ...accepted,
    groupId: cluster.groupId,
    clusterId: cluster.id,
    status: 'PENDING',
    survey: undefined,
    problem: undefined,
    migrationId: accepted.migrationId,
  };
  await putCheck(tx, row);
  const options = { queue: `migration-check:${row.id}` };
  await enqueueWork<CheckWork>(tx, CHECK, cluster, { checkId: row.id }, options);
  return row;
}

/** Records the survey of a source: the facts that a migration host has found about it. */
export async function recordSurvey(tx: Tx, orgId: string, { id, survey, problem }: Surveyed): Promise<void> {
  const row = await checkById(tx, id);
  if (row?.orgId !== orgId || row.status !== 'PENDING' || row.survey || row.problem) return;
  await putCheck(tx, {
    ...row,
    survey,
    problem: survey ? undefined : (problem ?? 'The source could not be read.'),
  });
}

/** Ends a check: stores the result, and deletes the password of the source. */
export async function endCheck(tx: Tx, row: CheckRow, problem: string | undefined): Promise<void> {
  const status = problem === undefined ? 'SUCCESS' : 'FAILED';
  await putCheck(tx, { ...row, status, problem, sealed: undefined });
}

/** Ends the check of a migration that has ended before its check. */
export async function abandonCheckOf(tx: Tx, migrationId: string): Promise<void> {
  const row = await openCheckOf(tx, migrationId);
  if (row) await endCheck(tx, row, 'The migration has ended.');
}
