import { ID_PATTERN } from '@portolan/foundation/ids';
import { type Family, operationsIn } from '../family.ts';
import * as checks from './checks/operations.ts';
import { checkMigration } from './checks/tasks.ts';
import { migrationFaults } from './faults.ts';
import { linkFaults } from './links/faults.ts';
import * as links from './links/operations.ts';
import { migrations } from './migrations.ts';
import { reportMount } from './mount.ts';
import { migrationEvents } from './rules.ts';
import { followCheck, followUnlinking, guardDestination } from './runs/hooks.ts';
import * as runs from './runs/operations.ts';
import {
  completeMigration,
  endMigration,
  expireMigration,
  prepareMigration,
  watchMigration,
} from './runs/tasks.ts';

export {
  MAX_NAME_LENGTH,
  MAX_PROBLEM_LENGTH,
  type MigrationOrder,
  type Orders,
  type Progress,
  REPORT_PATH,
  type Report,
  type ReportedDeployment,
  type ReportedProject,
  type SourceOrder,
  type Survey,
  type Surveyed,
  type TargetOrder,
} from './protocol.ts';

export const family: Family = {
  name: 'live-migrations',
  operations: operationsIn(links, checks, runs),
  parameters: {
    liveMigrationId: { description: 'Id of the live migration.', pattern: ID_PATTERN },
    validationId: { description: 'Id of the validation.', pattern: ID_PATTERN },
  },
  migrations,
  mounts: [reportMount],
  tasks: [checkMigration, prepareMigration, endMigration, completeMigration, expireMigration, watchMigration],
  eventTypes: migrationEvents,
  hooks: [guardDestination, followCheck, followUnlinking],
  faults: [linkFaults, migrationFaults],
};
