import { type Family, operationsIn } from '../family.ts';
import * as operations from './operations.ts';
import { buildIndex } from './tasks.ts';

export const family: Family = {
  name: 'rolling-index',
  operations: operationsIn(operations),
  tasks: [buildIndex],
  eventTypes: {
    ROLLING_INDEX_FAILED_INDEX_BUILD: 'Rolling build of an index failed',
    ROLLING_INDEX_SUCCESS_INDEX_BUILD: 'Rolling build of an index was completed',
  },
};
