import type { ReadTx } from '../../store/index.ts';
import { findUser } from '../accounts/index.ts';
import { findOrganization } from '../organizations/index.ts';
import type { Services } from '../services.ts';
import { findInvitation } from '../users/index.ts';
import { invitationToken, RESET_MS, resetToken } from './links.ts';
import type { MailRow } from './rows.ts';

/** The recipient, the subject and the body of a mail. */
export interface MailText {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/**
 * Returns the text of a mail with a link; undefined if the link is no longer valid. The link is a secret, so the text
 * is never stored.
 */
export async function mailTextOf(
  tx: ReadTx,
  services: Pick<Services, 'machine' | 'publicUrl' | 'secrets'>,
  { kind, subjectId, created }: Pick<MailRow, 'created' | 'subjectId'> & { kind: 'invitation' | 'reset' },
): Promise<MailText | undefined> {
  return kind === 'invitation'
    ? invitationText(tx, services, subjectId)
    : resetText(tx, services, { userId: subjectId, expires: created + RESET_MS });
}

/**
 * Replaces the parts of a name that are unsafe in a mail, since users choose the names. The result contains no end of
 * line, and nothing that looks like a link.
 */
export const safeName = (name: string) =>
  name.replaceAll(/[\s\p{C}]+/gu, ' ').replaceAll(/:\/\/|www\./gi, ' ');

async function invitationText(
  tx: ReadTx,
  services: Pick<Services, 'publicUrl' | 'secrets'>,
  invitationId: string,
): Promise<MailText | undefined> {
  const invitation = await findInvitation(tx, invitationId);
  if (invitation === undefined) return undefined;
  const { username: to, orgId, inviter, expires } = invitation;
  const organization = safeName((await findOrganization(tx, orgId))?.name ?? '');
  const url = `${services.publicUrl}/console/#/invitation?token=${invitationToken(services, invitation)}`;
  const text = [
    `${safeName(inviter)} invites you to the organization ${organization}.`,
    `This link accepts the invitation until ${expires.toUTCString()}:`,
    url,
  ];
  return { to, subject: `Invitation to ${organization}`, text: text.join('\n\n') };
}

async function resetText(
  tx: ReadTx,
  services: Pick<Services, 'machine' | 'publicUrl' | 'secrets'>,
  { userId, expires }: { readonly userId: string; readonly expires: number },
): Promise<MailText | undefined> {
  const user = await findUser(tx, userId);
  if (user === undefined || expires <= services.machine.now()) return undefined;
  const url = `${services.publicUrl}/console/#/reset?token=${resetToken(services, user, expires)}`;
  const text = [
    `Somebody asked for a new password for ${user.username}. If it was not you, ignore this message.`,
    'This link sets a new password within 30 minutes:',
    url,
  ];
  return { to: user.username, subject: 'New password', text: text.join('\n\n') };
}
