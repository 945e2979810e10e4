import type { SecretBox } from '@portolan/foundation/secret-box';
import { canonicalBlock } from '../../../access/index.ts';
import { system } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import { findEntry, putEntries, removeEntry } from '../../access-list/index.ts';
import {
  addUser,
  findUser,
  readUser,
  removeUser,
  sealPassword,
  sealVerifiers,
} from '../../database-users/index.ts';
import type { Services } from '../../services.ts';
import type { MigrationRow } from './rows.ts';

/*
 * This file manages the access of the migration host to the destination: a database user and an access list
 * entry. Callers can see both. Both are removed when the migration ends.
 */

type Migration = Pick<MigrationRow, 'id' | 'groupId' | 'clusterName'>;

export const migrationUserName = ({ id }: Pick<MigrationRow, 'id'>) => `live-migration-${id}`;

/**
 * Returns the password of the migration's database user. The password is derived from the migration's id, so that it
 * need not be stored.
 */
export function migrationUserPassword(secrets: SecretBox, { id }: Pick<MigrationRow, 'id'>): string {
  return secrets.sign(id, 'user of a live migration');
}

interface MigrationUser {
  readonly id: string;
  readonly verifiers: Uint8Array | undefined;
  /** The encrypted password, which only some engines need. */
  readonly password: Uint8Array | undefined;
}

/** Computes the user's SCRAM verifiers. Called outside of transactions, since this is slow. */
export async function prepareUser(services: Services, migration: Migration): Promise<MigrationUser> {
  const id = services.ids.next();
  const user = { id, username: migrationUserName(migration) };
  const password = migrationUserPassword(services.secrets, migration);
  return {
    id,
    verifiers: await sealVerifiers(services, user, password),
    password: sealPassword(services.secrets, id, password),
  };
}

const placeOf = (migration: Migration) => ({
  groupId: migration.groupId,
  databaseName: 'admin' as const,
  username: migrationUserName(migration),
});

/**
 * Creates the database user of the migration, and adds the address of the migration host to the access list. Repeating
 * the call has no effect. Returns the access list block that the migration has added, if any.
 */
export async function grantAccess(
  tx: Tx,
  migration: Migration,
  user: MigrationUser,
  address: string,
): Promise<string | undefined> {
  const place = placeOf(migration);
  if ((await findUser(tx, place)) === undefined) {
    const roles = [{ roleName: 'platformAdmin', databaseName: 'admin' }];
    const scopes = [{ name: migration.clusterName, type: 'CLUSTER' as const }];
    const document = readUser({ roles, scopes, description: 'A live migration, until it ends' });
    const rest = { document, deleteAfterDate: undefined };
    await addUser(tx, system, { ...place, ...user, ...rest });
  }
  const cidr = canonicalBlock(address);
  if (cidr === undefined) return undefined;
  const before = await findEntry(tx, migration.groupId, cidr);
  if (before !== undefined) return isOwn(before, migration) ? cidr : undefined;
  const entry = { cidr, address, comment: commentOf(migration), deleteAfter: undefined };
  await putEntries(tx, migration.groupId, [entry], system);
  return cidr;
}

const commentOf = ({ id }: Pick<MigrationRow, 'id'>) => `Live migration ${id}`;

function isOwn({ comment }: { readonly comment: string }, migration: Pick<MigrationRow, 'id'>): boolean {
  return comment === commentOf(migration);
}

/** Removes the user. Also removes the access list entry, unless it was changed. */
export async function revokeAccess(tx: Tx, migration: Migration, block: string | undefined): Promise<void> {
  const user = await findUser(tx, placeOf(migration));
  if (user) await removeUser(tx, system, user);
  const entry = block === undefined ? undefined : await findEntry(tx, migration.groupId, block);
  if (entry && isOwn(entry, migration)) await removeEntry(tx, entry, system);
}
