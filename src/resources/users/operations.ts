import { accessFaults, grantsHeldBy, roles, visibleScopes } from '../../access/index.ts';
import { generalFaults } from '../../api/faults.ts';
import type { Call } from '../../api/operation.ts';
import { assertUnchanged } from '../../api/read-only.ts';
import type { ReadTx, Tx } from '../../store/index.ts';
import {
  existingUser,
  findUserNamed,
  hashPassword,
  insertUser,
  type UserRow,
  updateProfile,
  userFaults,
} from '../accounts/index.ts';
import { findProject, projectFaults } from '../projects/index.ts';
import { operation } from '../services.ts';
import { membershipFaults } from './faults.ts';
import { type Offer, reservedUserId } from './invitations/rows.ts';
import { change, join } from './members/change.ts';
import { activeMember, nothing, rolesIn, standingsOf, withRolesIn } from './members/member.ts';
import { formerView, organizationView, profileOf } from './members/views.ts';
import { User, UserCreate, UserUpdate } from './schema.ts';

const tag = 'Db Cloud Users';

export const createUser = operation({
  id: 'createUser',
  summary: 'Makes a user, with roles in organizations and projects of the caller.',
  tag,
  method: 'POST',
  path: '/users',
  access: 'any caller',
  body: UserCreate,
  reply: User,
  status: 200,
  async handler(call) {
    const { body, services } = call;
    const { username, firstName, lastName, country, mobileNumber } = body;
    assertUnchanged(call, { ...body, emailAddress: username });
    // Slow on purpose, so it is done before the transaction.
    const passwordHash = await hashPassword(services.random, body.password);
    return call.write(async (tx) => {
      if (await findUserNamed(tx, username)) throw userFaults.USER_ALREADY_EXISTS(username);
      const offers = await offersOf(tx, call, body.roles ?? []);
      const id = (await reservedUserId(tx, username)) ?? tx.id();
      const user = {
        id,
        username,
        passwordHash,
        firstName,
        lastName,
        country,
        mobileNumber,
        created: tx.now,
      };
      await insertUser(tx, user);
      for (const [orgId, offer] of offers) await join(tx, call.actor, { orgId, user }, offer);
      return shown(tx, user, [...offers.keys()]);
    });
  },
});

export const getUser = operation({
  id: 'getUser',
  summary: 'Answers one user, with the roles that the caller can see.',
  tag,
  method: 'GET',
  path: '/users/{userId}',
  access: 'any caller',
  reply: User,
  status: 200,
  handler: (call) =>
    call.read(async (tx) => {
      const { userId } = call.params;
      const orgIds = await sharedOrganizations(tx, call, userId);
      if (!orgIds) throw userFaults.USER_NOT_FOUND(userId);
      return shown(tx, await existingUser(tx, userId), orgIds);
    }),
});

export const getUserByName = operation({
  id: 'getUserByUsername',
  summary: 'Answers the user of a name, with the roles that the caller can see.',
  tag,
  method: 'GET',
  path: '/users/byName/{userName}',
  access: 'any caller',
  reply: User,
  status: 200,
  reachedFrom: { user: 'byName', organizationMember: 'user', projectMember: 'user' },
  handler: (call) =>
    call.read(async (tx) => {
      const { userName } = call.params;
      const user = await findUserNamed(tx, userName);
      const orgIds = user && (await sharedOrganizations(tx, call, user.id));
      if (!user || !orgIds) throw userFaults.USERNAME_NOT_FOUND(userName);
      return shown(tx, user, orgIds);
    }),
});

