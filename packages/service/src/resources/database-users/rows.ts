import type { Kysely, Selectable } from 'kysely';
import {
  codec,
  fetchPage,
  type PageRange,
  prepared,
  preparedInsert,
  type ReadTx,
  type Tx,
} from '../../store/index.ts';
import type { DatabaseUser } from './schema.ts';

interface Tables {
  database_user: {
    id: string;
    group_id: string;
    database_name: string;
    username: string;
    document: string;
    delete_after: number | null;
    verifiers: Uint8Array | null;
    password: Uint8Array | null;
  };
}

/** The fields of a user that are stored as the request contains them. */
export type UserDocument = Required<
  Pick<
    DatabaseUser,
    'awsIAMType' | 'labels' | 'ldapAuthType' | 'oidcAuthType' | 'roles' | 'scopes' | 'x509Type'
  >
> &
  Pick<DatabaseUser, 'description'>;

export interface UserRow {
  readonly id: string;
  readonly groupId: string;
  readonly databaseName: 'admin' | '$external';
  readonly username: string;
  readonly document: UserDocument;
  readonly deleteAfter: Date | undefined;
  /** Encrypted SCRAM verifiers; absent for users without a password. */
  readonly verifiers: Uint8Array | undefined;
  /** The encrypted password. It is stored only while a cluster of the project needs it. */
  readonly password: Uint8Array | undefined;
}

const document = codec.json<UserDocument>();

function readUserRow(row: Selectable<Tables['database_user']>): UserRow {
  return {
    id: row.id,
    groupId: row.group_id,
    databaseName: row.database_name as UserRow['databaseName'],
    username: row.username,
    document: document.read(row.document),
    deleteAfter: codec.optionalDate.read(row.delete_after),
    verifiers: row.verifiers ?? undefined,
    password: row.password ?? undefined,
  };
}

function writeUserRow(row: UserRow): Tables['database_user'] {
  return {
    id: row.id,
    group_id: row.groupId,
    database_name: row.databaseName,
    username: row.username,
    document: document.write(row.document),
    delete_after: codec.optionalDate.write(row.deleteAfter),
    verifiers: row.verifiers ?? null,
    password: row.password ?? null,
  };
}

const insert = preparedInsert((db: Kysely<Tables>, rows: readonly Tables['database_user'][]) =>
  db.insertInto('database_user').values(rows),
);

interface UserName {
  groupId: string;
  databaseName: string;
  username: string;
}

const byUserName = prepared((db: Kysely<Tables>, of: UserName) =>
  db
    .selectFrom('database_user')
    .selectAll()
    .where('group_id', '=', of.groupId)
    .where('database_name', '=', of.databaseName)
    .where('username', '=', of.username),
);

export async function insertUser(tx: Tx, row: UserRow): Promise<void> {
  await insert(tx, [writeUserRow(row)]);
}

export async function updateUser(tx: Tx, row: UserRow): Promise<void> {
  const { id, ...columns } = writeUserRow(row);
  await tx.from<Tables>().updateTable('database_user').set(columns).where('id', '=', id).execute();
}

/** Deletes the encrypted passwords of a project. Verifiers stay. */
export async function forgetPasswords(tx: Tx, groupId: string): Promise<void> {
  const update = tx.from<Tables>().updateTable('database_user').set({ password: null });
  await update.where('group_id', '=', groupId).where('password', 'is not', null).execute();
}

export async function deleteUser(tx: Tx, id: string): Promise<void> {
  await tx.from<Tables>().deleteFrom('database_user').where('id', '=', id).execute();
}

export async function userById(tx: ReadTx, id: string): Promise<UserRow | undefined> {
  const query = tx.from<Tables>().selectFrom('database_user').selectAll().where('id', '=', id);
  const row = await query.executeTakeFirst();
  return row && readUserRow(row);
}

export async function findUser(tx: ReadTx, at: UserName): Promise<UserRow | undefined> {
  const row = await byUserName.first(tx, at);
  return row && readUserRow(row);
}

export async function pageOfUsers(tx: ReadTx, groupId: string, page: PageRange) {
  const query = tx.from<Tables>().selectFrom('database_user').selectAll().where('group_id', '=', groupId);
  const { rows, next } = await fetchPage(query, 'id', page);
  return { rows: rows.map(readUserRow), next };
}

/** Returns all users of a project, for the engine. */
export async function usersOf(tx: ReadTx, groupId: string): Promise<UserRow[]> {
  const query = tx.from<Tables>().selectFrom('database_user').selectAll().where('group_id', '=', groupId);
  return (await query.orderBy('id').execute()).map(readUserRow);
}
