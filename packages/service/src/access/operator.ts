import { timingSafeEqual } from 'node:crypto';
import type { MachineClock } from '@portolan/foundation/clock';
import type { SecretBox } from '@portolan/foundation/secret-box';
import { cache, cacheKeysOf, type Store, settings, type Tx } from '../store/index.ts';
import { accessFaults } from './faults.ts';
import type { PrincipalDependencies } from './principals.ts';
import { hashSecret, newToken } from './secrets.ts';

/** The name of the setting that contains an encrypted hash of the token for `/operator/v1`. */
const SETTING = 'operator-token';
const PREFIX = 'db_op_';

const tokenKeys = cacheKeysOf('sealed setting');

/**
 * Creates the operator token, which replaces the previous one. Returns it in clear text, which is not stored.
 */
export async function createOperatorToken(tx: Tx, making: PrincipalDependencies): Promise<string> {
  const clear = newToken(making.random, PREFIX);
  await settings.writeSealed(tx, making.secrets, SETTING, hashSecret(clear));
  tx.touch(tokenKeys(SETTING));
  return clear;
}

/**
 * Returns a function that verifies the operator token in `Authorization: Bearer <token>`. The function throws
 * `UNAUTHORIZED` for a wrong token.
 */
export function operatorAuthenticator(store: Store, machine: MachineClock, secrets: SecretBox) {
  const stored = cache({
    store,
    machine,
    keys: tokenKeys,
    load: (tx) => settings.readSealed(tx, secrets, SETTING),
  });
  return {
    async authenticate(token: string | undefined): Promise<void> {
      const hash = await stored.get(SETTING);
      if (token === undefined || !hash || !timingSafeEqual(hash, hashSecret(token))) {
        throw accessFaults.UNAUTHORIZED();
      }
    },
    close: () => stored.close(),
  };
}
