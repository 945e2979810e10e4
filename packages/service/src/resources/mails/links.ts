import { sameText } from '@portolan/foundation/secret-box';
import type { ReadTx } from '../../store/index.ts';
import { findUser, type UserRow } from '../accounts/index.ts';
import type { Services } from '../services.ts';
import { findInvitation, type InvitationRow } from '../users/index.ts';

/** How long a link for a new password is valid. */
export const RESET_MS = 30 * 60_000;

type Signing = Pick<Services, 'secrets'>;

/**
 * Returns the token of the link in an invitation. The token is a signature by the service, so that it need not be
 * stored. It is valid until the invitation expires, is accepted or is deleted.
 */
export function invitationToken({ secrets }: Signing, { id }: Pick<InvitationRow, 'id'>): string {
  return `db_invite_${id}_${secrets.sign(id, 'invitation link')}`;
}

export async function invitationOf(
  tx: ReadTx,
  services: Signing,
  token: string,
): Promise<InvitationRow | undefined> {
  const [, id] = /^db_invite_([0-9a-f]{24})_/.exec(token) ?? [];
  if (id === undefined || !sameText(token, invitationToken(services, { id }))) return undefined;
  return findInvitation(tx, id);
}

/**
 * Returns the token of a link for a new password. The signature covers the hash of the current password, so that a new
 * password invalidates the link. `expires` is machine time.
 */
export function resetToken({ secrets }: Signing, user: UserRow, expires: number): string {
  const signature = secrets.sign(JSON.stringify([user.id, expires, user.passwordHash]), 'reset link');
  return `db_reset_${user.id}_${expires}_${signature}`;
}

/** Returns the user whose password a link resets; undefined for an invalid link. */
export async function resetOf(
  tx: ReadTx,
  services: Signing & Pick<Services, 'machine'>,
  token: string,
): Promise<UserRow | undefined> {
  const [, id, expires] = /^db_reset_([0-9a-f]{24})_(\d{1,16})_/.exec(token) ?? [];
  if (id === undefined || Number(expires) <= services.machine.now()) return undefined;
  const user = await findUser(tx, id);
  return user && sameText(token, resetToken(services, user, Number(expires))) ? user : undefined;
}
