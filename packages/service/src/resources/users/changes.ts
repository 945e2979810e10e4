import type { Actor } from '../../events/index.ts';
import type { Tx } from '../../store/index.ts';
import { insertUser, type UserRow, updateProfile, userFaults } from '../accounts/index.ts';
import { changeMember, joinOrganization } from './members/changes.ts';
import type { MemberGrants } from './model/grants.ts';
import { findInvitedUserId } from './model/invitations/rows.ts';
import { membershipOfUser } from './model/membership.ts';

type GrantsByOrganization = ReadonlyMap<string, MemberGrants>;

/**
 * Creates a user and grants it roles in each organization. If an invitation has reserved an id for the user, the user
 * gets that id.
 */
export async function addUser(
  tx: Tx,
  actor: Actor,
  values: Omit<UserRow, 'id' | 'created'>,
  grants: GrantsByOrganization,
): Promise<UserRow> {
  const id = (await findInvitedUserId(tx, values.username)) ?? tx.id();
  const user = { ...values, id, created: tx.now };
  await insertUser(tx, user);
  for (const [orgId, added] of grants) await joinOrganization(tx, actor, { orgId, user }, added);
  return user;
}

/**
 * Updates profile fields of a user, and replaces the roles of the user in organizations to which the caller belongs
 * too.
 */
export async function changeUser(
  tx: Tx,
  actor: Actor,
  { before, orgIds }: { readonly before: UserRow; readonly orgIds: readonly string[] },
  change: { readonly profile: Partial<UserRow>; readonly grants: GrantsByOrganization },
): Promise<UserRow> {
  const user = { ...before, ...change.profile };
  if (Object.keys(change.profile).length > 0) await updateProfile(tx, user);
  for (const [orgId, wanted] of change.grants) {
    if (!orgIds.includes(orgId)) throw userFaults.USER_NOT_FOUND(user.id);
    const member = await membershipOfUser(tx, orgId, user);
    await changeMember(tx, actor, member, { ...wanted, teamIds: member.grants.teamIds });
  }
  return user;
}
