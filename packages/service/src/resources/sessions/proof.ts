import type { Tx } from '../../store/index.ts';
import { type UserRow, updatePasswordHash, updateProven } from '../accounts/index.ts';
import { deleteCodes } from './one-time-codes/rows.ts';
import { deleteSessionsOf } from './rows.ts';

/**
 * Records that a person has proved to own the mail address of an account. At the first proof, the account gets the
 * password that the person has entered, and its sessions and one-time codes end. This protects against an attacker who
 * has created an account with another person's address, and who waits until the account gets more roles.
 */
export async function proveAddress(tx: Tx, user: UserRow, passwordHash: string): Promise<void> {
  if (user.proven !== undefined) return;
  await updateProven(tx, user.id, tx.now);
  await replacePassword(tx, user, passwordHash);
}

/** Replaces a password that somebody else may know. The sessions and the one-time codes of the user end. */
export async function replacePassword(tx: Tx, { id }: UserRow, passwordHash: string): Promise<void> {
  await updatePasswordHash(tx, id, passwordHash);
  await deleteSessionsOf(tx, id);
  await deleteCodes(tx, id);
}