/** In neither contract nor reference, but client libraries of the legacy path send it. */
export const updateUser = operation({
  id: 'updateUser',
  summary: 'Changes the profile of a user, and its roles in the organizations that the body names.',
  tag,
  method: 'PATCH',
  path: '/users/{userId}',
  access: 'any caller',
  extension: true,
  body: UserUpdate,
  reply: User,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const { userId } = call.params;
      const orgIds = await sharedOrganizations(tx, call, userId);
      if (!orgIds) throw userFaults.USER_NOT_FOUND(userId);
      const before = await existingUser(tx, userId);
      assertUnchanged(call, await shown(tx, before, orgIds));
      const { roles: assignments, username, ...profile } = call.body;
      if (username !== undefined && username !== before.username) {
        throw generalFaults.ATTRIBUTE_READ_ONLY('username');
      }
      const user = { ...before, ...profile };
      if (Object.keys(profile).length > 0) {
        assertOwned(call, orgIds);
        await updateProfile(tx, user);
      }
      for (const [orgId, offer] of await offersOf(tx, call, assignments ?? [])) {
        const [member] = await standingsOf(tx, orgId, [activeMember(orgId, user)]);
        if (!member || !orgIds.includes(orgId)) throw userFaults.USER_NOT_FOUND(userId);
        await change(tx, call.actor, member, { ...offer, teamIds: member.offer.teamIds });
      }
      return shown(tx, user, orgIds);
    }),
});

/** A profile is everybody's who has the user: each of their organizations must be the caller's to change. */
function assertOwned({ may }: Pick<Call, 'may'>, orgIds: readonly string[]): void {
  for (const id of orgIds) {
    if (!may('Organization Owner', { kind: 'org', id })) throw accessFaults.NOT_ORG_OWNER(id);
  }
}

type RoleAssignments = NonNullable<User['roles']>;

/** What a new user is given, by organization. Throws for roles that the caller may not give. */
async function offersOf(
  tx: Tx,
  call: Pick<Call, 'may'>,
  assignments: RoleAssignments,
): Promise<ReadonlyMap<string, Offer>> {
  const offers = new Map<string, Offer>();
  for (const { roleName, orgId, groupId } of assignments) {
    if (roles[roleName].scope === 'org') {
      if (orgId === undefined) throw membershipFaults.ROLE_NEEDS_ORG_ID(roleName);
      if (!call.may('Organization Owner', { kind: 'org', id: orgId })) {
        throw accessFaults.NOT_ORG_OWNER(orgId);
      }
      const offer = offers.get(orgId) ?? nothing;
      offers.set(orgId, { ...offer, roles: [...offer.roles, roleName] });
    } else {
      if (groupId === undefined) throw membershipFaults.ROLE_NEEDS_GROUP_ID(roleName);
      const project = await findProject(tx, groupId);
      if (!project) throw projectFaults.GROUP_NOT_FOUND(groupId);
      const scope = { kind: 'group', id: groupId, orgId: project.orgId } as const;
      if (!call.may('Project Owner', scope)) throw accessFaults.USER_UNAUTHORIZED();
      const offer = offers.get(project.orgId) ?? nothing;
      offers.set(project.orgId, withRolesIn(offer, groupId, [...rolesIn(offer, groupId), roleName]));
    }
  }
  return offers;
}

/**
 * Organizations that a user shares with the caller; none for a user without any yet, and nothing at all for one that
 * the caller has no business to know of.
 */
async function sharedOrganizations(
  tx: ReadTx,
  { caller }: Pick<Call, 'caller'>,
  userId: string,
): Promise<string[] | undefined> {
  const held = await grantsHeldBy(tx, [userId]);
  const orgIds = [...new Set(held.filter(({ scope }) => scope === 'org').map(({ id }) => id))];
  const visible = visibleScopes(caller).orgs;
  const shared = orgIds.filter((id) => visible.has(id));
  return orgIds.length > 0 && shared.length === 0 ? undefined : shared;
}

/** A user with its roles in some organizations. */
export async function shown(
  tx: ReadTx,
  user: UserRow,
  orgIds: readonly string[],
): Promise<Omit<User, 'links'>> {
  const { id, username } = user;
  const held = [];
  for (const orgId of orgIds) {
    const standings = await standingsOf(tx, orgId, [activeMember(orgId, user)]);
    held.push(...standings.map((standing) => formerView(organizationView(standing))));
  }
  return {
    ...{ id, username, emailAddress: username, ...profileOf(user) },
    roles: held.flatMap((one) => one.roles ?? []),
    teamIds: held.flatMap((one) => one.teamIds ?? []),
  };
}
