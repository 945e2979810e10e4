import { faults } from '@portolan/foundation/faults';

export const sampleFaults = faults({
  SAMPLE_DATASET_LOAD_NOT_FOUND: [404, 'The project {1} has no sample data load with the id {0}.'],
});
