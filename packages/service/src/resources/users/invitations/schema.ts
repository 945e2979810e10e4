import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { DateTime, Id, Links } from '../../../api/fields.ts';
import { GroupRole, GroupRoles, Ids, OrgRole, OrgRoles, Username } from '../schema.ts';

const optional = Type.Optional;

/** Fields that invitations to organizations and to projects have in common. */
const common = {
  createdAt: DateTime(),
  expiresAt: DateTime({ description: 'Time at which the invitation expires: 30 days after its creation.' }),
  id: Id(),
  inviterUsername: Type.String({
    description: 'User name, public key or client id of the caller that created the invitation.',
  }),
  links: Links,
  username: Type.String(),
};

export const OrganizationInvitation = entity(
  Type.Object(
    {
      ...common,
      groupRoleAssignments: Type.Array(Type.Object({ groupId: Id(), groupRole: GroupRole })),
      orgId: Id(),
      orgName: Type.String(),
      roles: OrgRoles,
      teamIds: Ids,
    },
    { description: 'An invitation to join an organization, with the roles and teams that the person gets.' },
  ),
  {
    name: 'organizationInvitation',
    self: 'getOrganizationInvitation',
    params: ({ id, orgId }) => ({ invitationId: id, orgId }),
  },
);

export const ProjectInvitation = entity(
  Type.Object(
    { ...common, groupId: Id(), groupName: Type.String(), roles: GroupRoles },
    {
      description:
        'An invitation to join a project and its organization, with the roles that the person gets.',
    },
  ),
  {
    name: 'projectInvitation',
    self: 'getProjectInvitation',
    params: ({ id, groupId }) => ({ invitationId: id, groupId }),
  },
);

const changeable = {
  groupRoleAssignments: optional(
    Type.Array(Type.Object({ groupId: Id(), roles: optional(GroupRoles) }), { maxItems: 250 }),
  ),
  teamIds: optional(Ids),
};

export const OrganizationInvitationCreate = Type.Object({
  ...changeable,
  roles: Type.Array(OrgRole, { uniqueItems: true, minItems: 1, maxItems: 100 }),
  username: Username(),
});

export const OrganizationInvitationUpdate = Type.Object({ ...changeable, roles: optional(OrgRoles) });

export const OrganizationInvitationUpdateByName = Type.Object({
  ...OrganizationInvitationUpdate.properties,
  username: Username(),
});

export const ProjectInvitationCreate = Type.Object({
  roles: Type.Array(GroupRole, { uniqueItems: true, minItems: 1, maxItems: 100 }),
  username: Username(),
});

export const ProjectInvitationUpdate = Type.Object({ roles: ProjectInvitationCreate.properties.roles });

export const invitationFilter = {
  username: optional(Username({ description: 'Returns only the invitation for this user name.' })),
};
