import { faults } from '@portolan/foundation/faults';
import { grantsHeldBy } from '../../access/index.ts';
import type { ReadTx } from '../../store/index.ts';
import { findUser, type UserRow } from './rows.ts';

export const userFaults = faults({
  USER_NOT_FOUND: [404, 'No user has the id {0}.'],
  USERNAME_NOT_FOUND: [404, 'No user has the name {0}.'],
  INVALID_USER_ID: [404, 'The user id {0} is not 24 hexadecimal characters.'],
  USER_NOT_IN_ORG: [404, 'The user {0} does not belong to the organization {1}.'],
  USER_ALREADY_EXISTS: [409, 'A user named {0} already exists.'],
});

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
