import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from './config.ts';
import type { Random } from './runtime/random.ts';

const KEY_BYTES = 32;

/**
 * The key that seals every secret: 32 bytes as base64 in a file, which `file` names; by default `secret.key` in the
 * data directory, made at the first start. Instances that share a database share this key.
 */
export async function readSecretKey(
  file: string | undefined,
  dataDirectory: string,
  random: Random,
): Promise<Buffer> {
  const path = file ?? join(dataDirectory, 'secret.key');
  if (file === undefined && !existsSync(path)) {
    // `wx`: a start that lost a race reads the other's key below, and never replaces it.
    await writeFile(path, `${random.bytes(KEY_BYTES).toString('base64')}\n`, {
      mode: 0o600,
      flag: 'wx',
    }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    throw new ConfigError(`The secret key ${path} cannot be read: ${(error as Error).message}`);
  }
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length !== KEY_BYTES) throw new ConfigError(`The secret key ${path} must hold 32 bytes as base64`);
  return key;
}
