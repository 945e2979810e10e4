import { faults } from '@portolan/foundation/faults';

export const encryptionFaults = faults({
  CANNOT_DISABLE_ENCRYPTION_AT_REST: [
    409,
    'The key of {1} cannot be removed, because the cluster {0} is encrypted with it.',
  ],
});
