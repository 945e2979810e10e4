import { type Actor, system } from '../../events/index.ts';
import type { Tx } from '../../store/index.ts';
import { enqueue } from '../../tasks/index.ts';
import { can, clustersIn, enqueueWork } from '../clusters/index.ts';
import { recordInProject } from '../projects/index.ts';
import { releaseRole, useRole } from '../provider-access/index.ts';
import { allLogExports, deleteLogExport, findLogExport, type LogExportRow, saveLogExport } from './rows.ts';
import { checkBucketName, requireNoLogExport } from './rules.ts';
import { isStarted, type LogExportState } from './states.ts';

export const VERIFY = { kind: 'logExport.verify' };
export const EXPORT_LOGS = { kind: 'logExport.export' };

export interface VerifyWork {
  readonly groupId: string;
  readonly revision: string;
}

type Configuration = Pick<LogExportRow, 'bucketName' | 'roleId' | 'prefixPath'>;

const usage = (groupId: string) =>
  ({ featureType: 'PUSH_BASED_LOG_EXPORT', featureId: { groupId } }) as const;

/** Configures the export, marks its role as used, and enqueues the verification of the bucket. */
export async function addLogExport(
  tx: Tx,
  actor: Actor,
  groupId: string,
  configuration: Configuration,
): Promise<void> {
  await requireNoLogExport(tx, groupId);
  await useRole(tx, { groupId, roleId: configuration.roleId, provider: 'AWS' }, usage(groupId));
  await verify(tx, { ...configuration, groupId, created: tx.now });
  await recordInProject(tx, groupId, { type: 'PUSH_BASED_LOG_EXPORT_ENABLED', actor });
}

/** Changes the configuration, and verifies the bucket again. Absent fields stay unchanged. */
export async function changeLogExport(
  tx: Tx,
  actor: Actor,
  before: LogExportRow,
  change: { readonly [Field in keyof Configuration]?: Configuration[Field] | undefined },
): Promise<void> {
  const { groupId } = before;
  const roleId = change.roleId ?? before.roleId;
  await useRole(tx, { groupId, roleId, provider: 'AWS' }, usage(groupId));
  if (roleId !== before.roleId) await releaseRole(tx, before.roleId, usage(groupId));
  const { bucketName = before.bucketName, prefixPath = before.prefixPath } = change;
  await verify(tx, { ...before, roleId, bucketName, prefixPath });
  await recordInProject(tx, groupId, { type: 'PUSH_BASED_LOG_EXPORT_CONFIGURATION_UPDATED', actor });
}

async function verify(tx: Tx, row: Omit<LogExportRow, 'revision' | 'state'>): Promise<void> {
  checkBucketName(row.bucketName);
  const revision = tx.id();
  await saveLogExport(tx, { ...row, revision, state: 'INITIATING' });
  const { groupId } = row;
  const key = `log-export:${groupId}`;
  await enqueue<VerifyWork>(tx, VERIFY, { key, owner: groupId, payload: { groupId, revision } });
}

/** Ends the export of a project. Exported files stay in the bucket. Has no effect if there is no export. */
export async function removeLogExport(tx: Tx, actor: Actor, groupId: string): Promise<void> {
  const row = await findLogExport(tx, groupId);
  if (row === undefined) return;
  await releaseRole(tx, row.roleId, usage(groupId));
  await deleteLogExport(tx, groupId);
  await recordInProject(tx, groupId, { type: 'PUSH_BASED_LOG_EXPORT_DISABLED', actor });
}

/**
 * Changes the state, unless the configuration has changed since the work began. Records an event when exports begin to
 * fail, and when they succeed again.
 */
export async function moveState(
  tx: Tx,
  { groupId, revision }: VerifyWork,
  state: LogExportState,
): Promise<void> {
  const row = await findLogExport(tx, groupId);
  if (row === undefined || row.revision !== revision || row.state === state) return;
  await saveLogExport(tx, { ...row, state });
  const record = (type: string) => recordInProject(tx, groupId, { type, actor: system });
  if (row.state === 'ACTIVE') await record('PUSH_BASED_LOG_EXPORT_STOPPED');
  else if (state === 'ACTIVE' && isStarted(row.state)) await record('PUSH_BASED_LOG_EXPORT_RESUMED');
}

/** Enqueues an export for each cluster whose project exports logs. */
export async function exportAll(tx: Tx): Promise<void> {
  for (const { groupId, state } of await allLogExports(tx)) {
    if (!isStarted(state)) continue;
    for (const cluster of await clustersIn(tx, groupId)) {
      const isThere = cluster.state !== 'CREATING' && cluster.state !== 'DELETING' && !cluster.spec.tenant;
      if (!isThere || !can(cluster, 'logs')) continue;
      await enqueueWork(tx, EXPORT_LOGS, cluster, {}, { queue: 'log-export', unlessWaiting: true });
    }
  }
}
