import Type from 'typebox';
import type { ReadTx } from '../../../store/index.ts';
import { operation } from '../../services.ts';
import { filterMembers, memberList, pageOfMembers } from '../members/lists.ts';
import { presentLegacyMember, presentOrganizationMember } from '../members/views.ts';
import { type Member, membersOfOrganization, requireMembership } from '../model/membership.ts';
import { membersOf } from '../model/teams/rows.ts';
import { OrganizationMember, User } from '../schema.ts';
import { addToTeam, removeFromTeam } from './changes.ts';
import { requireTeam } from './rules.ts';
import { TeamMemberId } from './schema.ts';

export const listTeamUsers = operation({
  id: 'listTeamUsers',
  tag: 'Db Cloud Users',
  method: 'GET',
  path: '/orgs/{orgId}/teams/{teamId}/users',
  ...memberList,
  summary: 'Lists the members of a team, and the people who are invited to it.',
  reachedFrom: { team: 'users' },
  handler: (call) =>
    call.read(async (tx) => {
      const members = filterMembers(await membersOfTeam(tx, call.params), call);
      return pageOfMembers(tx, call.params.orgId, members, call.page, presentOrganizationMember);
    }),
});

export const addTeamUser = operation({
  id: 'addTeamUser',
  tag: 'Teams',
  method: 'POST',
  path: '/orgs/{orgId}/teams/{teamId}/users',
  summary: 'Adds members of the organization to a team, and returns all members of the team.',
  access: 'Organization Owner',
  body: Type.Array(TeamMemberId, { maxItems: 500 }),
  reply: User,
  list: 'page',
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      await requireTeam(tx, call.params);
      for (const { id } of call.body) await addToTeam(tx, call.actor, call.params, id);
      const users = (await membersOfTeam(tx, call.params)).filter((member) => member.user);
      return pageOfMembers(tx, call.params.orgId, users, call.page, (member) =>
        presentLegacyMember(presentOrganizationMember(member)),
      );
    }),
});

export const removeTeamUser = operation({
  id: 'removeTeamUser',
  tag: 'Teams',
  method: 'DELETE',
  path: '/orgs/{orgId}/teams/{teamId}/users/{userId}',
  summary: 'Removes a member from a team.',
  access: 'Organization Owner',
  status: 204,
  async handler(call) {
    await call.write((tx) => removeFromTeam(tx, call.actor, call.params, call.params.userId));
  },
});

export const addUserToTeam = operation({
  id: 'addUserToTeam',
  tag: 'Db Cloud Users',
  method: 'POST',
  path: '/orgs/{orgId}/teams/{teamId}:addUser',
  versions: { '2025-02-19': 'same', '2025-03-12': 'same' },
  summary: 'Adds a member of the organization, or a person invited to it, to a team.',
  access: 'Organization Owner',
  body: TeamMemberId,
  reply: OrganizationMember,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      await requireTeam(tx, call.params);
      await addToTeam(tx, call.actor, call.params, call.body.id);
      return presentOrganizationMember(await requireMembership(tx, call.params.orgId, call.body.id));
    }),
});

export const removeUserFromTeam = operation({
  id: 'removeUserFromTeam',
  tag: 'Db Cloud Users',
  method: 'POST',
  path: '/orgs/{orgId}/teams/{teamId}:removeUser',
  versions: { '2025-02-19': 'same', '2025-03-12': 'same' },
  summary: 'Removes a member of the organization, or a person invited to it, from a team.',
  access: 'Organization Owner',
  body: TeamMemberId,
  reply: OrganizationMember,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      await removeFromTeam(tx, call.actor, call.params, call.body.id);
      return presentOrganizationMember(await requireMembership(tx, call.params.orgId, call.body.id));
    }),
});

async function membersOfTeam(
  tx: ReadTx,
  at: { readonly orgId: string; readonly teamId: string },
): Promise<Member[]> {
  const { id, orgId } = await requireTeam(tx, at);
  const inTeam = new Set((await membersOf(tx, [id])).map(({ userId }) => userId));
  const all = await membersOfOrganization(tx, orgId);
  return all.filter(({ userId, invitation }) => inTeam.has(userId) || invitation?.teamIds.includes(id));
}
