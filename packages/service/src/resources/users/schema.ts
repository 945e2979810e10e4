import Type from 'typebox';
import { groupRoles, orgRoles, type Role } from '../../access/index.ts';
import { entity } from '../../api/entity.ts';
import { Choice, DateTime, Id, Links, readOnly } from '../../api/fields.ts';

const optional = Type.Optional;

export const OrgRole = Type.Unsafe<Role>(Choice(orgRoles));
export const GroupRole = Type.Unsafe<Role>(Choice(groupRoles));
export const OrgRoles = Type.Array(OrgRole, { uniqueItems: true, maxItems: orgRoles.length });
export const GroupRoles = Type.Array(GroupRole, { uniqueItems: true, maxItems: groupRoles.length });
export const Ids = Type.Array(Id(), { uniqueItems: true, maxItems: 250 });

/** Returns the schema of a user name, which is an e-mail address. */
export const Username = (options: object = {}) =>
  Type.String({ format: 'email', maxLength: 254, ...options });

const RoleAssignment = Type.Object({
  groupId: optional(Id()),
  orgId: optional(Id()),
  roleName: Type.Unsafe<Role>(Choice([...orgRoles, ...groupRoles])),
});

const profile = {
  country: Type.String({
    pattern: '^[A-Z]{2}$',
    description: 'Country code of two letters (ISO 3166-1), such as `SE`.',
  }),
  firstName: Type.String({ minLength: 1, maxLength: 128 }),
  lastName: Type.String({ minLength: 1, maxLength: 128 }),
  mobileNumber: Type.String({ pattern: '^\\+?[0-9(). -]{5,32}$' }),
};

export const User = entity(
  Type.Object(
    {
      ...profile,
      createdAt: readOnly(DateTime()),
      emailAddress: readOnly(Type.String({ description: 'E-mail address, which is the user name.' })),
      id: readOnly(Id()),
      lastAuth: readOnly(DateTime()),
      links: Links,
      roles: optional(Type.Array(RoleAssignment, { default: [] })),
      teamIds: readOnly(Type.Array(Id(), { default: [] })),
      username: Username(),
    },
    { description: 'A user: a person who can log in, with the roles that the caller can see.' },
  ),
  { name: 'user', self: 'getUser', params: (user) => ({ userId: user.id ?? '', userName: user.username }) },
);
export type User = Omit<Type.Static<typeof User>, 'links'>;

/**
 * The maximum number of roles in a body is lower than that in a response, since several requests can add
 * roles.
 */
const givenRoles = optional(Type.Array(RoleAssignment, { default: [], maxItems: 500 }));

export const UserCreate = Type.Object({
  ...User.properties,
  password: Type.String({ minLength: 8, maxLength: 1024, writeOnly: true }),
  roles: givenRoles,
});

/** Omitted fields keep their values. The roles in the body replace all roles in the organizations that it names. */
export const UserUpdate = Type.Partial(Type.Object({ ...User.properties, roles: givenRoles }));

const GroupAssignment = Type.Object({ groupId: Id(), groupRoles: optional(GroupRoles) });

/** Fields of a member other than its roles. */
const member = {
  country: optional(profile.country),
  createdAt: optional(DateTime()),
  firstName: optional(profile.firstName),
  id: Id(),
  invitationCreatedAt: optional(DateTime()),
  invitationExpiresAt: optional(DateTime()),
  inviterUsername: optional(Type.String()),
  lastAuth: optional(DateTime()),
  lastName: optional(profile.lastName),
  links: Links,
  mobileNumber: optional(profile.mobileNumber),
  orgMembershipStatus: Choice(['ACTIVE', 'PENDING']),
  username: Type.String(),
};

interface MemberFields extends Type.Static<Type.TObject<typeof member>> {
  /**
   * The id of the organization. Responses contain it only in links, and in the roles of API versions that return each
   * role as a separate object.
   */
  readonly orgId: string;
}

export interface OrganizationMemberView extends MemberFields {
  readonly roles: {
    readonly groupRoleAssignments: readonly { readonly groupId: string; readonly groupRoles: Role[] }[];
    readonly orgRoles: Role[];
  };
  readonly teamIds: string[];
}

export interface ProjectMemberView extends MemberFields {
  readonly roles: Role[];
  /** The member as the organization sees it. Responses do not contain this field. */
  readonly everywhere: OrganizationMemberView;
}

/** Returns the path parameters of links. An invited person has no account yet, so there is no link to the account. */
function memberParams({ id, orgId, username, orgMembershipStatus }: MemberFields) {
  return { userId: id, orgId, ...(orgMembershipStatus === 'ACTIVE' && { userName: username }) };
}

export const OrganizationMember = entity(
  Type.Unsafe<OrganizationMemberView>(
    Type.Object(
      {
        ...member,
        roles: Type.Object({
          groupRoleAssignments: Type.Array(Type.Object({ groupId: Id(), groupRoles: GroupRoles })),
          orgRoles: OrgRoles,
        }),
        teamIds: Ids,
      },
      { description: 'A member of an organization, or a person invited to it.' },
    ),
  ),
  { name: 'organizationMember', self: 'getOrganizationUser', params: memberParams },
);

export const ProjectMember = entity(
  Type.Unsafe<ProjectMemberView>(
    Type.Object(
      { ...member, roles: GroupRoles },
      { description: 'A member of a project, or a person invited to it.' },
    ),
  ),
  { name: 'projectMember', self: 'getProjectUser', params: memberParams },
);

const RolesRequest = Type.Object({
  groupRoleAssignments: optional(Type.Array(GroupAssignment, { maxItems: 250 })),
  orgRoles: Type.Array(OrgRole, { uniqueItems: true, minItems: 1, maxItems: orgRoles.length }),
});

export const OrganizationMemberCreate = Type.Object({
  roles: RolesRequest,
  teamIds: optional(Ids),
  username: Username(),
});

export const OrganizationMemberUpdate = Type.Object({
  roles: optional(RolesRequest),
  teamIds: optional(Ids),
});

export const ProjectMemberCreate = Type.Object({
  roles: Type.Array(GroupRole, { uniqueItems: true, minItems: 1, maxItems: groupRoles.length }),
  username: Username(),
});
