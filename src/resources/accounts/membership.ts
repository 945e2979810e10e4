import { grantRole, grantsHeldBy } from '../../access/index.ts';
import { type Actor, recordEvent } from '../../events/index.ts';
import { faults } from '../../runtime/faults.ts';
import type { ReadTx, Tx } from '../../store/index.ts';
import { findUser, type UserRow } from './rows.ts';

export const userFaults = faults({
  USER_NOT_FOUND: [404, 'No user with id {0} exists.'],
  USERNAME_NOT_FOUND: [404, 'No user named {0} exists.'],
  INVALID_USER_ID: [404, 'The user id {0} is not 24 hexadecimal characters.'],
  USER_NOT_IN_ORG: [404, 'The user {0} does not belong to the organization {1}.'],
  USER_ALREADY_EXISTS: [409, 'A user named {0} is there already.'],
});

/** Whether someone holds a role of an organization; who holds one of its projects alone is no member yet. */
export async function isMemberOf(tx: ReadTx, orgId: string, userId: string): Promise<boolean> {
  const grants = await grantsHeldBy(tx, [userId]);
  return grants.some(({ scope, id }) => scope === 'org' && id === orgId);
}

/** The user of an id. Throws USER_NOT_FOUND. */
export async function existingUser(tx: ReadTx, userId: string): Promise<UserRow> {
  const user = await findUser(tx, userId);
  if (!user) throw userFaults.USER_NOT_FOUND(userId);
  return user;
}

/** Makes a user the owner of a new organization. Throws USER_NOT_FOUND. */
export async function makeOrganizationOwner(
  tx: Tx,
  at: { readonly orgId: string; readonly userId: string; readonly actor: Actor },
): Promise<void> {
  const { orgId, userId, actor } = at;
  const { username } = await existingUser(tx, userId);
  await grantRole(tx, userId, { kind: 'org', id: orgId }, 'ORG_OWNER');
  await recordEvent(tx, { type: 'JOINED_ORG', orgId, actor, details: { targetUsername: username } });
}

/** Makes a member of the organization the owner of one of its projects. Throws USER_NOT_FOUND, USER_NOT_IN_ORG. */
export async function makeProjectOwner(
  tx: Tx,
  at: { readonly orgId: string; readonly groupId: string; readonly userId: string; readonly actor: Actor },
): Promise<void> {
  const { orgId, groupId, userId, actor } = at;
  const { username } = await existingUser(tx, userId);
  if (!(await isMemberOf(tx, orgId, userId))) throw userFaults.USER_NOT_IN_ORG(userId, orgId);
  await grantRole(tx, userId, { kind: 'group', id: groupId }, 'GROUP_OWNER');
  const details = { targetUsername: username };
  await recordEvent(tx, { type: 'JOINED_GROUP', orgId, groupId, actor, details });
}
