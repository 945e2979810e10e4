import { words } from './actions.ts';
import { builtInRoles } from './roles.ts';

/** Actions that only built-in roles with all actions have. */
const others = words(`anyAction applyOps auditConfigure auditLogRotate changeOwnCustomData changeOwnPassword
  compactStructuredEncryptionData cleanupStructuredEncryptionData configureQueryAnalyzer dropIndexes
  exportCollection forceUUID hostInfo impersonate importCollection internal issueDirectShardOperations
  killAllSessions listCachedAndActiveUsers listCursors logicalSessions performRawDataOperations planCacheIndexFilter
  queryStatsReadTransformed refineCollectionShardKey renameCollection repairDatabase reportAuditLog setFreeMonitoring
  setParameter sharedDataDistribution storageDetails top trafficRecord transitionToSharded useTenant useUUID
  viewAllCollections`);

/** Every action that a custom role may name. */
export const knownActions: ReadonlySet<string> = new Set([
  ...others,
  ...Object.values(builtInRoles)
    .flatMap((make) => make({ role: '', database: 'admin' }))
    .flatMap(({ actions }) => (actions === 'all' ? [] : [...actions])),
]);
