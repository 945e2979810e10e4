import Type from 'typebox';
import { Id } from '../../../api/fields.ts';
import { findUser, userFaults } from '../../accounts/index.ts';
import { extension } from '../../services.ts';
import { invitationNotFound } from '../invitations/rules.ts';
import { findInvitation } from '../model/invitations/rows.ts';
import { acceptAs } from './acceptance.ts';

const Accepted = Type.Object({ orgId: Id(), userId: Id(), username: Type.String() });

/** This operation is for scripts. People accept an invitation by opening the link in their mail. */
export const acceptInvitation = extension({
  id: 'acceptInvitation',
  summary: 'Accepts an invitation on behalf of the invited user, whose account must exist.',
  tag: 'Operator',
  surface: 'operator',
  method: 'POST',
  path: '/invitations/{invitationId}:accept',
  access: 'operator',
  reply: Accepted,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const { invitationId } = call.params;
      const invitation = await findInvitation(tx, invitationId);
      if (!invitation) throw invitationNotFound(invitationId);
      const { orgId, userId, username } = invitation;
      const user = await findUser(tx, userId);
      if (!user) throw userFaults.USERNAME_NOT_FOUND(username);
      await acceptAs(tx, user, invitation);
      return { orgId, userId, username: user.username };
    }),
});
