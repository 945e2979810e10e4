import { addresses } from './addresses.ts';
import { alertConfigurations } from './alert-configurations.ts';
import { apiKeys } from './api-keys.ts';
import { clusters } from './clusters.ts';
import { customRoles } from './custom-roles.ts';
import { databaseUsers } from './database-users.ts';
import type { ResourceKind } from './kind.ts';
import { projects } from './projects.ts';
import { searchIndexes } from './search-indexes.ts';
import { snapshots } from './snapshots.ts';
import { teams } from './teams.ts';

export const kinds: readonly ResourceKind[] = [
  databaseUsers,
  addresses,
  customRoles,
  projects,
  teams,
  apiKeys,
  alertConfigurations,
  clusters,
  snapshots,
  searchIndexes,
];
