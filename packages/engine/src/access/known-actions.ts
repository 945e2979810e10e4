import { words } from './actions.ts';
import { builtInRoles } from './roles.ts';

/**
 * Actions that no built-in role lists by name. Only the built-in roles that allow all actions include these actions.
 */
const others = words(`anyAction applyOps auditConfigure auditLogRotate changeOwnCustomData changeOwnPassword
  compactStructuredEncryptionData cleanupStructuredEncryptionData dropIndexes
  exportCollection forceUUID hostInfo impersonate importCollection internal issueDirectShardOperations
  killAllSessions listCachedAndActiveUsers listCursors logicalSessions performRawDataOperations planCacheIndexFilter
  queryStatsReadTransformed refineCollectionShardKey renameCollection repairDatabase reportAuditLog setFreeMonitoring
  setParameter sharedDataDistribution storageDetails top trafficRecord transitionToSharded useTenant useUUID
  viewAllCollections`);

/** All actions that a custom role may contain. */
export const knownActions: ReadonlySet<string> = new Set([
  ...others,
  ...Object.values(builtInRoles)
    .flatMap((make) => make({ role: '', database: 'admin' }))
    .flatMap(({ actions }) => (actions === 'all' ? [] : [...actions])),
]);
