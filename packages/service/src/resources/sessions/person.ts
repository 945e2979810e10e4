import { type Caller, type Grant, grantsHeldBy } from '../../access/index.ts';
import type { ReadTx } from '../../store/index.ts';
import { findUser } from '../accounts/index.ts';
import { organizationsWith } from '../federation/index.ts';
import { organizationsOfProjects } from '../projects/index.ts';
import { teamIdsOf } from '../users/index.ts';

/**
 * Returns a person as a caller, with the person's own roles and those of the person's teams; undefined if the user was
 * deleted. With `providerId`, the caller has only the roles in organizations that are connected to this identity
 * provider. Their owners choose the identity provider, so it must not give access to other organizations.
 */
export async function personOf(
  tx: ReadTx,
  userId: string,
  providerId?: string | undefined,
): Promise<Caller | undefined> {
  const user = await findUser(tx, userId);
  if (user === undefined) return undefined;
  const held = await grantsHeldBy(tx, [userId, ...(await teamIdsOf(tx, userId))]);
  const all = await withOrganizations(tx, held);
  const grants = providerId === undefined ? all : await within(tx, providerId, all);
  const orgId = grants.find(({ scope }) => scope === 'org')?.id ?? grants[0]?.orgId ?? '';
  return {
    kind: 'user',
    id: userId,
    name: user.username,
    orgId,
    grants,
    addresses: [],
    listRequired: false,
  };
}

async function within(tx: ReadTx, providerId: string, grants: readonly Grant[]): Promise<Grant[]> {
  const connected = new Set(await organizationsWith(tx, providerId));
  return grants.filter(({ scope, id, orgId = '' }) => connected.has(scope === 'org' ? id : orgId));
}

/** Adds the organization to each grant on a project, since a person can belong to several organizations. */
async function withOrganizations(tx: ReadTx, held: readonly Grant[]): Promise<Grant[]> {
  const ids = held.filter(({ scope }) => scope === 'group').map(({ id }) => id);
  const orgIds = await organizationsOfProjects(tx, ids);
  return held.map(({ scope, id, role }) => {
    const orgId = orgIds.get(id);
    return { scope, id, role, ...(scope === 'group' && orgId !== undefined ? { orgId } : {}) };
  });
}
