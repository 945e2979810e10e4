import { codec, type ReadTx, type Tx } from '../../../store/index.ts';
import type { ProjectSettings } from './schema.ts';

interface Tables {
  project_settings: { group_id: string; document: string };
}

/** The stored settings. A setting that is not stored has its default. */
export type StoredSettings = Omit<ProjectSettings, 'links'>;

const document = codec.json<StoredSettings>();

export async function readSettings(tx: ReadTx, groupId: string): Promise<StoredSettings> {
  const query = tx.from<Tables>().selectFrom('project_settings').select('document');
  const row = await query.where('group_id', '=', groupId).executeTakeFirst();
  return row ? document.read(row.document) : {};
}

export async function saveSettings(tx: Tx, groupId: string, settings: StoredSettings): Promise<void> {
  const values = { group_id: groupId, document: document.write(settings) };
  const insert = tx.from<Tables>().insertInto('project_settings').values(values);
  await insert.onConflict((of) => of.column('group_id').doUpdateSet({ document: values.document })).execute();
}
