import { ID_PATTERN } from '@portolan/foundation/ids';
import type { Part } from '../part.ts';
import { bucketFaults } from './faults.ts';
import * as operations from './operations.ts';

export const buckets: Part = {
  operations: [operations],
  parameters: { exportBucketId: { description: 'Id of the export bucket.', pattern: ID_PATTERN } },
  eventTypes: {
    BUCKET_CREATED_AUDIT: 'Export bucket was added',
    BUCKET_DELETED_AUDIT: 'Export bucket was removed',
  },
  faults: [bucketFaults],
};
