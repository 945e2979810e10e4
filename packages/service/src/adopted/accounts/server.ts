import type { Document, MongoClient } from 'mongodb';
import { runOn } from '../connection.ts';
import { type AccountName, type AccountRecord, keyOf } from './book.ts';
import { contentsOfRole } from './grants.ts';
import type { WantedAccount } from './wanted.ts';

const WRITE = { writeConcern: { w: 'majority', wtimeout: 5_000 } };
const words = { ROLE: 'Role', USER: 'User' } as const;

/** The accounts of a deployment, as its servers report them, by key. */
export type FoundAccounts = ReadonlyMap<string, Document>;

/**
 * Returns those of the given accounts that exist on the servers. Throws if the servers do not reply. Reads from the
 * primary, since another member may not have replicated a new account yet.
 */
export async function findAccounts(
  client: MongoClient,
  accounts: readonly AccountName[],
): Promise<FoundAccounts> {
  const named = (wanted: AccountName['kind']) => accounts.filter(({ kind }) => kind === wanted);
  const users = named('USER').map(({ name, database }) => ({ user: name, db: database }));
  const roles = named('ROLE').map(({ name, database }) => ({ role: name, db: database }));
  const found: [string, Document][] = [];
  if (users.length > 0)
    for (const user of (await runOn(client, { usersInfo: users })).users as Document[])
      found.push([keyOf({ kind: 'USER', database: user.db, name: user.user }), user]);
  if (roles.length > 0)
    for (const role of (await runOn(client, { rolesInfo: roles, showPrivileges: true })).roles as Document[])
      found.push([keyOf({ kind: 'ROLE', database: role.db, name: role.role }), role]);
  return new Map(found);
}

/**
 * Name of a database. A privilege on a collection of this database contains the mark of a role; see `isOwn`.
 */
const MARKS = 'portolan';

/**
 * Whether the service has created an existing account. The service records a random mark before it creates an
 * account, and the account contains this mark. A user contains the mark in `customData`. A role has no such field, so
 * it contains the mark in a privilege on a collection that does not exist.
 */
export function isOwn(found: Document, record: AccountRecord | undefined): boolean {
  if (record === undefined || record.mark === '') return false;
  if (record.kind === 'USER') return found.customData?.portolan === record.mark;
  const { privileges = [] } = found;
  return (privileges as Document[]).some(
    ({ resource: { db, collection } }) => db === MARKS && collection === record.mark,
  );
}

/**
 * Whether an existing account has the roles and privileges that the service gives it. Servers do not return passwords,
 * so another password is not noticed.
 */
export function hasContents(found: Document, account: WantedAccount, mark: string): boolean {
  return contentsOfRole(found) === contentsOfRole(markedFields(account, mark));
}

/** Creates an account. Rejects if it exists. */
export async function createAccount(
  client: MongoClient,
  account: WantedAccount,
  mark: string,
): Promise<void> {
  const custom = account.kind === 'USER' ? { customData: { portolan: mark } } : {};
  await run(client, account, 'create', { ...markedFields(account, mark), ...custom });
}

export async function changeAccount(
  client: MongoClient,
  account: WantedAccount,
  mark: string,
): Promise<void> {
  await run(client, account, 'update', markedFields(account, mark));
}

/**
 * Returns the fields of the command that creates or updates an account. They include the privilege with the
 * mark, because an update of a role replaces all its privileges.
 */
function markedFields({ kind, fields }: WantedAccount, mark: string): Document {
  if (kind === 'USER') return fields;
  const privilege = { resource: { db: MARKS, collection: mark }, actions: ['find'] };
  return { ...fields, privileges: [...(fields.privileges as Document[]), privilege] };
}

export async function dropAccount(client: MongoClient, account: AccountName): Promise<void> {
  await run(client, account, 'drop', {});
}

async function run(
  client: MongoClient,
  { kind, database, name }: AccountName,
  verb: string,
  fields: Document,
): Promise<void> {
  const command = { [`${verb}${words[kind]}`]: name, ...fields, ...WRITE };
  await runOn(client, command, database);
}
