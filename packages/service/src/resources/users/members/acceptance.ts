import type { Tx } from '../../../store/index.ts';
import { insertUser, noContact, type UserRow } from '../../accounts/index.ts';
import type { InvitationRow } from '../model/invitations/rows.ts';
import { joinOrganization } from './changes.ts';

/** The fields that an invited person enters to create an account. */
export type NewAccount = Pick<UserRow, 'firstName' | 'lastName' | 'passwordHash'>;

/** Accepts an invitation on behalf of the invited person, and deletes the invitation. */
export async function acceptAs(tx: Tx, user: UserRow, invitation: InvitationRow): Promise<void> {
  const { orgId } = invitation;
  await joinOrganization(tx, { userId: user.id, username: user.username }, { orgId, user }, invitation);
}

/** Creates the account of an invited person, and accepts the invitation. The person has already proved the address. */
export async function acceptWithAccount(
  tx: Tx,
  invitation: InvitationRow,
  account: NewAccount,
): Promise<UserRow> {
  const { userId: id, username } = invitation;
  const user = { ...account, id, username, ...noContact, created: tx.now, proven: tx.now };
  await insertUser(tx, user);
  await acceptAs(tx, user, invitation);
  return user;
}
