import type { Document, MongoClient } from 'mongodb';
import { type AccountName, type AccountRecord, keyOf } from './book.ts';
import { contentsOfRole } from './grants.ts';
import type { WantedAccount } from './wanted.ts';

const WRITE = { writeConcern: { w: 'majority', wtimeout: 5_000 } };
const words = { ROLE: 'Role', USER: 'User' } as const;

/** The accounts of a deployment, as its servers report them, by key. */
export type FoundAccounts = ReadonlyMap<string, Document>;

/** Returns those of these accounts that exist. Throws if the servers do not reply. */
export async function findAccounts(
  client: MongoClient,
  accounts: readonly AccountName[],
): Promise<FoundAccounts> {
  const named = (wanted: AccountName['kind']) => accounts.filter(({ kind }) => kind === wanted);
  const users = named('USER').map(({ name, database }) => ({ user: name, db: database }));
  const roles = named('ROLE').map(({ name, database }) => ({ role: name, db: database }));
  const found: [string, Document][] = [];
  if (users.length > 0)
    for (const user of (await read(client, { usersInfo: users })).users as Document[])
      found.push([keyOf({ kind: 'USER', database: user.db, name: user.user }), user]);
  if (roles.length > 0)
    for (const role of (await read(client, { rolesInfo: roles, showPrivileges: true })).roles as Document[])
      found.push([keyOf({ kind: 'ROLE', database: role.db, name: role.role }), role]);
  return new Map(found);
}

/** Reads from the primary, since another member may not have replicated a new account yet. */
const read = (client: MongoClient, command: Document) => client.db('admin').command(command);

/**
 * Whether the service has created an existing account. A user contains a random mark, which the service recorded before
 * it created the user. A role cannot contain a mark. It belongs to the service if its contents are those that the
 * service has recorded, or those that the project wants (`digest`).
 */
export function isOwn(
  found: Document,
  record: AccountRecord | undefined,
  digest: string | undefined,
): boolean {
  if (record === undefined || record.state === 'NONE') return false;
  if (record.kind === 'USER') return found.customData?.portolan === record.mark;
  return [...record.mark.split(' '), digest].includes(contentsOfRole(found));
}

/** Creates an account. Rejects if it exists. */
export async function createAccount(
  client: MongoClient,
  account: WantedAccount,
  mark: string,
): Promise<void> {
  await run(client, account, 'create', { ...account.fields, ...markOf(account, mark) });
}

export async function changeAccount(client: MongoClient, account: WantedAccount): Promise<void> {
  await run(client, account, 'update', account.fields);
}

export async function dropAccount(client: MongoClient, account: AccountName): Promise<void> {
  await run(client, account, 'drop', {});
}

const markOf = ({ kind }: AccountName, mark: string) =>
  kind === 'USER' ? { customData: { portolan: mark } } : {};

async function run(
  client: MongoClient,
  { kind, database, name }: AccountName,
  verb: string,
  fields: Document,
): Promise<void> {
  await client.db(database).command({ [`${verb}${words[kind]}`]: name, ...fields, ...WRITE });
}
