import { argon2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { FairQueue } from '@portolan/foundation/fair-queue';
import type { Random } from '@portolan/foundation/random';

/** The minimum cost of Argon2id in the OWASP cheat sheet on password storage: 19 MiB, two passes, one lane. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const TAG_BYTES = 32;

const derive = promisify(argon2);

/**
 * Computes the hashes of new passwords one after another. Each hash takes tens of milliseconds of CPU time on a thread
 * that other work also needs. Callers take turns, so that no caller can block the others.
 */
const hashing = new FairQueue<string>();

/**
 * Returns a hash in PHC string format: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`, base64 without padding. `asker`
 * identifies who waits for the hash: the caller, or the network of the caller's address.
 */
export async function hashPassword(random: Random, password: string, asker: string): Promise<string> {
  const nonce = random.bytes(SALT_BYTES);
  const input = { message: password, nonce, tagLength: TAG_BYTES, ...COST };
  const tag = await hashing.run(asker, () => derive('argon2id', input));
  const cost = `m=${COST.memory},t=${COST.passes},p=${COST.parallelism}`;
  return `$argon2id$v=19$${cost}$${unpadded(nonce)}$${unpadded(tag)}`;
}

const HASH = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/;

/** Whether a password matches this hash. The check takes the same time as `hashPassword`. */
export async function isPassword(password: string, hash: string): Promise<boolean> {
  const [, memory, passes, parallelism, salt, tag] = HASH.exec(hash) ?? [];
  if (salt === undefined || tag === undefined) throw new TypeError('The hash of a password is malformed');
  const expected = Buffer.from(tag, 'base64');
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  const nonce = Buffer.from(salt, 'base64');
  const found = await derive('argon2id', { message: password, nonce, tagLength: expected.length, ...cost });
  return timingSafeEqual(found, expected);
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
