import { faults } from '@portolan/foundation/faults';

export const bucketFaults = faults({
  EXPORT_BUCKET_NOT_FOUND: [404, 'No export bucket with the id {0} exists.'],
  // Among the codes in docs/contract/clusters.md 3.5, this one fits an unusable bucket best.
  EXPORT_BUCKET_NAME_INVALID: [400, 'Snapshots cannot be exported to the bucket {0}: {1}.'],
  EXPORT_BUCKET_DELETE_FAILED: [400, 'The export bucket {0} is in use.'],
});
