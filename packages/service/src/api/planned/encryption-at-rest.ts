import { plannedTag, reference } from './planned.ts';

/** Neither contract nor reference has them: docs/decisions/0017. */
export const encryptionAtRest = plannedTag('Encryption at Rest', {
  getEncryptionAtRest: reference('GET /groups/{groupId}/encryptionAtRest'),
  updateEncryptionAtRest: reference('PATCH /groups/{groupId}/encryptionAtRest'),
});
