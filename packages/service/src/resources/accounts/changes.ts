import { grantRole } from '../../access/index.ts';
import { type Actor, recordEvent } from '../../events/index.ts';
import type { Tx } from '../../store/index.ts';
import { userFaults } from './faults.ts';
import { checkOrganizationLimit, isMemberOf, requireUser } from './rules.ts';

/** Makes a user the owner of a new organization. Throws USER_NOT_FOUND, MAX_ORGS_PER_USER_EXCEEDED. */
export async function makeOrganizationOwner(
  tx: Tx,
  at: { readonly orgId: string; readonly userId: string; readonly actor: Actor },
): Promise<void> {
  const { orgId, userId, actor } = at;
  const { username } = await requireUser(tx, userId);
  await checkOrganizationLimit(tx, userId);
  await grantRole(tx, userId, { kind: 'org', id: orgId }, 'ORG_OWNER');
  await recordEvent(tx, { type: 'JOINED_ORG', orgId, actor, details: { targetUsername: username } });
}

/** Makes a member of the organization the owner of one of its projects. Throws USER_NOT_FOUND, USER_NOT_IN_ORG. */
export async function makeProjectOwner(
  tx: Tx,
  at: { readonly orgId: string; readonly groupId: string; readonly userId: string; readonly actor: Actor },
): Promise<void> {
  const { orgId, groupId, userId, actor } = at;
  const { username } = await requireUser(tx, userId);
  if (!(await isMemberOf(tx, orgId, userId))) throw userFaults.USER_NOT_IN_ORG(userId, orgId);
  await grantRole(tx, userId, { kind: 'group', id: groupId }, 'GROUP_OWNER');
  const details = { targetUsername: username };
  await recordEvent(tx, { type: 'JOINED_GROUP', orgId, groupId, actor, details });
}
