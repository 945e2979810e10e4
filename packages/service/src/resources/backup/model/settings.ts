import type { ClusterModel } from '../../clusters/index.ts';

/** This file determines which backups a cluster has, according to its settings. */

/** Whether snapshots of a cluster are taken. */
export function isBackedUp({ spec }: Pick<ClusterModel, 'spec'>): boolean {
  return spec.settings.providerBackupEnabled === true;
}

/** Whether the oplog of a cluster is archived. */
export function isContinuous({ spec: { kind, settings } }: Pick<ClusterModel, 'spec'>): boolean {
  if (kind === 'serverless')
    return settings.serverlessBackupOptions?.serverlessContinuousBackupEnabled ?? true;
  return settings.providerBackupEnabled === true && settings.pitEnabled === true;
}
