import type { ReadTx } from '../../store/index.ts';
import { type Family, operationsIn } from '../family.ts';
import { encryptionFaults } from './faults.ts';
import { migrations } from './migrations.ts';
import * as operations from './operations.ts';
import { enabledKeys, type KeyProvider } from './providers.ts';
import { findEncryption, isKnownKey } from './rows.ts';
import { checkKeys, keyTimetable } from './tasks.ts';

export { encryptionFaults } from './faults.ts';
export { keysChanging } from './hooks.ts';
export type { KeyProvider } from './providers.ts';
export { type KeyState, keyStates } from './states.ts';

/** Returns the master key of each provider, for the clusters of a project. */
export async function projectKeys(tx: ReadTx, groupId: string): Promise<ReadonlyMap<KeyProvider, string>> {
  return enabledKeys((await findEncryption(tx, groupId))?.settings ?? {});
}

/**
 * Whether a project uses, or has used, a master key. If so, the clusters of the project may receive data that is
 * encrypted with the key.
 */
export function mayUseKey(tx: ReadTx, groupId: string, key: string): Promise<boolean> {
  return isKnownKey(tx, key, groupId);
}

export const family: Family = {
  name: 'encryption',
  operations: operationsIn(operations),
  migrations,
  tasks: [checkKeys],
  timetable: [keyTimetable],
  eventTypes: {
    ENCRYPTION_AT_REST_CONFIGURATION_UPDATED: 'Encryption at rest configuration was updated',
    ENCRYPTION_AT_REST_CONFIG_NO_LONGER_VALID: 'Service can no longer use the encryption key of the project',
    ENCRYPTION_AT_REST_CONFIG_IS_VALID: 'Service can use the encryption key of the project again',
    AWS_ENCRYPTION_KEY_INVALID: 'AWS encryption key is not valid',
    AWS_ENCRYPTION_KEY_VALID: 'AWS encryption key is valid again',
    AWS_ENCRYPTION_KEY_ROTATED: 'AWS encryption key was rotated',
    AZURE_ENCRYPTION_KEY_INVALID: 'Azure encryption key is not valid',
    AZURE_ENCRYPTION_KEY_VALID: 'Azure encryption key is valid again',
    AZURE_ENCRYPTION_KEY_ROTATED: 'Azure encryption key was rotated',
    GCP_ENCRYPTION_KEY_INVALID: 'GCP encryption key is not valid',
    GCP_ENCRYPTION_KEY_VALID: 'GCP encryption key is valid again',
    GCP_ENCRYPTION_KEY_ROTATED: 'GCP encryption key was rotated',
  },
  faults: [encryptionFaults],
};
