import Type from 'typebox';
import type { Actor } from '../../../events/index.ts';
import type { ReadTx, Tx } from '../../../store/index.ts';
import { userFaults } from '../../accounts/index.ts';
import { operation } from '../../services.ts';
import { change } from '../members/change.ts';
import { memberFilter, pageOfMembers, wanted } from '../members/lists.ts';
import { type Member, memberOf, membersOfOrganization } from '../members/member.ts';
import { memberVersions } from '../members/organization-members.ts';
import { formerView, organizationView } from '../members/views.ts';
import { OrganizationMember, User } from '../schema.ts';
import { membersOf } from './rows.ts';
import { existingTeam } from './rules.ts';
import { TeamMemberId } from './schema.ts';

const tag = 'Db Cloud Users';
const formerTag = 'Teams';
const team = '/orgs/{orgId}/teams/{teamId}';
const all = `${team}/users` as const;

export const listTeamUsers = operation({
  id: 'listTeamUsers',
  summary: 'Lists the members of a team, and those who will be by accepting an invitation.',
  tag,
  method: 'GET',
  path: all,
  access: 'Organization Member',
  versions: { '2023-01-01': { reply: User, write: formerView }, ...memberVersions },
  query: Type.Object(memberFilter),
  reply: OrganizationMember,
  list: 'page',
  status: 200,
  reachedFrom: { team: 'users' },
  handler: (call) =>
    call.read(async (tx) => {
      const members = wanted(await membersOfTeam(tx, call.params), call);
      return pageOfMembers(tx, call.params.orgId, members, call.page, organizationView);
    }),
});

export const addTeamUser = operation({
  id: 'addTeamUser',
  summary: 'Adds members of the organization to a team, and lists the team.',
  tag: formerTag,
  method: 'POST',
  path: all,
  access: 'Organization Owner',
  body: Type.Array(TeamMemberId),
  reply: User,
  list: 'page',
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      await existingTeam(tx, call.params);
      for (const { id } of call.body) await add(tx, call, id);
      const users = (await membersOfTeam(tx, call.params)).filter((member) => member.user);
      return pageOfMembers(tx, call.params.orgId, users, call.page, (one) =>
        formerView(organizationView(one)),
      );
    }),
});

export const removeTeamUser = operation({
  id: 'removeTeamUser',
  summary: 'Takes a member out of a team.',
  tag: formerTag,
  method: 'DELETE',
  path: `${all}/{userId}`,
  access: 'Organization Owner',
  status: 204,
  async handler(call) {
    await call.write((tx) => remove(tx, call, call.params.userId));
  },
});

export const addUserToTeam = operation({
  id: 'addUserToTeam',
  summary: 'Adds a member of the organization, or one who is invited to it, to a team.',
  tag,
  method: 'POST',
  path: `${team}:addUser`,
  access: 'Organization Owner',
  versions: memberVersions,
  body: TeamMemberId,
  reply: OrganizationMember,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      await existingTeam(tx, call.params);
      await add(tx, call, call.body.id);
      return organizationView(await memberOf(tx, call.params.orgId, call.body.id));
    }),
});

export const removeUserFromTeam = operation({
  id: 'removeUserFromTeam',
  summary: 'Takes a member, or one who is invited, out of a team.',
  tag,
  method: 'POST',
  path: `${team}:removeUser`,
  access: 'Organization Owner',
  versions: memberVersions,
  body: TeamMemberId,
  reply: OrganizationMember,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      await remove(tx, call, call.body.id);
      return organizationView(await memberOf(tx, call.params.orgId, call.body.id));
    }),
});

interface TeamCall {
  readonly params: { readonly orgId: string; readonly teamId: string };
  readonly actor: Actor;
}

async function add(tx: Tx, { params, actor }: TeamCall, userId: string): Promise<void> {
  const member = await memberOf(tx, params.orgId, userId);
  const { teamIds } = member.offer;
  if (teamIds.includes(params.teamId)) return;
  await change(tx, actor, member, { ...member.offer, teamIds: [...teamIds, params.teamId] });
}

async function remove(tx: Tx, { params, actor }: TeamCall, userId: string): Promise<void> {
  await existingTeam(tx, params);
  const member = await memberOf(tx, params.orgId, userId);
  const { teamIds } = member.offer;
  if (!teamIds.includes(params.teamId)) throw userFaults.USER_NOT_FOUND(userId);
  const left = teamIds.filter((id) => id !== params.teamId);
  await change(tx, actor, member, { ...member.offer, teamIds: left });
}

/** Throws what `existingTeam` throws. */
async function membersOfTeam(tx: ReadTx, at: TeamCall['params']): Promise<Member[]> {
  const { id, orgId } = await existingTeam(tx, at);
  const inTeam = new Set((await membersOf(tx, [id])).map(({ userId }) => userId));
  const everybody = await membersOfOrganization(tx, orgId);
  return everybody.filter(({ userId, invitation }) => inTeam.has(userId) || invitation?.teamIds.includes(id));
}
