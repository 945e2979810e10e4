import {
  type ApiKey,
  type Caller,
  countKeys,
  type PrincipalOwner,
  pageOfKeys,
  visibleScopes,
} from '../../../access/index.ts';
import type { PageRequest, ReadTx } from '../../../store/index.ts';
import { roleAssignments } from '../../organizations/index.ts';

/**
 * Presents a key with the roles that the caller can see, on the organization and on projects. The private key is masked
 * except in the response to its creation.
 */
export function presentKey(key: ApiKey, caller: Caller, privateKey = key.maskedPrivateKey) {
  const { id, description, publicKey, grants, orgId } = key;
  const shown = grants.filter(({ scope, id }) => scope === 'org' || seesProject(caller, orgId, id));
  return { desc: description, id, privateKey, publicKey, roles: roleAssignments(shown) };
}

/** Whether a caller can see a project of an organization. */
export function seesProject(caller: Caller, orgId: string, groupId: string): boolean {
  const { orgsWithAllProjects, groups } = visibleScopes(caller);
  return orgsWithAllProjects.has(orgId) || groups.has(groupId);
}

export async function presentKeys(tx: ReadTx, owner: PrincipalOwner, page: PageRequest, caller: Caller) {
  const { keys, next } = await pageOfKeys(tx, owner, page);
  const totalCount = page.includeCount ? await countKeys(tx, owner) : undefined;
  return { results: keys.map((key) => presentKey(key, caller)), next, totalCount };
}
