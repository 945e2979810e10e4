import type { ReadTx } from '../../store/index.ts';
import { isKeyPair, type KeyPair, type PrincipalDependencies } from '../principals.ts';
import { findApiKey } from '../rows.ts';
import { type ApiKey, findKey } from './api-keys.ts';

/**
 * Returns the API key that a key pair belongs to, or undefined if the pair is wrong. The deletion of a
 * project calls this function if the request contains a second API key.
 */
export async function keyOfPair(
  tx: ReadTx,
  making: PrincipalDependencies,
  pair: KeyPair,
): Promise<ApiKey | undefined> {
  if (!(await isKeyPair(tx, making, pair))) return undefined;
  const row = await findApiKey(tx, pair.publicKey);
  return row && findKey(tx, row.id);
}
