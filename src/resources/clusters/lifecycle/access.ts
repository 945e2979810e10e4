import type { AccessSpec } from '../../../engine/engine.ts';
import type { SecretBox } from '../../../runtime/secret-box.ts';
import { addCount, counter, countOf, type ReadTx, type Tx } from '../../../store/index.ts';
import { blocksOf } from '../../access-list/index.ts';
import { roleSpec, rolesOf, type UserRow, userSpec, usersOf } from '../../database-users/index.ts';

/** Counts the changes of a project's users and addresses; the count is the revision that nodes have to reach. */
const revisionCount = counter('group', 'accessRevision');

export async function nextAccessRevision(tx: Tx, groupId: string): Promise<void> {
  await addCount(tx, revisionCount, groupId, 1);
}

export function accessRevision(tx: ReadTx, groupId: string): Promise<number> {
  return countOf(tx, revisionCount, groupId);
}

/** Who may log in to a cluster, and from where. The revision is read first: what is read after it can only be newer. */
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
    customRoles: (await rolesOf(tx, cluster.groupId)).map(roleSpec),
  };
}

/** Scopes name the clusters that a user may use; without any it may use all of them. */
function mayUse(user: UserRow, clusterName: string): boolean {
  const { scopes } = user.document;
  return (
    scopes.length === 0 || scopes.some((scope) => scope.type === 'CLUSTER' && scope.name === clusterName)
  );
}
