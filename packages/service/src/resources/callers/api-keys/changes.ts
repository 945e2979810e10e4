import {
  type ApiKey,
  countKeys,
  createApiKey,
  describeKey,
  type GrantPlace,
  type Role,
  setRoles,
} from '../../../access/index.ts';
import type { Tx } from '../../../store/index.ts';
import type { Services } from '../../services.ts';
import { type ChangeContext, type InitialRoles, recordChange, setCallerRoles } from '../changes.ts';
import { callerFaults } from '../faults.ts';
import { rolesFor } from '../rules.ts';
import { MAX_KEYS, requireKey } from './rules.ts';

/** Creates a key with initial roles. Only this result contains `privateKey` in clear text. */
export async function addKey(
  tx: Tx,
  services: Services,
  at: ChangeContext,
  { description, roles }: { readonly description: string; readonly roles: InitialRoles },
): Promise<{ key: ApiKey; privateKey: string }> {
  const { orgId } = at;
  if ((await countKeys(tx, { orgId })) >= MAX_KEYS) {
    throw callerFaults.MAX_API_KEYS_PER_ORG_EXCEEDED(MAX_KEYS, orgId);
  }
  const { id, privateKey } = await createApiKey(tx, services, { orgId, description });
  for (const [place, held] of roles) await setRoles(tx, id, place, held);
  const key = await requireKey(tx, orgId, id);
  await recordChange(tx, at, key, 'CREATED');
  return { key, privateKey };
}

export async function changeDescription(
  tx: Tx,
  at: ChangeContext,
  key: ApiKey,
  description: string,
): Promise<void> {
  await describeKey(tx, key.id, description);
  await recordChange(tx, at, key, 'DESCRIPTION_CHANGED');
}

/** Replaces the roles of a key at a scope. Throws `MISSING_API_KEY_ROLES` for an empty list. */
export async function setKeyRoles(
  tx: Tx,
  at: ChangeContext,
  key: ApiKey,
  { place, roles }: { readonly place: GrantPlace; readonly roles: readonly Role[] },
): Promise<void> {
  if (roles.length === 0) throw callerFaults.MISSING_API_KEY_ROLES();
  await setCallerRoles(tx, at, key, { place, roles: rolesFor(place, roles) });
}
