import type { Selectable } from 'kysely';
import { codec, type ReadTx, type Tx } from '../../store/index.ts';
import type { EncryptionSettings, KeyProvider } from './providers.ts';

interface Tables {
  encryption_at_rest: {
    group_id: string;
    settings: string;
    secrets: Uint8Array;
    lost: string;
    named: string;
  };
  project_master_key: { id: string; group_id: string; probe: string | null };
}

export interface EncryptionRow {
  readonly settings: EncryptionSettings;
  /** Sealed `Secrets`. */
  readonly secrets: Uint8Array;
  /** Providers whose keys were not to be used when somebody looked last. */
  readonly lost: readonly KeyProvider[];
  readonly named: KeyDates;
}

/** Of each provider the master key, and when it took the place of another one (ISO 8601), as far as that is known. */
export type KeyDates = { readonly [P in KeyProvider]?: { readonly key: string; readonly since: string } };

/** In clear, by provider. */
export type Secrets = { readonly [P in KeyProvider]?: string };

const settings = codec.json<EncryptionSettings>();
const named = codec.json<KeyDates>();
const lost = codec.json<readonly KeyProvider[]>();

export async function findEncryption(tx: ReadTx, groupId: string): Promise<EncryptionRow | undefined> {
  const query = tx.from<Tables>().selectFrom('encryption_at_rest').selectAll();
  const row = await query.where('group_id', '=', groupId).executeTakeFirst();
  return row && readEncryptionRow(row);
}

/** Of all projects, by their ids. */
export async function allEncryption(tx: ReadTx): Promise<ReadonlyMap<string, EncryptionRow>> {
  const rows = await tx.from<Tables>().selectFrom('encryption_at_rest').selectAll().execute();
  return new Map(rows.map((row) => [row.group_id, readEncryptionRow(row)]));
}

function readEncryptionRow(row: Selectable<Tables['encryption_at_rest']>): EncryptionRow {
  return {
    settings: settings.read(row.settings),
    secrets: row.secrets,
    lost: lost.read(row.lost),
    named: named.read(row.named),
  };
}

/** Those whose keys were found lost stay as they are. */
export async function saveEncryption(
  tx: Tx,
  groupId: string,
  row: Omit<EncryptionRow, 'lost'>,
): Promise<void> {
  const columns = {
    settings: settings.write(row.settings),
    secrets: row.secrets,
    named: named.write(row.named),
  };
  const insert = tx
    .from<Tables>()
    .insertInto('encryption_at_rest')
    .values({ group_id: groupId, lost: lost.write([]), ...columns });
  await insert.onConflict((of) => of.column('group_id').doUpdateSet(columns)).execute();
}

export async function saveLost(tx: Tx, groupId: string, providers: readonly KeyProvider[]): Promise<void> {
  const rows = tx
    .from<Tables>()
    .updateTable('encryption_at_rest')
    .set({ lost: lost.write(providers) });
  await rows.where('group_id', '=', groupId).execute();
}

/** A master key, and something that it has sealed; nothing of keys that were named before that was kept. */
export interface NamedKey {
  readonly id: string;
  readonly probe: string | undefined;
}

/** Notes that a project has named a master key. */
export async function insertMasterKey(tx: Tx, groupId: string, { id, probe }: NamedKey): Promise<void> {
  const insert = tx
    .from<Tables>()
    .insertInto('project_master_key')
    .values({ id, group_id: groupId, probe: probe ?? null });
  await insert.onConflict((of) => of.columns(['id', 'group_id']).doNothing()).execute();
}

/** A key, as any project has named it; undefined of one that nobody has named. */
export async function namedKey(tx: ReadTx, id: string): Promise<NamedKey | undefined> {
  const query = tx.from<Tables>().selectFrom('project_master_key').select('probe').where('id', '=', id);
  const rows = await query.execute();
  if (rows.length === 0) return undefined;
  return { id, probe: rows.find(({ probe }) => probe !== null)?.probe ?? undefined };
}

/** Whether a project has named a master key. */
export async function isNamed(tx: ReadTx, id: string, groupId: string): Promise<boolean> {
  const query = tx.from<Tables>().selectFrom('project_master_key').select('id').where('id', '=', id);
  return (await query.where('group_id', '=', groupId).executeTakeFirst()) !== undefined;
}
