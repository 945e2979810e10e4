import { accessTracking } from './access-tracking.ts';
import { alertConfigurations } from './alert-configurations.ts';
import { alerts } from './alerts.ts';
import { auditing } from './auditing.ts';
import { awsClustersDns } from './aws-clusters-dns.ts';
import { cloudBackups } from './cloud-backups.ts';
import { cloudMigrationService } from './cloud-migration-service.ts';
import { cloudProviderAccess } from './cloud-provider-access.ts';
import { clusterOutageSimulation } from './cluster-outage-simulation.ts';
import { clusters } from './clusters.ts';
import { customDatabaseRoles } from './custom-database-roles.ts';
import { databaseUsers } from './database-users.ts';
import { dbCloudUsers } from './db-cloud-users.ts';
import { encryptionAtRest } from './encryption-at-rest.ts';
import { events } from './events.ts';
import { flexClusters } from './flex-clusters.ts';
import { flexRestoreJobs } from './flex-restore-jobs.ts';
import { flexSnapshots } from './flex-snapshots.ts';
import { maintenanceWindows } from './maintenance-windows.ts';
import { monitoringAndLogs } from './monitoring-and-logs.ts';
import { networkPeering } from './network-peering.ts';
import { organizations } from './organizations.ts';
import type { PlannedOperation } from './planned.ts';
import { platformSearch } from './platform-search.ts';
import { programmaticApiKeys } from './programmatic-api-keys.ts';
import { projectIpAccessList } from './project-ip-access-list.ts';
import { projects } from './projects.ts';
import { root } from './root.ts';
import { serverlessInstances } from './serverless-instances.ts';
import { serviceAccounts } from './service-accounts.ts';
import { teams } from './teams.ts';

const tags = [
  accessTracking,
  alertConfigurations,
  alerts,
  auditing,
  awsClustersDns,
  cloudBackups,
  cloudMigrationService,
  cloudProviderAccess,
  clusterOutageSimulation,
  clusters,
  customDatabaseRoles,
  databaseUsers,
  dbCloudUsers,
  encryptionAtRest,
  events,
  flexClusters,
  flexRestoreJobs,
  flexSnapshots,
  maintenanceWindows,
  monitoringAndLogs,
  networkPeering,
  organizations,
  platformSearch,
  programmaticApiKeys,
  projectIpAccessList,
  projects,
  root,
  serverlessInstances,
  serviceAccounts,
  teams,
] as const;

/** Every operation of contract and reference. Those that are not served answer 501 `OPERATION_NOT_AVAILABLE`. */
export const plannedOperations: readonly PlannedOperation[] = tags.flatMap((tag) =>
  Object.values<PlannedOperation>(tag),
);

/** The operations by id, with their method and path in the type. */
export type Catalogue = AllOf<(typeof tags)[number]>;

type AllOf<Tags> = (Tags extends unknown ? (tag: Tags) => void : never) extends (all: infer All) => void
  ? All
  : never;

export type PlannedId = keyof Catalogue & string;

const byId = new Map(plannedOperations.map((operation) => [operation.id, operation]));

/** The operation of an id. */
export function plannedOperation<Id extends PlannedId>(id: Id): Catalogue[Id] {
  return byId.get(id) as Catalogue[Id] & PlannedOperation;
}
