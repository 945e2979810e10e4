import { type Caller, type Grant, grantsHeldBy } from '../../access/index.ts';
import type { ReadTx } from '../../store/index.ts';
import { findUser } from '../accounts/index.ts';
import { organizationsOfProjects } from '../projects/index.ts';
import { teamIdsOf } from '../users/index.ts';

/**
 * Returns a person as a caller, with the person's own roles and those of the person's teams; undefined if the user was
 * deleted.
 */
export async function personOf(tx: ReadTx, userId: string): Promise<Caller | undefined> {
  const user = await findUser(tx, userId);
  if (user === undefined) return undefined;
  const held = await grantsHeldBy(tx, [userId, ...(await teamIdsOf(tx, userId))]);
  const grants = await withOrganizations(tx, held);
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

/** Adds the organization to each grant on a project, since a person can belong to several organizations. */
async function withOrganizations(tx: ReadTx, held: readonly Grant[]): Promise<Grant[]> {
  const ids = held.filter(({ scope }) => scope === 'group').map(({ id }) => id);
  const orgIds = await organizationsOfProjects(tx, ids);
  return held.map(({ scope, id, role }) => {
    const orgId = orgIds.get(id);
    return { scope, id, role, ...(scope === 'group' && orgId !== undefined ? { orgId } : {}) };
  });
}
