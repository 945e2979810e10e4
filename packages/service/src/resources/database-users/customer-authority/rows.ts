import { codec, type ReadTx, type Tx } from '../../../store/index.ts';
import type { Directory } from './schema.ts';

const settings = codec.json<Directory>();

interface Tables {
  customer_authority: { group_id: string; certificates: string };
  ldap_settings: { group_id: string; document: string };
}

/** Returns the PEM text of the authorities that a project has uploaded. */
export async function customerAuthorities(tx: ReadTx, groupId: string): Promise<string | undefined> {
  const query = tx.from<Tables>().selectFrom('customer_authority').select('certificates');
  return (await query.where('group_id', '=', groupId).executeTakeFirst())?.certificates;
}

export async function saveCustomerAuthorities(tx: Tx, groupId: string, certificates: string): Promise<void> {
  const insert = tx
    .from<Tables>()
    .insertInto('customer_authority')
    .values({ group_id: groupId, certificates });
  await insert.onConflict((of) => of.column('group_id').doUpdateSet({ certificates })).execute();
}

export async function deleteCustomerAuthorities(tx: Tx, groupId: string): Promise<void> {
  await tx.from<Tables>().deleteFrom('customer_authority').where('group_id', '=', groupId).execute();
}

/** Returns the settings of a project's directory; empty if there are none. */
export async function directoryOf(tx: ReadTx, groupId: string): Promise<Directory> {
  const query = tx.from<Tables>().selectFrom('ldap_settings').select('document');
  const row = await query.where('group_id', '=', groupId).executeTakeFirst();
  return row === undefined ? {} : settings.read(row.document);
}

export async function saveDirectory(tx: Tx, groupId: string, directory: Directory): Promise<void> {
  const document = settings.write(directory);
  const insert = tx.from<Tables>().insertInto('ldap_settings').values({ group_id: groupId, document });
  await insert.onConflict((of) => of.column('group_id').doUpdateSet({ document })).execute();
}
