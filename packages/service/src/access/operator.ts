import { timingSafeEqual } from 'node:crypto';
import type { MachineClock } from '@portolan/foundation/clock';
import type { SecretBox } from '@portolan/foundation/secret-box';
import { cache, cacheKeysOf, type Store, settings, type Tx } from '../store/index.ts';
import { accessFaults } from './faults.ts';
import type { Making } from './principals.ts';
import { hashSecret, newToken } from './secrets.ts';

/** The one token that opens `/operator/v1`; stored as a sealed hash. */
const SETTING = 'operator-token';
const PREFIX = 'db_op_';

const tokenKeys = cacheKeysOf('sealed setting');

/** Makes the operator's token, which replaces the one before. Answers it in clear, here and nowhere else again. */
export async function createOperatorToken(tx: Tx, making: Making): Promise<string> {
  const clear = newToken(making.random, PREFIX);
  await settings.writeSealed(tx, making.secrets, SETTING, hashSecret(clear));
  tx.touch(tokenKeys(SETTING));
  return clear;
}

/** Checks `Authorization: Bearer <token>` for the operator's token. Throws `UNAUTHORIZED`. */
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
