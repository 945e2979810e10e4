import { ID_PATTERN } from '@portolan/foundation/ids';
import { userFaults } from '../accounts/index.ts';
import { type Family, operationsIn } from '../family.ts';
import { membershipFaults, teamFaults } from './faults.ts';
import * as organizationInvitations from './invitations/organization-invitations.ts';
import * as projectInvitations from './invitations/project-invitations.ts';
import * as resending from './invitations/resend.ts';
import { invitationNotFound } from './invitations/rules.ts';
import { removeLostProjects } from './invitations/subscriptions.ts';
import * as acceptance from './members/accept.ts';
import * as organizationMembers from './members/organization-members.ts';
import * as projectMembers from './members/project-members.ts';
import { migrations } from './migrations.ts';
import * as users from './operations.ts';
import * as teamMembers from './teams/members.ts';
import * as teams from './teams/operations.ts';
import * as projectTeams from './teams/projects.ts';

export { personInvited } from './invitations/hooks.ts';
export { acceptAs, acceptWithAccount } from './members/acceptance.ts';
export { applyLoginGrants, isInvited, type LoginGrants } from './members/granted.ts';
export { membersOfProject } from './members/lists.ts';
export { findInvitation, type InvitationRow, invitationNamed } from './model/invitations/rows.ts';
export { membersOfOrganization } from './model/membership.ts';
export { membersOf, teamIdsOf } from './model/teams/rows.ts';
export { requireTeam } from './teams/rules.ts';

export const family: Family = {
  name: 'users',
  operations: operationsIn(
    users,
    organizationMembers,
    projectMembers,
    teams,
    teamMembers,
    projectTeams,
    organizationInvitations,
    projectInvitations,
    resending,
    acceptance,
  ),
  parameters: {
    invitationId: {
      description: 'Id of the invitation.',
      pattern: ID_PATTERN,
      malformed: invitationNotFound,
    },
    teamId: { description: 'Id of the team.', pattern: ID_PATTERN, malformed: teamFaults.INVALID_TEAM_ID },
    teamName: { description: 'Name of the team.' },
    userId: { description: 'Id of the user.', pattern: ID_PATTERN, malformed: userFaults.INVALID_USER_ID },
    userName: { description: 'User name: an e-mail address.' },
  },
  migrations,
  eventTypes: {
    GROUP_INVITATION_DELETED: 'Invitation to the project was deleted',
    INVITED_TO_GROUP: 'User was invited to the project',
    INVITED_TO_ORG: 'User was invited to the organization',
    JOINED_TEAM: 'User joined the team',
    ORG_INVITATION_DELETED: 'Invitation to the organization was deleted',
    REMOVED_FROM_GROUP: 'User left the project or was removed from it',
    REMOVED_FROM_ORG: 'User left the organization or was removed from it',
    REMOVED_FROM_TEAM: 'User was removed from the team',
    TEAM_ADDED_TO_GROUP: 'Team was added to the project',
    TEAM_CREATED: 'Team was created',
    TEAM_DELETED: 'Team was deleted',
    TEAM_NAME_CHANGED: 'Team was renamed',
    TEAM_REMOVED_FROM_GROUP: 'Team was removed from the project',
    TEAM_ROLES_MODIFIED: 'Roles of the team in the project were changed',
    USER_ROLES_CHANGED_AUDIT: 'Roles of the user were changed',
  },
  subscriptions: [removeLostProjects],
  faults: [membershipFaults, teamFaults],
};
