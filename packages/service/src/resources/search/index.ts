import { ID_PATTERN } from '@portolan/foundation/ids';
import { type Family, operationsIn } from '../family.ts';
import * as analyzers from './analyzer-operations.ts';
import { deploymentFaults } from './deployment/faults.ts';
import * as deployment from './deployment/operations.ts';
import { deploymentEvents } from './deployment/rules.ts';
import { applyNodes } from './deployment/tasks.ts';
import { searchFaults } from './faults.ts';
import * as former from './former-operations.ts';
import { followRemoval } from './hooks.ts';
import * as metrics from './metrics/operations.ts';
import { migrations } from './migrations.ts';
import * as operations from './operations.ts';
import { followRestores, recordRestored } from './restored.ts';
import { searchEvents } from './rules.ts';
import { applyIndex, followIndex } from './tasks.ts';
import { watchIndexes } from './watch.ts';

export const family: Family = {
  name: 'search',
  operations: operationsIn(operations, former, analyzers, deployment, metrics),
  parameters: {
    databaseName: { description: 'Name of the database.' },
    collectionName: { description: 'Name of the collection.' },
    indexName: { description: 'Name of the search index.' },
    indexId: { description: 'Id of the search index.', pattern: ID_PATTERN },
  },
  migrations,
  tasks: [applyIndex, followIndex, applyNodes, recordRestored],
  eventTypes: { ...searchEvents, ...deploymentEvents },
  background: [watchIndexes],
  hooks: [followRemoval, followRestores],
  faults: [searchFaults, deploymentFaults],
};
