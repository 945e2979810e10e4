import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomically } from '@portolan/foundation/atomic-file';
import { ConfigError } from '@portolan/foundation/command-line';
import type { Random } from '@portolan/foundation/random';
import type { Config } from '../settings.ts';

const KEY_BYTES = 32;

interface Place {
  readonly config: Pick<Config, 'secret-key'>;
  readonly dataDirectory: string;
}

/**
 * Reads the key with which all secrets are encrypted. The file of `--secret-key` contains it as 32 bytes in base64. By
 * default, this file is `secret.key` in the data directory. The first start creates the file. Instances that share a
 * database share this key.
 */
export async function readSecretKey({ config, dataDirectory }: Place, random: Random): Promise<Buffer> {
  const file = config['secret-key'];
  const path = file ?? join(dataDirectory, 'secret.key');
  if (file === undefined && !existsSync(path)) {
    // The data directory is locked, so no other process creates a key at the same time.
    await writeAtomically(path, `${random.bytes(KEY_BYTES).toString('base64')}\n`);
  }
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    throw new ConfigError(`The secret key ${path} cannot be read: ${(error as Error).message}`);
  }
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length !== KEY_BYTES)
    throw new ConfigError(`The secret key ${path} does not contain 32 bytes as base64`);
  return key;
}
