import { batchesInTurns } from '@portolan/foundation/in-batches';
import Type from 'typebox';
import { grantsOn, isRole, type Role, roles } from '../../../access/index.ts';
import { Choice } from '../../../api/fields.ts';
import type { ReleaseDate } from '../../../api/versions.ts';
import { type Page, type PageRequest, pageOf, type ReadTx } from '../../../store/index.ts';
import { rolesIn } from '../model/grants.ts';
import { type Member, type Membership, membershipsOf, membersOfOrganization } from '../model/membership.ts';
import { membersOf } from '../model/teams/rows.ts';
import { OrganizationMember, User, Username } from '../schema.ts';
import { presentLegacyMember } from './views.ts';

/** The first version whose lists of members include invitations. Earlier versions list users only. */
const MEMBERS_VERSION: ReleaseDate = '2025-02-19';

export const memberFilter = {
  orgMembershipStatus: Type.Optional(
    Choice(['ACTIVE', 'PENDING'], {
      description: '`ACTIVE` returns only members, `PENDING` only invited people.',
    }),
  ),
  username: Type.Optional(Username({ description: 'Returns only the member with this user name.' })),
};

/** The declaration that the operations for members of an organization and for members of a team have in common. */
export const memberList = {
  access: 'Organization Member',
  versions: {
    '2023-01-01': { reply: User, write: presentLegacyMember },
    '2025-02-19': 'same',
    '2025-03-12': 'same',
  },
  query: Type.Object(memberFilter),
  reply: OrganizationMember,
  list: 'page',
  status: 200,
} as const;

interface MemberFilter {
  readonly orgMembershipStatus?: 'ACTIVE' | 'PENDING';
  readonly username?: string;
}

interface ListCall {
  readonly version: ReleaseDate;
  readonly query: MemberFilter;
}

/** Selects the members that the query requests and that the caller's version can represent. */
export function filterMembers(members: readonly Member[], { version, query }: ListCall): Member[] {
  const status = version < MEMBERS_VERSION ? 'ACTIVE' : query.orgMembershipStatus;
  const name = query.username?.toLowerCase();
  return members.filter(
    ({ user, username }) =>
      (status === undefined || (user === undefined) === (status === 'PENDING')) &&
      (name === undefined || username.toLowerCase() === name),
  );
}

/** Returns one page of members of an organization with their grants. */
export async function pageOfMembers<T>(
  tx: ReadTx,
  orgId: string,
  members: readonly Member[],
  page: PageRequest,
  present: (member: Membership) => T,
): Promise<Page<T>> {
  const { results, ...rest } = pageOf(members, page);
  return { ...rest, results: (await membershipsOf(tx, orgId, results)).map(present) };
}

export interface ProjectFilter {
  /** Whether to include users whose roles come from a team. */
  readonly flattenTeams?: boolean;
  /** Whether to include users whose organization role implies project roles. */
  readonly includeOrgUsers?: boolean;
}

/** Number of memberships in teams that are read without a pause. A project can have 100 teams, with 500 members each. */
const MEMBERS_AT_ONCE = 1000;

/** Returns the members of a project with their effective roles there, by user id. */
export async function membersOfProject(
  tx: ReadTx,
  { orgId, groupId }: { readonly orgId: string; readonly groupId: string },
  { flattenTeams = false, includeOrgUsers = false }: ProjectFilter,
): Promise<{ members: Member[]; rolesOf: ReadonlyMap<string, readonly Role[]> }> {
  const held = new Map<string, Role[]>();
  const give = (id: string, role: string) => {
    const before = held.get(id) ?? [];
    if (isRole(role) && !before.includes(role)) held.set(id, [...before, role]);
  };
  const grants = await grantsOn(tx, { kind: 'group', id: groupId });
  for (const { principalId, role } of grants) give(principalId, role);
  if (flattenTeams) {
    const inTeams = await membersOf(tx, [...new Set(grants.map(({ principalId }) => principalId))]);
    const rolesOfTeams = Map.groupBy(grants, ({ principalId }) => principalId);
    for await (const some of batchesInTurns(inTeams, MEMBERS_AT_ONCE))
      for (const { teamId, userId } of some)
        for (const { role } of rolesOfTeams.get(teamId) ?? []) give(userId, role);
  }
  if (includeOrgUsers) {
    for (const { principalId, role } of await grantsOn(tx, { kind: 'org', id: orgId })) {
      for (const implied of impliedProjectRoles(role)) give(principalId, implied);
    }
  }
  const all = await membersOfOrganization(tx, orgId);
  for (const { invitation } of all) {
    for (const role of invitation ? rolesIn(invitation, groupId) : []) give(invitation?.userId ?? '', role);
  }
  return { members: all.filter(({ userId }) => held.has(userId)), rolesOf: held };
}

/** Returns the project roles that an organization role implies. */
function impliedProjectRoles(role: string): readonly string[] {
  if (!isRole(role)) return [];
  const { implies }: { readonly implies: readonly string[] } = roles[role];
  return implies.filter((name) => isRole(name) && roles[name].scope === 'group');
}
