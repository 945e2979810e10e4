import { extension } from '../../services.ts';
import { requireProject } from '../model/rules.ts';
import { resendInvitation } from './changes.ts';
import { requireInvitation, toOrganization, toProject } from './rules.ts';

const common = { method: 'POST', status: 204 } as const;

export const resendOrganizationInvitation = extension({
  id: 'resendOrganizationInvitation',
  ...common,
  tag: 'Organizations',
  path: '/orgs/{orgId}/invites/{invitationId}:resend',
  summary: 'Sends an invitation by mail again, at most three times an hour.',
  access: 'Organization Owner',
  handler: (call) =>
    call.write(async (tx) => resendInvitation(tx, await requireInvitation(tx, call.params, toOrganization))),
});

export const resendProjectInvitation = extension({
  id: 'resendProjectInvitation',
  ...common,
  tag: 'Projects',
  path: '/groups/{groupId}/invites/{invitationId}:resend',
  summary: 'Sends an invitation to a project by mail again, at most three times an hour.',
  access: 'Project Owner',
  handler: (call) =>
    call.write(async (tx) => {
      const { groupId, invitationId } = call.params;
      const { orgId } = await requireProject(tx, groupId);
      await resendInvitation(tx, await requireInvitation(tx, { orgId, invitationId }, toProject(groupId)));
    }),
});
