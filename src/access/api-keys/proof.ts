import type { ReadTx } from '../../store/index.ts';
import { isKeyPair, type KeyPair, type Making } from '../principals.ts';
import { findApiKey } from '../rows.ts';
import { type ApiKey, findKey } from './api-keys.ts';

/** The API key that a pair is, for operations which take one beside the caller's own; nothing for a wrong pair. */
export async function keyOfPair(tx: ReadTx, making: Making, pair: KeyPair): Promise<ApiKey | undefined> {
  if (!(await isKeyPair(tx, making, pair))) return undefined;
  const row = await findApiKey(tx, pair.publicKey);
  return row && findKey(tx, row.id);
}
