import type { SecretBox } from '@portolan/foundation/secret-box';
import { canonicalBlock } from '../../../access/index.ts';
import { system } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import { findEntry, putEntries, removeEntry } from '../../access-list/index.ts';
import { addUser, findUser, readUser, removeUser, sealVerifiers } from '../../database-users/index.ts';
import type { Services } from '../../services.ts';
import type { MigrationRow } from './rows.ts';

/*
 * The migration host at the destination: a database user and an entry of the access list, which people see, and which go
 * when the migration ends.
 */

type Migration = Pick<MigrationRow, 'id' | 'groupId' | 'clusterName'>;

export const guestName = ({ id }: Pick<MigrationRow, 'id'>) => `live-migration-${id}`;

/** Derived, so that it need not be kept. */
export function guestPassword(secrets: SecretBox, { id }: Pick<MigrationRow, 'id'>): string {
  return secrets.sign(id, 'user of a live migration');
}

interface Guest {
  readonly id: string;
  readonly verifiers: Uint8Array | undefined;
}

/** Its verifiers, which take a while. */
export async function makeGuest(services: Services, migration: Migration): Promise<Guest> {
  const id = services.ids.next();
  const user = { id, username: guestName(migration) };
  return { id, verifiers: await sealVerifiers(services, user, guestPassword(services.secrets, migration)) };
}

const placeOf = (migration: Migration) => ({
  groupId: migration.groupId,
  databaseName: 'admin' as const,
  username: guestName(migration),
});

/** Lets it in; done again, nothing happens. Answers the block that was put on the access list for it, where one was. */
export async function letIn(
  tx: Tx,
  migration: Migration,
  guest: Guest,
  address: string,
): Promise<string | undefined> {
  const place = placeOf(migration);
  if ((await findUser(tx, place)) === undefined) {
    const roles = [{ roleName: 'platformAdmin', databaseName: 'admin' }];
    const scopes = [{ name: migration.clusterName, type: 'CLUSTER' as const }];
    const document = readUser({ roles, scopes, description: 'A live migration, until it ends' });
    await addUser(tx, system, { ...place, ...guest, document, deleteAfterDate: undefined });
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

/** Takes away what `letIn` has made, where it is still there as it was made. */
export async function showOut(tx: Tx, migration: Migration, block: string | undefined): Promise<void> {
  const user = await findUser(tx, placeOf(migration));
  if (user) await removeUser(tx, system, user);
  const entry = block === undefined ? undefined : await findEntry(tx, migration.groupId, block);
  if (entry && isOwn(entry, migration)) await removeEntry(tx, entry, system);
}
