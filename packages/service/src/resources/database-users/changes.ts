import type { Actor } from '../../events/index.ts';
import { addCount, type ReadTx, type Tx } from '../../store/index.ts';
import { enqueue } from '../../tasks/index.ts';
import { readDeletion } from '../access-list/index.ts';
import { assertWithin, projectCounters, recordInProject } from '../projects/index.ts';
import { rolesOf } from './custom-roles/rows.ts';
import { userFaults } from './faults.ts';
import {
  deleteUser,
  findUser,
  insertUser,
  type UserDocument,
  type UserRow,
  updateUser,
  usersOf,
} from './rows.ts';
import { checkIdentity, checkPassword, checkRoles, readUser } from './rules.ts';
import type { DatabaseUserUpdate } from './schema.ts';
import { ifKept } from './stored-password.ts';
import { nameInClusters } from './verifiers.ts';

/** The kind of the task that removes a temporary user (see `tasks.ts`). */
export const EXPIRY = { kind: 'databaseUser.expire' };

export interface NewUser extends Omit<UserRow, 'deleteAfter'> {
  readonly deleteAfterDate: string | Date | undefined;
}

export async function addUser(tx: Tx, actor: Actor, user: NewUser): Promise<UserRow> {
  const { deleteAfterDate, ...values } = user;
  const { groupId, username, document } = user;
  await checkGrantedRoles(tx, groupId, document);
  if (await isNameTaken(tx, user)) throw userFaults.USER_ALREADY_EXISTS(username);
  const deleteAfter = readDeletion(deleteAfterDate, tx.now);
  if (deleteAfter && document.x509Type === 'MANAGED') {
    throw userFaults.PLATFORM_X509_USER_CANNOT_BE_TEMPORARY();
  }
  const password = await ifKept(tx, groupId, values.password);
  const row: UserRow = { ...values, password, deleteAfter };
  await assertWithin(tx, groupId, projectCounters.databaseUsers, userFaults.GROUP_USERS_LIMIT_EXCEEDED);
  await insertUser(tx, row);
  await addCount(tx, projectCounters.databaseUsers, groupId, 1);
  await scheduleExpiry(tx, row);
  await record(tx, 'DB_USER_ADDED', row, actor);
  return row;
}

/** A new password: its verifiers, and the password itself, both encrypted. Undefined if the request has none. */
type NewPassword = Pick<UserRow, 'password' | 'verifiers'>;

/** Applies the fields that a request contains. */
export async function changeUser(
  tx: Tx,
  actor: Actor,
  before: UserRow,
  { request, verifiers, password }: NewPassword & { readonly request: DatabaseUserUpdate },
): Promise<UserRow> {
  checkIdentity(before, request);
  const document = readUser(request, before.document);
  await checkGrantedRoles(tx, before.groupId, document);
  checkPassword(request.password, document, before.username);
  const deleteAfter = readDeletion(request.deleteAfterDate, tx.now);
  if (deleteAfter && !before.deleteAfter) throw userFaults.PERMANENT_ENTITY_CANNOT_BE_MADE_TEMPORARY();
  const row: UserRow = {
    ...before,
    document,
    deleteAfter: deleteAfter ?? before.deleteAfter,
    ...(verifiers && { verifiers, password: await ifKept(tx, before.groupId, password) }),
  };
  await updateUser(tx, row);
  await scheduleExpiry(tx, row);
  await record(tx, 'DB_USER_UPDATED', row, actor);
  return row;
}

export async function removeUser(tx: Tx, actor: Actor, row: UserRow): Promise<void> {
  await deleteUser(tx, row.id);
  await addCount(tx, projectCounters.databaseUsers, row.groupId, -1);
  await record(tx, 'DB_USER_DELETED', row, actor);
}

/** Whether a user exists with this name, or with another name that clusters treat as equal. */
async function isNameTaken(tx: ReadTx, user: NewUser): Promise<boolean> {
  if (await findUser(tx, user)) return true;
  if (user.databaseName !== '$external') return false;
  const name = nameInClusters(user);
  const others = await usersOf(tx, user.groupId);
  return others.some((other) => other.databaseName === '$external' && nameInClusters(other) === name);
}

/** Throws for roles that a user of the project cannot have. */
async function checkGrantedRoles(tx: ReadTx, groupId: string, document: UserDocument): Promise<void> {
  checkRoles(document, new Set((await rolesOf(tx, groupId)).map(({ name }) => name)));
}

async function scheduleExpiry(tx: Tx, row: UserRow): Promise<void> {
  if (row.deleteAfter === undefined) return;
  await enqueue(tx, EXPIRY, {
    key: row.id,
    owner: row.groupId,
    payload: { userId: row.id },
    runAt: row.deleteAfter,
  });
}

function record(tx: Tx, type: string, row: UserRow, actor: Actor): Promise<void> {
  return recordInProject(tx, row.groupId, { type, actor, details: { dbUserUsername: row.username } });
}
