import { type ApiKey, findKey } from '../../../access/index.ts';
import type { ReadTx } from '../../../store/index.ts';
import { callerFaults } from '../faults.ts';
import { rolesIn } from '../rules.ts';

/** The limit in docs/contract/access.md 1.2. */
export const MAX_KEYS = 500;

/** Returns a key of the organization. Throws `API_KEY_NOT_FOUND`. */
export async function requireKey(tx: ReadTx, orgId: string, id: string): Promise<ApiKey> {
  const key = await findKey(tx, id);
  if (key?.orgId !== orgId) throw callerFaults.API_KEY_NOT_FOUND(id);
  return key;
}

/** Throws `API_KEY_NOT_FOUND` for a key without a role on the project. */
export function assertInProject({ id, grants }: ApiKey, groupId: string): void {
  if (rolesIn(grants, { kind: 'group', id: groupId }).length === 0) throw callerFaults.API_KEY_NOT_FOUND(id);
}
