import type { AccessSpec } from '@portolan/engine/interface/engine';
import type { SecretBox } from '@portolan/foundation/secret-box';
import { on } from '../../../events/index.ts';
import { addCount, counter, countOf, type ReadTx } from '../../../store/index.ts';
import { blocksOf } from '../../access-list/index.ts';
import {
  AUTHORITIES_UPDATED,
  roleSpec,
  rolesOf,
  type UserRow,
  userAuthorities,
  userSpec,
  usersOf,
} from '../../database-users/index.ts';
import { can } from '../model/capabilities.ts';
import type { ClusterModel } from '../model/cluster.ts';
import { placesIn } from '../rows.ts';
import { enqueueWork } from './work.ts';

/** The revision of a project's users and addresses. All nodes of the project must enforce it. */
const revisionCount = counter('group', 'accessRevision');

export const APPLY_ACCESS = { kind: 'cluster.applyAccess' };

/** Applies a change of users or addresses, which belong to the project, to all of its clusters. */
export const followAccess = on(
  [
    AUTHORITIES_UPDATED,
    'DB_USER_ADDED',
    'DB_USER_UPDATED',
    'DB_USER_DELETED',
    'DB_ROLE_ADDED',
    'DB_ROLE_UPDATED',
    'DB_ROLE_DELETED',
    'NETWORK_PERMISSION_ENTRY_ADDED',
    'NETWORK_PERMISSION_ENTRY_REMOVED',
  ],
  async (tx, { groupId }) => {
    if (groupId === undefined) return;
    await addCount(tx, revisionCount, groupId, 1);
    for (const cluster of await placesIn(tx, groupId))
      await enqueueWork(tx, APPLY_ACCESS, cluster, {}, { unlessWaiting: true });
  },
);

export function accessRevision(tx: ReadTx, groupId: string): Promise<number> {
  return countOf(tx, revisionCount, groupId);
}

/** Whether all nodes of a cluster enforce the current users and addresses. */
export async function enforcesAccess(
  tx: ReadTx,
  cluster: Pick<ClusterModel, 'accessRevision' | 'groupId' | 'placement'>,
): Promise<boolean> {
  if (!hasAccess(cluster)) return true;
  const { groupId, accessRevision: reached } = cluster;
  return reached >= (await accessRevision(tx, groupId));
}

/** Whether the users or addresses of the project apply to a cluster. */
export function hasAccess(cluster: Pick<ClusterModel, 'placement'>): boolean {
  return can(cluster, 'users') || can(cluster, 'addresses');
}

/**
 * Returns the users and addresses of a cluster. The revision is read first, so users and addresses are at least as new
 * as it.
 */
export async function accessOf(
  tx: ReadTx,
  secrets: SecretBox,
  cluster: { groupId: string; name: string },
): Promise<AccessSpec> {
  const revision = await accessRevision(tx, cluster.groupId);
  const users = await usersOf(tx, cluster.groupId);
  return {
    revision,
    users: users.filter((user) => mayUse(user, cluster.name)).map((user) => userSpec(secrets, user)),
    addresses: await blocksOf(tx, cluster.groupId),
    authorities: await userAuthorities(tx, cluster.groupId),
    customRoles: (await rolesOf(tx, cluster.groupId)).map(roleSpec),
  };
}

/** Whether a user may access a cluster: scopes restrict a user to the named clusters. */
function mayUse(user: UserRow, name: string): boolean {
  const { scopes } = user.document;
  return scopes.length === 0 || scopes.some((scope) => scope.type === 'CLUSTER' && scope.name === name);
}
