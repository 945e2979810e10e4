import type { AccessSpec } from '@portolan/engine/interface/engine';
import { withoutPaths } from '@portolan/foundation/paths-in-text';
import type { SecretBox } from '@portolan/foundation/secret-box';
import { on, system } from '../../../events/index.ts';
import { addCount, counter, countOf, type ReadTx, subscribe, type Tx } from '../../../store/index.ts';
import { blocksOf } from '../../access-list/index.ts';
import {
  AUTHORITIES_UPDATED,
  forgetPasswords,
  isInScope,
  roleSpec,
  rolesOf,
  storingPassword,
  userAuthorities,
  userSpec,
  usersOf,
} from '../../database-users/index.ts';
import { can, hasTrait, needsPasswords } from '../model/capabilities.ts';
import type { ClusterModel, Placement } from '../model/cluster.ts';
import { clusterById, clustersIn, placesIn } from '../rows.ts';
import { recordOn } from './events.ts';
import { clusterRemoved } from './hooks.ts';
import { enqueueWork } from './work.ts';

/**
 * The revision of a project's database users and access list. All nodes of the project must enforce the newest
 * revision.
 */
const revisionCount = counter('group', 'accessRevision');

export const APPLY_ACCESS = { kind: 'cluster.applyAccess' };

/** Applies a change of the database users or the access list of a project to all of its clusters. */
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

/** Whether all nodes of a cluster enforce the current users and access list. */
export async function enforcesAccess(
  tx: ReadTx,
  cluster: Pick<ClusterModel, 'accessRevision' | 'groupId' | 'placement'>,
): Promise<boolean> {
  if (!hasAccess(cluster)) return true;
  const { groupId, accessRevision: reached } = cluster;
  return reached >= (await accessRevision(tx, groupId));
}

/** Whether an idle cluster does not enforce the current users and access list. */
export async function isBehindAccess(tx: ReadTx, id: string): Promise<boolean> {
  const cluster = await clusterById(tx, id);
  return cluster?.state === 'IDLE' && !(await enforcesAccess(tx, cluster));
}

/** Applies the users and the access list to an idle cluster again. */
export async function applyAccessAgain(tx: Tx, id: string): Promise<void> {
  const cluster = await clusterById(tx, id);
  if (cluster?.state === 'IDLE' && hasAccess(cluster))
    await enqueueWork(tx, APPLY_ACCESS, cluster, {}, { unlessWaiting: true });
}

/** Whether the users or the access list of the project apply to a cluster. */
export function hasAccess(cluster: Pick<ClusterModel, 'placement'>): boolean {
  return can(cluster, 'users') || can(cluster, 'addresses');
}

/**
 * Returns the placement with the reason why the servers do not have the current users and roles. Omits the
 * reason if the users and roles do not apply to the cluster, for example because its servers no longer permit
 * the service to manage users.
 */
export function withAccessProblem(
  { accessProblem: _, ...placement }: Placement,
  problem: string | undefined,
): Placement {
  return problem === undefined || !hasAccess({ placement })
    ? placement
    : { ...placement, accessProblem: problem };
}

/**
 * Records an event if users or roles can no longer be used on a cluster. If the reason changes later, records another
 * event, except for separate servers: their reasons are errors of drivers, which can differ at each attempt.
 */
export async function recordAccessProblem(
  tx: Tx,
  cluster: ClusterModel,
  { accessProblem: reason }: Placement,
): Promise<void> {
  const { accessProblem: before } = cluster.placement;
  if (reason === undefined || reason === before) return;
  if (before !== undefined && hasTrait(cluster, 'separateServers')) return;
  await recordOn(tx, cluster, 'CLUSTER_USERS_NOT_APPLIED', system, { reason: withoutPaths(reason) });
}

/**
 * Returns the users and the access list of a cluster. The revision is read first, so the users and the access list are
 * at least as new as the revision.
 */
export async function accessOf(
  tx: ReadTx,
  secrets: SecretBox,
  cluster: Pick<ClusterModel, 'groupId' | 'name' | 'placement'>,
): Promise<AccessSpec> {
  const withPasswords = needsPasswords(cluster);
  const revision = await accessRevision(tx, cluster.groupId);
  const users = await usersOf(tx, cluster.groupId);
  return {
    revision,
    users: users
      .filter((user) => isInScope(user.document, cluster.name))
      .map((user) => userSpec(secrets, user, withPasswords)),
    addresses: await blocksOf(tx, cluster.groupId),
    authorities: await userAuthorities(tx, cluster.groupId),
    customRoles: (await rolesOf(tx, cluster.groupId)).map(roleSpec),
  };
}

/** Stores the password of a user if a cluster of the project needs passwords in addition to SCRAM verifiers. */
export const keepNeededPasswords = subscribe(storingPassword, async (tx, { groupId, keep }) => {
  if (await hasPasswords(tx, groupId)) keep();
});

/** Deletes the stored passwords of a project when the last cluster that needs passwords is removed. */
export const forgetNeedlessPasswords = subscribe(clusterRemoved, async (tx, { cluster: { groupId } }) => {
  if (!(await hasPasswords(tx, groupId))) await forgetPasswords(tx, groupId);
});

async function hasPasswords(tx: ReadTx, groupId: string): Promise<boolean> {
  return (await clustersIn(tx, groupId)).some(needsPasswords);
}
