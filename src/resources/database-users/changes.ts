import { type Actor, recordEvent } from '../../events/index.ts';
import { addCount, type Tx } from '../../store/index.ts';
import { enqueue } from '../../tasks/index.ts';
import { assertWithin, findProject, projectCounters } from '../projects/index.ts';
import { deleteUser, insertUser, type UserRow, updateUser } from './rows.ts';
import { userFaults } from './rules.ts';

/** The task that removes a temporary user (`tasks.ts`). */
export const EXPIRY = { kind: 'databaseUser.expire' };

export async function addUser(tx: Tx, row: UserRow, actor: Actor): Promise<void> {
  await assertWithin(tx, row.groupId, projectCounters.databaseUsers, userFaults.GROUP_USERS_LIMIT_EXCEEDED);
  await insertUser(tx, row);
  await addCount(tx, projectCounters.databaseUsers, row.groupId, 1);
  await expireLater(tx, row);
  await record(tx, 'DB_USER_ADDED', row, actor);
}

export async function changeUser(tx: Tx, row: UserRow, actor: Actor): Promise<void> {
  await updateUser(tx, row);
  await expireLater(tx, row);
  await record(tx, 'DB_USER_UPDATED', row, actor);
}

export async function removeUser(tx: Tx, row: UserRow, actor: Actor): Promise<void> {
  await deleteUser(tx, row.id);
  await addCount(tx, projectCounters.databaseUsers, row.groupId, -1);
  await record(tx, 'DB_USER_DELETED', row, actor);
}

async function expireLater(tx: Tx, row: UserRow): Promise<void> {
  if (row.deleteAfter === undefined) return;
  await enqueue(tx, EXPIRY, { key: row.id, payload: { userId: row.id }, runAt: row.deleteAfter });
}

async function record(tx: Tx, type: string, row: UserRow, actor: Actor): Promise<void> {
  const project = await findProject(tx, row.groupId);
  if (!project) return;
  const details = { dbUserUsername: row.username };
  await recordEvent(tx, { type, orgId: project.orgId, groupId: project.id, actor, details });
}
