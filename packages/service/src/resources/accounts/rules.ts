import { grantsHeldBy } from '../../access/index.ts';
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
