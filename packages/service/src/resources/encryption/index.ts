import type { ReadTx } from '../../store/index.ts';
import { type Family, operationsIn } from '../family.ts';
import { migrations } from './migrations.ts';
import * as operations from './operations.ts';
import { enabledKeys, type KeyProvider } from './providers.ts';
import { findEncryption, isKnownKey } from './rows.ts';
import { encryptionFaults } from './rules.ts';
import { checkKeys, keyTimetable } from './tasks.ts';

export { keysChanging } from './hooks.ts';
export type { KeyProvider } from './providers.ts';
export { encryptionFaults } from './rules.ts';
export { type KeyState, keyStates } from './states.ts';

/** The master key of each provider that clusters of a project may use. */
export async function projectKeys(tx: ReadTx, groupId: string): Promise<ReadonlyMap<KeyProvider, string>> {
  return enabledKeys((await findEncryption(tx, groupId))?.settings ?? {});
}

/** Whether a project has or had a master key; data encrypted with it may then go to the project's clusters. */
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
    ENCRYPTION_AT_REST_CONFIG_NO_LONGER_VALID: 'Key provider no longer gives access to the key',
    ENCRYPTION_AT_REST_CONFIG_IS_VALID: 'Key provider gives access to the key again',
    AWS_ENCRYPTION_KEY_INVALID: 'Encryption key at AWS is not valid',
    AWS_ENCRYPTION_KEY_VALID: 'Encryption key at AWS is valid again',
    AWS_ENCRYPTION_KEY_ROTATED: 'Encryption key at AWS was rotated',
    AZURE_ENCRYPTION_KEY_INVALID: 'Encryption key at AZURE is not valid',
    AZURE_ENCRYPTION_KEY_VALID: 'Encryption key at AZURE is valid again',
    AZURE_ENCRYPTION_KEY_ROTATED: 'Encryption key at AZURE was rotated',
    GCP_ENCRYPTION_KEY_INVALID: 'Encryption key at GCP is not valid',
    GCP_ENCRYPTION_KEY_VALID: 'Encryption key at GCP is valid again',
    GCP_ENCRYPTION_KEY_ROTATED: 'Encryption key at GCP was rotated',
  },
  faults: [encryptionFaults],
};
