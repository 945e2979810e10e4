import { type Selectable, sql } from 'kysely';
import { codec, type ReadTx, type Tx } from '../../store/index.ts';

interface Tables {
  cloud_user: {
    id: string;
    username: string;
    password_hash: string;
    first_name: string;
    last_name: string;
    country: string;
    mobile_number: string;
    created: number;
    last_auth: number | null;
    proven: number | null;
  };
}

/** A person, who may belong to any number of organizations. */
export interface UserRow {
  readonly id: string;
  /** An e-mail address with its case preserved; lookups ignore case. */
  readonly username: string;
  /** The result of `hashPassword`. */
  readonly passwordHash: string;
  readonly firstName: string;
  readonly lastName: string;
  /** ISO 3166 alpha-2 country code. */
  readonly country: string;
  readonly mobileNumber: string;
  readonly created: Date;
  /** When the person last logged in; absent if the person has never logged in. */
  readonly lastAuth?: Date;
  /**
   * When the person proved that they own the e-mail address, by opening a mailed link or by logging in at an OpenID
   * provider. Absent until then, because somebody else may have created the account, and may know its password.
   */
  readonly proven?: Date;
}

/** The contact data of a person who has entered none, since the API requires both fields. */
export const noContact = { country: 'US', mobileNumber: '' } as const;

function readUserRow(row: Selectable<Tables['cloud_user']>): UserRow {
  return {
    id: row.id,
    username: row.username,
    passwordHash: row.password_hash,
    firstName: row.first_name,
    lastName: row.last_name,
    country: row.country,
    mobileNumber: row.mobile_number,
    created: codec.date.read(row.created),
    ...(row.last_auth !== null && { lastAuth: codec.date.read(row.last_auth) }),
    ...(row.proven !== null && { proven: codec.date.read(row.proven) }),
  };
}

export async function insertUser(tx: Tx, row: UserRow): Promise<void> {
  const { id, username, country } = row;
  const values = {
    id,
    username,
    country,
    password_hash: row.passwordHash,
    first_name: row.firstName,
    last_name: row.lastName,
    mobile_number: row.mobileNumber,
    created: codec.date.write(row.created),
    last_auth: null,
    proven: row.proven === undefined ? null : codec.date.write(row.proven),
  };
  await tx.from<Tables>().insertInto('cloud_user').values(values).execute();
}

/** Updates name, country and mobile number. */
export async function updateProfile(tx: Tx, row: UserRow): Promise<void> {
  const values = {
    first_name: row.firstName,
    last_name: row.lastName,
    country: row.country,
    mobile_number: row.mobileNumber,
  };
  await tx.from<Tables>().updateTable('cloud_user').set(values).where('id', '=', row.id).execute();
}

export async function updatePasswordHash(tx: Tx, id: string, hash: string): Promise<void> {
  const users = tx.from<Tables>().updateTable('cloud_user').set({ password_hash: hash });
  await users.where('id', '=', id).execute();
}

/** Stores when a person proved the address of an account. */
export async function updateProven(tx: Tx, id: string, time: Date): Promise<void> {
  const users = tx
    .from<Tables>()
    .updateTable('cloud_user')
    .set({ proven: codec.date.write(time) });
  await users.where('id', '=', id).execute();
}

export async function updateLastAuth(tx: Tx, id: string, time: Date): Promise<void> {
  const users = tx
    .from<Tables>()
    .updateTable('cloud_user')
    .set({ last_auth: codec.date.write(time) });
  await users.where('id', '=', id).execute();
}

export async function findUser(tx: ReadTx, id: string): Promise<UserRow | undefined> {
  const row = await users(tx).where('id', '=', id).executeTakeFirst();
  return row && readUserRow(row);
}

export async function findUserNamed(tx: ReadTx, username: string): Promise<UserRow | undefined> {
  const isNamed = sql<boolean>`lower(username) = ${username.toLowerCase()}`;
  const row = await users(tx).where(isNamed).executeTakeFirst();
  return row && readUserRow(row);
}

/** Returns the users with these ids, oldest first. Ignores ids of API keys, service accounts and teams. */
export async function usersAmong(tx: ReadTx, ids: readonly string[]): Promise<UserRow[]> {
  if (ids.length === 0) return [];
  return (await users(tx).where('id', 'in', ids).orderBy('id').execute()).map(readUserRow);
}

function users(tx: ReadTx) {
  return tx.from<Tables>().selectFrom('cloud_user').selectAll();
}
