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
  /** The secrets of all providers (`Secrets`), encrypted. */
  readonly secrets: Uint8Array;
  /** Providers whose keys were unusable at the last check. */
  readonly lost: readonly KeyProvider[];
  readonly named: KeyDates;
}

/**
 * The master key of each provider, and the time at which it replaced the previous key (ISO 8601). A provider is absent
 * if the time is unknown.
 */
export type KeyDates = { readonly [P in KeyProvider]?: { readonly key: string; readonly since: string } };

/** Secrets in clear text, by provider. */
export type Secrets = { readonly [P in KeyProvider]?: string };

const settings = codec.json<EncryptionSettings>();
const named = codec.json<KeyDates>();
const lost = codec.json<readonly KeyProvider[]>();

export async function findEncryption(tx: ReadTx, groupId: string): Promise<EncryptionRow | undefined> {
  const query = tx.from<Tables>().selectFrom('encryption_at_rest').selectAll();
  const row = await query.where('group_id', '=', groupId).executeTakeFirst();
  return row && readEncryptionRow(row);
}

/** Returns the settings of all projects by project id. */
export async function allSettings(tx: ReadTx): Promise<ReadonlyMap<string, EncryptionRow>> {
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

/** Saves all fields except `lost`, which stays unchanged. */
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

/** A master key, and a probe: a value that is encrypted with it. Keys that earlier versions stored have no probe. */
export interface KnownKey {
  readonly id: string;
  readonly probe: string | undefined;
}

/** Records that a project uses a master key. */
export async function insertMasterKey(tx: Tx, groupId: string, { id, probe }: KnownKey): Promise<void> {
  const insert = tx
    .from<Tables>()
    .insertInto('project_master_key')
    .values({ id, group_id: groupId, probe: probe ?? null });
  await insert.onConflict((of) => of.columns(['id', 'group_id']).doNothing()).execute();
}

/** Finds a key that any project uses or has used; undefined if there is no such key. */
export async function findKey(tx: ReadTx, id: string): Promise<KnownKey | undefined> {
  const query = tx.from<Tables>().selectFrom('project_master_key').select('probe').where('id', '=', id);
  const rows = await query.execute();
  if (rows.length === 0) return undefined;
  return { id, probe: rows.find(({ probe }) => probe !== null)?.probe ?? undefined };
}

/** Whether a project uses or has used a master key. */
export async function isKnownKey(tx: ReadTx, id: string, groupId: string): Promise<boolean> {
  const query = tx.from<Tables>().selectFrom('project_master_key').select('id').where('id', '=', id);
  return (await query.where('group_id', '=', groupId).executeTakeFirst()) !== undefined;
}
