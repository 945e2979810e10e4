import { complianceFaults } from '../model/compliance/faults.ts';
import type { Part } from '../part.ts';
import { enforcePolicy, keepName, keepProject, protectKeys } from './hooks.ts';
import * as operations from './operations.ts';
import { followPolicy } from './tasks.ts';

export const compliance: Part = {
  operations: [operations],
  tasks: [followPolicy],
  hooks: [keepProject, protectKeys, enforcePolicy, keepName],
  eventTypes: {
    CPS_DATA_PROTECTION_ENABLE_REQUESTED: 'Backup compliance policy was requested',
    CPS_DATA_PROTECTION_ENABLED: 'Backup compliance policy was enabled',
    CPS_DATA_PROTECTION_UPDATE_REQUESTED: 'Change of the backup compliance policy was requested',
    CPS_DATA_PROTECTION_UPDATED: 'Backup compliance policy was changed',
    CPS_DATA_PROTECTION_DISABLE_REQUESTED: 'Removal of the backup compliance policy was requested',
    CPS_DATA_PROTECTION_DISABLED: 'Backup compliance policy was disabled',
    CPS_DATA_PROTECTION_APPROVED_FOR_DISABLEMENT: 'Disabling the backup compliance policy was approved',
  },
  faults: [complianceFaults],
};
