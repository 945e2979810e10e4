import { ConfigError } from '@portolan/foundation/command-line';
import { assertKeyPair, type KeyPair } from '../../access/index.ts';
import type { Config } from '../settings.ts';

/** Returns the configured first API key, if any. */
export function configuredKeyPair(config: Config): KeyPair | undefined {
  const publicKey = config['public-key'];
  const privateKey = config['private-key'];
  if (publicKey === undefined || privateKey === undefined) return undefined;
  try {
    assertKeyPair({ publicKey, privateKey });
  } catch (error) {
    throw new ConfigError(`--public-key and --private-key: ${(error as Error).message}`);
  }
  return { publicKey, privateKey };
}
