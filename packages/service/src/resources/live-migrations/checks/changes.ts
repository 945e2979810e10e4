import type { Tx } from '../../../store/index.ts';
import { type ClusterModel, enqueueWork } from '../../clusters/index.ts';
import type { Surveyed } from '../protocol.ts';
import type { Asked } from '../wish.ts';
import { type CheckRow, checkById, putCheck } from './rows.ts';

export const CHECK = { kind: 'liveMigration.check' };

export interface CheckWork {
  readonly clusterId: string;
  readonly checkId: string;
}

/** Lets a task look whether a migration is possible; `migrationId`: before that one begins. */
export async function requestCheck(
  tx: Tx,
  cluster: ClusterModel,
  asked: Asked & { readonly migrationId?: string },
): Promise<CheckRow> {
  const row: CheckRow = {
    ...asked,
    groupId: cluster.groupId,
    clusterId: cluster.id,
    status: 'PENDING',
    survey: undefined,
    problem: undefined,
    migrationId: asked.migrationId,
  };
  await putCheck(tx, row);
  const beside = { beside: `migration-check:${row.id}` };
  await enqueueWork<CheckWork>(tx, CHECK, cluster, { checkId: row.id }, beside);
  return row;
}

/** Keeps what a migration host has found at a source. */
export async function takeSurvey(tx: Tx, orgId: string, { id, survey, problem }: Surveyed): Promise<void> {
  const row = await checkById(tx, id);
  if (row?.orgId !== orgId || row.status !== 'PENDING' || row.survey || row.problem) return;
  await putCheck(tx, {
    ...row,
    survey,
    problem: survey ? undefined : (problem ?? 'The source could not be read.'),
  });
}

/** It is over: possible, or there is a problem. The password of the source is not needed any more. */
export async function endCheck(tx: Tx, row: CheckRow, problem: string | undefined): Promise<void> {
  const status = problem === undefined ? 'SUCCESS' : 'FAILED';
  await putCheck(tx, { ...row, status, problem, sealed: undefined });
}
