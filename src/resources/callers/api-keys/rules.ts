import {
  type ApiKey,
  countKeys,
  createApiKey,
  findKey,
  type Grant,
  type GrantPlace,
  type PrincipalOwner,
  pageOfKeys,
  type Role,
  setRoles,
} from '../../../access/index.ts';
import type { Call } from '../../../api/operation.ts';
import type { PageRequest, ReadTx, Tx } from '../../../store/index.ts';
import { roleAssignments } from '../../organizations/index.ts';
import type { Services } from '../../services.ts';
import { recordFor } from '../events.ts';
import { callerFaults } from '../faults.ts';
import { orgIdOf } from '../roles.ts';

/** Behaviour reference 1.2. */
const MAX_KEYS = 500;

/** A key as it is shown: with its private half in clear only when it has just been made. */
export function present(key: ApiKey, privateKey = key.maskedPrivateKey) {
  const { id, description, publicKey, grants } = key;
  return { desc: description, id, privateKey, publicKey, roles: roleAssignments(grants) };
}

export async function listed(tx: ReadTx, owner: PrincipalOwner, page: PageRequest) {
  const { keys, next } = await pageOfKeys(tx, owner, page);
  const totalCount = page.includeCount ? await countKeys(tx, owner) : undefined;
  return { results: keys.map((key) => present(key)), next, totalCount };
}

/** A key of the organization. Throws `API_KEY_NOT_FOUND`. */
export async function existing(tx: ReadTx, orgId: string, id: string): Promise<ApiKey> {
  const key = await findKey(tx, id);
  if (key?.orgId !== orgId) throw callerFaults.API_KEY_NOT_FOUND(id);
  return key;
}

/** Makes a key that holds roles at each of some places, with its event; answers it with its private half. */
export async function makeKey(
  tx: Tx,
  call: Call<Services>,
  description: string,
  grants: readonly (readonly [place: GrantPlace, roles: readonly Role[]])[],
) {
  const orgId = orgIdOf(call);
  if ((await countKeys(tx, { orgId })) >= MAX_KEYS) {
    throw callerFaults.MAX_API_KEYS_PER_ORG_EXCEEDED(MAX_KEYS, orgId);
  }
  const made = await createApiKey(tx, call.services, { orgId, description });
  for (const [place, roles] of grants) await setRoles(tx, made.id, place, roles);
  const key = await existing(tx, orgId, made.id);
  await recordFor(tx, call, 'API_KEY_CREATED', key);
  return present(key, made.privateKey);
}

export function holdsRoleOn(grants: readonly Grant[], groupId: string): boolean {
  return grants.some(({ scope, id }) => scope === 'group' && id === groupId);
}
