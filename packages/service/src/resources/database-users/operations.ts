import { generalFaults } from '../../api/faults.ts';
import { countOf } from '../../store/index.ts';
import { projectCounters } from '../projects/index.ts';
import { operation } from '../services.ts';
import { authorityUntil } from './certificates/authority.ts';
import { keepAuthority } from './certificates/changes.ts';
import { addUser, changeUser, removeUser } from './changes.ts';
import { userFaults } from './faults.ts';
import { checkUsername } from './names.ts';
import { pageOfUsers, type UserRow } from './rows.ts';
import { checkDatabase, checkPassword, readUser, requireDatabaseUser, usesPassword } from './rules.ts';
import { DatabaseUser, DatabaseUserCreate, DatabaseUserUpdate } from './schema.ts';
import { sealPassword } from './stored-password.ts';
import { checkNotTaken } from './taken.ts';
import { sealVerifiers } from './verifiers.ts';

function presentUser(row: UserRow): Omit<DatabaseUser, 'links'> {
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
  tag: 'Database Users',
  method: 'GET',
  path: '/groups/{groupId}/databaseUsers',
  summary: 'Lists the database users of a project.',
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
      return { results: rows.map(presentUser), next, totalCount };
    });
  },
});

export const createDatabaseUser = operation({
  id: 'createDatabaseUser',
  tag: 'Database Users',
  method: 'POST',
  path: '/groups/{groupId}/databaseUsers',
  summary: 'Creates a database user, who can log in to the clusters of the project.',
  access: 'Project Database Access Admin',
  body: DatabaseUserCreate,
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
    const verifiers = await sealVerifiers(services, { id, username: body.username }, body.password);
    const { databaseName, username, deleteAfterDate } = body;
    const password = sealPassword(services.secrets, id, body.password);
    const user = { id, groupId, databaseName, username, document, verifiers, password, deleteAfterDate };
    await checkNotTaken(services, user);
    // Store the authority in the same transaction as the user, so that the nodes get both at once. A certificate then
    // works as soon as it is issued.
    const managed = document.x509Type === 'MANAGED';
    const authority = managed && (await authorityUntil(services, groupId, services.clock.now()));
    return call.write(async (tx) => {
      if (authority) await keepAuthority(tx, authority);
      return presentUser(await addUser(tx, call.actor, user));
    });
  },
});

export const getDatabaseUser = operation({
  id: 'getDatabaseUser',
  tag: 'Database Users',
  method: 'GET',
  path: '/groups/{groupId}/databaseUsers/{databaseName}/{username}',
  summary: 'Returns one database user.',
  access: 'Project Read Only',
  reply: DatabaseUser,
  status: 200,
  handler: (call) => call.read(async (tx) => presentUser(await requireDatabaseUser(tx, call.params))),
});

export const updateDatabaseUser = operation({
  id: 'updateDatabaseUser',
  tag: 'Database Users',
  method: 'PATCH',
  path: '/groups/{groupId}/databaseUsers/{databaseName}/{username}',
  summary: 'Updates a database user. Omitted fields keep their values.',
  access: 'Project Database Access Admin',
  body: DatabaseUserUpdate,
  reply: DatabaseUser,
  status: 200,
  async handler(call) {
    const { body, services } = call;
    const { id, username } = await call.read((tx) => requireDatabaseUser(tx, call.params));
    const verifiers = await sealVerifiers(services, { id, username }, body.password);
    const password = sealPassword(services.secrets, id, body.password);
    return call.write(async (tx) => {
      const before = await requireDatabaseUser(tx, call.params);
      // If the user was deleted and created again in the meantime, the new user has another id. The password is
      // encrypted for the old id, so the new user cannot use it.
      if (before.id !== id) throw userFaults.USERNAME_NOT_FOUND(username);
      return presentUser(await changeUser(tx, call.actor, before, { request: body, verifiers, password }));
    });
  },
});

export const deleteDatabaseUser = operation({
  id: 'deleteDatabaseUser',
  tag: 'Database Users',
  method: 'DELETE',
  path: '/groups/{groupId}/databaseUsers/{databaseName}/{username}',
  summary: 'Deletes a database user. Open connections of the user are no longer authenticated.',
  access: 'Project Database Access Admin',
  status: 204,
  async handler(call) {
    await call.write(async (tx) => removeUser(tx, call.actor, await requireDatabaseUser(tx, call.params)));
  },
});
