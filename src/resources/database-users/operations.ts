import { generalFaults } from '../../api/faults.ts';
import { countOf, type ReadTx } from '../../store/index.ts';
import { readDeletion } from '../access-list/index.ts';
import { projectCounters } from '../projects/index.ts';
import { operation } from '../services.ts';
import { addUser, changeUser, removeUser } from './changes.ts';
import { rolesOf } from './custom-roles/rows.ts';
import { checkUsername } from './names.ts';
import { findUser, pageOfUsers, type UserDocument, type UserRow } from './rows.ts';
import { checkDatabase, checkPassword, checkRoles, readUser, userFaults, usesPassword } from './rules.ts';
import { DatabaseUser, DatabaseUserUpdate } from './schema.ts';
import { sealVerifiers } from './verifiers.ts';

const tag = 'Database Users';

function present(row: UserRow): Omit<DatabaseUser, 'links'> {
  return {
    ...row.document,
    databaseName: row.databaseName,
    groupId: row.groupId,
    username: row.username,
    ...(row.deleteAfter === undefined ? {} : { deleteAfterDate: row.deleteAfter }),
  };
}

export const listDatabaseUsers = operation({
  id: 'listDatabaseUsers',
  summary: 'Lists the database users of a project.',
  tag,
  method: 'GET',
  path: '/groups/{groupId}/databaseUsers',
  access: 'Project Read Only',
  reply: DatabaseUser,
  list: 'page',
  status: 200,
  reachedFrom: { project: 'databaseUsers' },
  handler(call) {
    const { groupId } = call.params;
    return call.read(async (tx) => {
      const { rows, next } = await pageOfUsers(tx, groupId, call.page);
      const totalCount = call.page.includeCount
        ? await countOf(tx, projectCounters.databaseUsers, groupId)
        : undefined;
      return { results: rows.map(present), next, totalCount };
    });
  },
});

export const createDatabaseUser = operation({
  id: 'createDatabaseUser',
  summary: 'Makes a user who can log in to the clusters of the project.',
  tag,
  method: 'POST',
  path: '/groups/{groupId}/databaseUsers',
  access: 'Project Database Access Admin',
  body: DatabaseUser,
  reply: DatabaseUser,
  status: 201,
  async handler(call) {
    const { body, services } = call;
    const { groupId } = call.params;
    if (body.groupId !== undefined && body.groupId !== groupId)
      throw generalFaults.GROUP_MISMATCH(body.groupId);
    const document = readUser(body);
    checkDatabase(body.databaseName, document);
    checkUsername(body.username, document);
    checkPassword(body.password, document, body.username);
    if (usesPassword(document) && body.password === undefined)
      throw generalFaults.MISSING_ATTRIBUTE('password');
    const id = services.ids.next();
    const verifiers =
      body.password === undefined
        ? undefined
        : await sealVerifiers(services, { id, username: body.username }, body.password);
    return call.write(async (tx) => {
      await checkGranted(tx, groupId, document);
      const { databaseName, username } = body;
      if (await findUser(tx, { groupId, databaseName, username }))
        throw userFaults.USER_ALREADY_EXISTS(username);
      const deleteAfter = readDeletion(body.deleteAfterDate, tx.now);
      if (deleteAfter && document.x509Type === 'MANAGED') {
        throw userFaults.PLATFORM_X509_USER_CANNOT_BE_TEMPORARY();
      }
      const row: UserRow = { id, groupId, databaseName, username, document, deleteAfter, verifiers };
      await addUser(tx, row, call.actor);
      return present(row);
    });
  },
});

export const getDatabaseUser = operation({
  id: 'getDatabaseUser',
  summary: 'Answers one database user.',
  tag,
  method: 'GET',
  path: '/groups/{groupId}/databaseUsers/{databaseName}/{username}',
  access: 'Project Read Only',
  reply: DatabaseUser,
  status: 200,
  handler: (call) => call.read(async (tx) => present(await existing(tx, call.params))),
});

export const updateDatabaseUser = operation({
  id: 'updateDatabaseUser',
  summary: 'Changes a database user; what is not named stays.',
  tag,
  method: 'PATCH',
  path: '/groups/{groupId}/databaseUsers/{databaseName}/{username}',
  access: 'Project Database Access Admin',
  body: DatabaseUserUpdate,
  reply: DatabaseUser,
  status: 200,
  async handler(call) {
    const { body, services } = call;
    const { id, username } = await call.read((tx) => existing(tx, call.params));
    const sealed =
      body.password === undefined
        ? undefined
        : await sealVerifiers(services, { id, username }, body.password);
    return call.write(async (tx) => {
      const before = await existing(tx, call.params);
      // Deleted and made anew since the password was sealed, for the id of the one that is gone.
      if (before.id !== id) throw userFaults.USERNAME_NOT_FOUND(username);
      checkIdentity(before, body);
      const document = readUser(body, before.document);
      await checkGranted(tx, before.groupId, document);
      checkPassword(body.password, document, before.username);
      const deleteAfter = readDeletion(body.deleteAfterDate, tx.now);
      if (deleteAfter && !before.deleteAfter) throw userFaults.PERMANENT_ENTITY_CANNOT_BE_MADE_TEMPORARY();
      const after: UserRow = {
        ...before,
        document,
        deleteAfter: deleteAfter ?? before.deleteAfter,
        verifiers: sealed ?? before.verifiers,
      };
      await changeUser(tx, after, call.actor);
      return present(after);
    });
  },
});

export const deleteDatabaseUser = operation({
  id: 'deleteDatabaseUser',
  summary: 'Deletes a database user; its connections lose their log-in.',
  tag,
  method: 'DELETE',
  path: '/groups/{groupId}/databaseUsers/{databaseName}/{username}',
  access: 'Project Database Access Admin',
  status: 204,
  async handler(call) {
    await call.write(async (tx) => removeUser(tx, await existing(tx, call.params), call.actor));
  },
});

async function checkGranted(tx: ReadTx, groupId: string, document: UserDocument): Promise<void> {
  checkRoles(document, new Set((await rolesOf(tx, groupId)).map(({ name }) => name)));
}

function checkIdentity(before: UserRow, body: DatabaseUserUpdate): void {
  if (body.groupId !== undefined && body.groupId !== before.groupId)
    throw generalFaults.GROUP_MISMATCH(body.groupId);
  if (body.username !== undefined && body.username !== before.username) {
    throw userFaults.DATABASE_USERNAME_CANNOT_BE_CHANGED();
  }
  if (body.databaseName !== undefined && body.databaseName !== before.databaseName) {
    throw userFaults.DATABASE_NAME_CANNOT_BE_CHANGED();
  }
}

async function existing(
  tx: ReadTx,
  at: { groupId: string; databaseName: string; username: string },
): Promise<UserRow> {
  const row = await findUser(tx, at);
  if (!row) throw userFaults.USERNAME_NOT_FOUND(at.username);
  return row;
}
