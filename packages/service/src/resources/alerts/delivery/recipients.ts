import { grantsOn } from '../../../access/index.ts';
import type { ReadTx } from '../../../store/index.ts';
import { findUserNamed, type UserRow, usersAmong } from '../../accounts/index.ts';
import { findProject } from '../../projects/index.ts';
import { membersOf, membersOfProject } from '../../users/index.ts';
import type { Notification } from '../notifications/kinds.ts';

/** The addresses of the recipients. */
export interface Recipients {
  readonly emails: readonly string[];
  readonly numbers: readonly string[];
}

/**
 * Returns the recipients of a notification. They are determined when the notification is sent, so that former members
 * get nothing.
 */
export async function recipientsOf(
  tx: ReadTx,
  groupId: string,
  notification: Notification,
): Promise<Recipients> {
  const { typeName, emailAddress, mobileNumber, emailEnabled, smsEnabled } = notification;
  if (typeName === 'EMAIL') return { emails: [String(emailAddress)], numbers: [] };
  if (typeName === 'SMS') return { emails: [], numbers: [String(mobileNumber)] };
  const users = await usersOf(tx, groupId, notification);
  return {
    emails: emailEnabled === true ? users.map(({ username }) => username) : [],
    numbers: smsEnabled === true ? users.map(({ mobileNumber }) => mobileNumber).filter(Boolean) : [],
  };
}

async function usersOf(tx: ReadTx, groupId: string, notification: Notification): Promise<UserRow[]> {
  const { typeName, teamId, username, roles } = notification;
  const orgId = (await findProject(tx, groupId))?.orgId ?? '';
  const wanted = Array.isArray(roles) ? new Set<unknown>(roles) : undefined;
  switch (typeName) {
    case 'GROUP': {
      const { members, rolesOf } = await allMembers(tx, { orgId, groupId });
      const chosen = members.filter(
        ({ userId }) => wanted === undefined || rolesOf.get(userId)?.some((role) => wanted.has(role)),
      );
      return chosen.flatMap(({ user }) => user ?? []);
    }
    case 'ORG': {
      const grants = await grantsOn(tx, { kind: 'org', id: orgId });
      const chosen = grants.filter(({ role }) => wanted === undefined || wanted.has(role));
      return usersAmong(tx, [...new Set(chosen.map(({ principalId }) => principalId))]);
    }
    case 'TEAM':
      return usersAmong(
        tx,
        (await membersOf(tx, [String(teamId)])).map(({ userId }) => userId),
      );
    case 'USER': {
      const user = await findUserNamed(tx, String(username));
      const { members } = await allMembers(tx, { orgId, groupId });
      return user && members.some(({ userId }) => userId === user.id) ? [user] : [];
    }
    default:
      return [];
  }
}

/** Returns all members of a project, including members through teams and organization roles. */
function allMembers(tx: ReadTx, at: { readonly orgId: string; readonly groupId: string }) {
  return membersOfProject(tx, at, { flattenTeams: true, includeOrgUsers: true });
}
