import { codec, type ReadTx, type Tx } from '../../store/index.ts';
import type { EncryptionSettings, KeyProvider } from './providers.ts';

interface Tables {
  encryption_at_rest: { group_id: string; settings: string; secrets: Uint8Array };
  project_master_key: { id: string; group_id: string };
}

export interface EncryptionRow {
  readonly settings: EncryptionSettings;
  /** Sealed `Secrets`. */
  readonly secrets: Uint8Array;
}

/** In clear, by provider. */
export type Secrets = { readonly [P in KeyProvider]?: string };

const settings = codec.json<EncryptionSettings>();

export async function findEncryption(tx: ReadTx, groupId: string): Promise<EncryptionRow | undefined> {
  const query = tx.from<Tables>().selectFrom('encryption_at_rest').select(['settings', 'secrets']);
  const row = await query.where('group_id', '=', groupId).executeTakeFirst();
  return row && { settings: settings.read(row.settings), secrets: row.secrets };
}

export async function saveEncryption(tx: Tx, groupId: string, row: EncryptionRow): Promise<void> {
  const columns = { settings: settings.write(row.settings), secrets: row.secrets };
  const insert = tx
    .from<Tables>()
    .insertInto('encryption_at_rest')
    .values({ group_id: groupId, ...columns });
  await insert.onConflict((of) => of.column('group_id').doUpdateSet(columns)).execute();
}

/** Notes that a project has named a master key. */
export async function insertMasterKey(tx: Tx, groupId: string, id: string): Promise<void> {
  const insert = tx.from<Tables>().insertInto('project_master_key').values({ id, group_id: groupId });
  await insert.onConflict((of) => of.columns(['id', 'group_id']).doNothing()).execute();
}

/** Whether a project, or any where none is named, has named a master key. */
export async function isNamed(tx: ReadTx, id: string, groupId?: string): Promise<boolean> {
  const query = tx.from<Tables>().selectFrom('project_master_key').select('id').where('id', '=', id);
  const own = groupId === undefined ? query : query.where('group_id', '=', groupId);
  return (await own.executeTakeFirst()) !== undefined;
}
