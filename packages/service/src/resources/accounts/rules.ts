import { type Caller, grantsHeldBy, visibleScopes } from '../../access/index.ts';
import type { ReadTx } from '../../store/index.ts';
import { userFaults } from './faults.ts';
import { findUser, type UserRow } from './rows.ts';

/** Throws USER_NOT_FOUND. */
export async function requireUser(tx: ReadTx, userId: string): Promise<UserRow> {
  const user = await findUser(tx, userId);
  if (!user) throw userFaults.USER_NOT_FOUND(userId);
  return user;
}

/** Whether a user has an organization role. A user with project roles only is not a member. */
export async function isMemberOf(tx: ReadTx, orgId: string, userId: string): Promise<boolean> {
  const grants = await grantsHeldBy(tx, [userId]);
  return grants.some(({ scope, id }) => scope === 'org' && id === orgId);
}

/** Maximum number of organizations of a user. The service reads them for each request of the user. */
export const MAX_ORGS_PER_USER = 250;

async function organizationsOf(tx: ReadTx, userId: string): Promise<string[]> {
  const grants = await grantsHeldBy(tx, [userId]);
  return [...new Set(grants.filter(({ scope }) => scope === 'org').map(({ id }) => id))];
}

/** Throws MAX_ORGS_PER_USER_EXCEEDED if the user cannot join another organization. */
export async function checkOrganizationLimit(tx: ReadTx, userId: string): Promise<void> {
  if ((await organizationsOf(tx, userId)).length >= MAX_ORGS_PER_USER)
    throw userFaults.MAX_ORGS_PER_USER_EXCEEDED(MAX_ORGS_PER_USER);
}

/**
 * Returns the organizations of a user that the caller can see. Undefined if the user belongs to organizations, but the
 * caller can see none of them. The caller must not learn that such a user exists.
 */
export async function sharedOrganizations(
  tx: ReadTx,
  caller: Caller,
  userId: string,
): Promise<string[] | undefined> {
  const orgIds = await organizationsOf(tx, userId);
  const visible = visibleScopes(caller).orgs;
  const shared = orgIds.filter((id) => visible.has(id));
  return orgIds.length > 0 && shared.length === 0 ? undefined : shared;
}
