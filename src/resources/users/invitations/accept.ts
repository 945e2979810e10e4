import Type from 'typebox';
import { Id } from '../../../api/fields.ts';
import { on } from '../../../events/index.ts';
import { findUser, userFaults } from '../../accounts/index.ts';
import { operation } from '../../services.ts';
import { change, join } from '../members/change.ts';
import { pendingMember, rolesIn, withRolesIn } from '../members/member.ts';
import { findInvitation, invitationsTo } from './rows.ts';
import { noInvitation } from './rules.ts';

const Accepted = Type.Object({ orgId: Id(), userId: Id(), username: Type.String() });

/** In the place of the person, who has no page of this service to do it on. */
export const acceptInvitation = operation({
  id: 'acceptInvitation',
  summary: 'Accepts an invitation in the name of the invited user, whose account must be there.',
  tag: 'Operator',
  family: 'operator',
  extension: true,
  method: 'POST',
  path: '/invitations/{invitationId}:accept',
  access: 'operator',
  reply: Accepted,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const { invitationId } = call.params;
      const invitation = await findInvitation(tx, invitationId);
      if (!invitation) throw noInvitation(invitationId);
      const { orgId, userId, username } = invitation;
      const user = await findUser(tx, userId);
      if (!user) throw userFaults.USERNAME_NOT_FOUND(username);
      await join(tx, { userId, username: user.username }, { orgId, user }, invitation);
      return { orgId, userId, username: user.username };
    }),
});

/** A project that is gone, or that another organization has, is in no invitation any more. */
export const forgetProjects = on(['GROUP_DELETED', 'GROUP_MOVED'], async (tx, { orgId, groupId, actor }) => {
  if (groupId === undefined) return;
  for (const invitation of await invitationsTo(tx, orgId)) {
    if (rolesIn(invitation, groupId).length === 0) continue;
    const member = { ...pendingMember(invitation), offer: invitation };
    await change(tx, actor, member, withRolesIn(invitation, groupId, []));
  }
});
