import type { SecretBox } from '@portolan/foundation/secret-box';
import { codec } from './codec.ts';
import { StoreError } from './errors.ts';
import type { ReadTx, Store, Tx } from './store.ts';

/** Named values. Plain values are stored as JSON. Secret values are encrypted with the secret key. */
interface SettingTables {
  setting: { name: string; plain: string | null; sealed: Uint8Array | null };
}

async function read<T>(tx: ReadTx, name: string): Promise<T | undefined> {
  const row = await find(tx, name);
  return typeof row?.plain === 'string' ? codec.json<T>().read(row.plain) : undefined;
}

async function write<T>(tx: Tx, name: string, value: T): Promise<void> {
  await put(tx, { name, plain: codec.json<T>().write(value), sealed: null });
}

async function readSealed(tx: ReadTx, box: SecretBox, name: string): Promise<Buffer | undefined> {
  const row = await find(tx, name);
  return row?.sealed ? box.open(row.sealed, context(name)) : undefined;
}

async function writeSealed(tx: Tx, box: SecretBox, name: string, clear: string | Uint8Array): Promise<void> {
  await put(tx, { name, plain: null, sealed: box.seal(clear, context(name)) });
}

/** Returns a secret that all instances share. If the secret does not exist, creates it with `make` and stores it. */
async function ensureSealed(
  store: Store,
  box: SecretBox,
  name: string,
  make: () => string | Uint8Array | Promise<string | Uint8Array>,
): Promise<Buffer> {
  const stored = await store.read((tx) => readSealed(tx, box, name));
  if (stored !== undefined) return stored;
  const made = await make();
  return store.write(async (tx) => {
    const meanwhile = await readSealed(tx, box, name);
    if (meanwhile !== undefined) return meanwhile;
    await writeSealed(tx, box, name, made);
    return Buffer.from(made);
  });
}

async function remove(tx: Tx, name: string): Promise<void> {
  await tx.from<SettingTables>().deleteFrom('setting').where('name', '=', name).execute();
}

export const settings = { read, write, readSealed, writeSealed, ensureSealed, remove };

/**
 * The name of the setting with the fingerprint of the secret key. The values in the store are encrypted with this key.
 */
export const FINGERPRINT = 'secret-key-fingerprint';

/**
 * Throws a `StoreError` if the values in the store are encrypted with another secret key. At the first start, stores
 * the fingerprint of the key.
 */
export async function checkFingerprint(store: Store, box: SecretBox): Promise<void> {
  const stored = await store.write(async (tx) => {
    const known = await read<string>(tx, FINGERPRINT);
    if (known === undefined) await write(tx, FINGERPRINT, box.fingerprint);
    return known ?? box.fingerprint;
  });
  if (stored === box.fingerprint) return;
  throw new StoreError(
    'configuration',
    'The secret key does not match the stored data: start with the key that the data was written with',
  );
}

function find(tx: ReadTx, name: string) {
  return tx
    .from<SettingTables>()
    .selectFrom('setting')
    .select(['plain', 'sealed'])
    .where('name', '=', name)
    .executeTakeFirst();
}

async function put(tx: Tx, row: SettingTables['setting']): Promise<void> {
  await tx
    .from<SettingTables>()
    .insertInto('setting')
    .values(row)
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ plain: row.plain, sealed: row.sealed }))
    .execute();
}

function context(name: string): string {
  return `setting ${name}`;
}
