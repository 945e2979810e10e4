import { createHash, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto';
import { Binary } from 'bson';
import type { WireClient } from './testing.ts';

const HASH = 'sha256';
const KEY_BYTES = 32;

/** Derived keys by salt and password, so that the derivation runs once for many connections of a user. */
const salted = new Map<string, Buffer>();

/** Logs in with SCRAM-SHA-256, as drivers do. */
export async function logIn(client: WireClient, username: string, password: string): Promise<void> {
  const bare = `n=${username},r=${randomBytes(18).toString('base64')}`;
  const start = {
    saslStart: 1,
    mechanism: 'SCRAM-SHA-256',
    $db: 'admin',
    options: { skipEmptyExchange: true },
  };
  const first = await client.command({ ...start, payload: new Binary(Buffer.from(`n,,${bare}`)) });
  const challenge: string = first.payload.toString('utf8');
  const [nonce, salt, iterations] = challenge.split(',').map((part) => part.slice(2));
  const key = keyOf(`${salt}${password}`, password, Buffer.from(`${salt}`, 'base64'), Number(iterations));
  const withoutProof = `c=biws,r=${nonce}`;
  const message = `${bare},${challenge},${withoutProof}`;
  const clientKey = createHmac(HASH, key).update('Client Key').digest();
  const stored = createHash(HASH).update(clientKey).digest();
  const signature = createHmac(HASH, stored).update(message).digest();
  const proof = Buffer.from(clientKey.map((byte, i) => byte ^ (signature[i] as number)));
  const payload = new Binary(Buffer.from(`${withoutProof},p=${proof.toString('base64')}`));
  const last = await client.command({ saslContinue: 1, conversationId: 1, payload, $db: 'admin' });
  const serverKey = createHmac(HASH, key).update('Server Key').digest();
  const expected = createHmac(HASH, serverKey).update(message).digest();
  const given = Buffer.from(String(last.payload?.toString('utf8')).slice(2), 'base64');
  if (last.done !== true || !timingSafeEqual(expected, given)) throw new Error('the login failed');
}

function keyOf(name: string, password: string, salt: Buffer, iterations: number): Buffer {
  let key = salted.get(name);
  if (key === undefined) {
    key = pbkdf2Sync(password, salt, iterations, KEY_BYTES, HASH);
    salted.set(name, key);
  }
  return key;
}
