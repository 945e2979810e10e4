import type { ReadTx } from '../../store/index.ts';
import { type Family, operationsIn } from '../family.ts';
import { migrations } from './migrations.ts';
import * as operations from './operations.ts';
import { enabledKeys, type KeyProvider } from './providers.ts';
import { findEncryption, isNamed } from './rows.ts';
import { encryptionFaults } from './rules.ts';

export { keysChanging } from './hooks.ts';
export type { KeyProvider } from './providers.ts';
export { encryptionFaults } from './rules.ts';

/** The master key of each provider that clusters of a project may use. */
export async function projectKeys(tx: ReadTx, groupId: string): Promise<ReadonlyMap<KeyProvider, string>> {
  return enabledKeys((await findEncryption(tx, groupId))?.settings ?? {});
}

/** Whether a project has, or had, a master key: what it encrypted may be given to the project's clusters. */
export function mayUseKey(tx: ReadTx, groupId: string, key: string): Promise<boolean> {
  return isNamed(tx, key, groupId);
}

export const family: Family = {
  name: 'encryption',
  operations: operationsIn(operations),
  migrations,
  eventTypes: {
    ENCRYPTION_AT_REST_CONFIGURATION_UPDATED: 'Encryption at rest configuration was updated',
  },
  faults: [encryptionFaults],
};
