import type { Role } from '../../../access/index.ts';
import { type Actor, recordEvent } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import { findUserNamed, isMemberOf, userFaults } from '../../accounts/index.ts';
import { change, checkOffer, checkRoomInOrganization } from '../members/change.ts';
import { pendingMember, withRolesIn } from '../members/member.ts';
import {
  deleteExpiredInvitations,
  findInvitationOf,
  type InvitationRow,
  insertInvitation,
  type Offer,
  reservedUserId,
} from './rows.ts';

const DAY_MS = 86_400_000;
const INVITATION_DAYS = 30;

interface Inviting {
  readonly actor: Actor;
}

interface Invited {
  readonly orgId: string;
  readonly username: string;
  readonly origin: 'org' | 'group';
  readonly offer: Offer;
}

/** Invites somebody to an organization. Throws USER_ALREADY_EXISTS for a member, and for one who is invited. */
export async function invite(tx: Tx, { actor }: Inviting, invited: Invited): Promise<InvitationRow> {
  const { orgId, username, origin, offer } = invited;
  await checkOffer(tx, orgId, offer);
  await deleteExpiredInvitations(tx, orgId);
  const userId = await idOf(tx, username);
  const isMember = await isMemberOf(tx, orgId, userId);
  if ((isMember && origin === 'org') || (await findInvitationOf(tx, orgId, userId))) {
    throw userFaults.USER_ALREADY_EXISTS(username);
  }
  if (!isMember) await checkRoomInOrganization(tx, orgId);
  const row: InvitationRow = {
    ...{ id: tx.id(), orgId, userId, username, origin, ...offer },
    inviter: actor.username ?? actor.publicKey ?? '',
    created: tx.now,
    expires: new Date(tx.now.getTime() + INVITATION_DAYS * DAY_MS),
  };
  await insertInvitation(tx, row);
  const details = { targetUsername: username };
  if (!isMember) await recordEvent(tx, { type: 'INVITED_TO_ORG', orgId, actor, details });
  for (const { groupId } of offer.assignments) {
    await recordEvent(tx, { type: 'INVITED_TO_GROUP', orgId, groupId, actor, details });
  }
  return row;
}

/** Invites somebody to a project, and to its organization when the person is no member of it. */
export async function inviteToProject(
  tx: Tx,
  call: Inviting,
  at: {
    readonly orgId: string;
    readonly groupId: string;
    readonly username: string;
    readonly roles: readonly Role[];
  },
): Promise<InvitationRow> {
  const { orgId, groupId, username, roles } = at;
  const userId = await idOf(tx, username);
  const before = await findInvitationOf(tx, orgId, userId);
  if (!before) {
    const inOrg: readonly Role[] = (await isMemberOf(tx, orgId, userId)) ? [] : ['ORG_MEMBER'];
    const offer = { roles: inOrg, assignments: [{ groupId, roles }], teamIds: [] };
    return invite(tx, call, { orgId, username, origin: 'group', offer });
  }
  if (before.assignments.some((one) => one.groupId === groupId)) {
    throw userFaults.USER_ALREADY_EXISTS(username);
  }
  await change(
    tx,
    call.actor,
    { ...pendingMember(before), offer: before },
    withRolesIn(before, groupId, roles),
  );
  return (await findInvitationOf(tx, orgId, userId)) ?? before;
}

/** A person has one id from the first invitation on, with an account or without. */
async function idOf(tx: Tx, username: string): Promise<string> {
  const user = await findUserNamed(tx, username);
  return user?.id ?? (await reservedUserId(tx, username)) ?? tx.id();
}
