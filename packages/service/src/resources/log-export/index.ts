import { type Family, operationsIn } from '../family.ts';
import { logExportFaults } from './faults.ts';
import { migrations } from './migrations.ts';
import * as operations from './operations.ts';
import { exportLogs, exportTimetable, startExports, verifyBucket } from './tasks.ts';

export const family: Family = {
  name: 'log-export',
  operations: operationsIn(operations),
  migrations,
  tasks: [verifyBucket, startExports, exportLogs],
  timetable: [exportTimetable],
  eventTypes: {
    PUSH_BASED_LOG_EXPORT_ENABLED: 'Export of logs was configured',
    PUSH_BASED_LOG_EXPORT_CONFIGURATION_UPDATED: 'Configuration of the export of logs was changed',
    PUSH_BASED_LOG_EXPORT_DISABLED: 'Export of logs was ended',
    PUSH_BASED_LOG_EXPORT_STOPPED: 'Export of logs failed',
    PUSH_BASED_LOG_EXPORT_RESUMED: 'Export of logs succeeded again',
  },
  faults: [logExportFaults],
};
