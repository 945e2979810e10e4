import type { MachineClock } from '@portolan/foundation/clock';
import type { Random } from '@portolan/foundation/random';
import { sameText } from '@portolan/foundation/secret-box';
import type { Store } from '../../store/index.ts';
import type { Caller } from '../caller.ts';
import { Challenge } from '../challenge.ts';
import type { Credentials } from '../credentials.ts';
import type { RequestFacts } from '../request.ts';
import { findApiKey, insertUsedNonce } from '../rows.ts';
import { tooManyAttempts, type WrongCredentials } from '../wrong-credentials.ts';
import { type DigestCredentials, parseDigestHeader } from './header.ts';
import { NONCE_KEY_BYTES, NONCE_LIFETIME_MS, nonces } from './nonces.ts';
import { expectedResponse } from './response.ts';
import { UsedNonces } from './used-nonces.ts';

/** The realm is part of every stored HA1: changing it would invalidate all API keys. */
export const REALM = 'Project Administration API';

export interface DigestParts {
  readonly store: Store;
  readonly machine: MachineClock;
  readonly random: Random;
  readonly credentials: Credentials;
  readonly wrong: WrongCredentials;
  readonly nonceKey: Uint8Array;
}

export interface DigestAuthenticator {
  /**
   * Returns the 401 for missing or wrong credentials. `stale` means that the key is right, but the nonce has expired or
   * was used.
   */
  challenge(stale?: boolean): Challenge;
  /**
   * Returns the caller of a request. `text` is the header after `Digest `. Throws `Challenge`, or `RATE_LIMITED` after
   * too many wrong credentials.
   */
  authenticate(request: RequestFacts, text: string): Promise<Caller>;
}

export function digestAuthenticator(parts: DigestParts): DigestAuthenticator {
  const { store, machine, random, credentials, wrong } = parts;
  const { shared } = store.capabilities;
  // Instances that share a store share the nonce key and use the time of day. Each instance therefore accepts the
  // nonces of the others. A single instance uses monotonic time, which cannot be set back. It creates a new key at each
  // start, so that nobody can replay requests from before the start.
  const now = shared ? () => machine.now() : () => machine.monotonic();
  const issued = nonces(shared ? parts.nonceKey : random.bytes(NONCE_KEY_BYTES), now, random);
  const used = new UsedNonces(machine);
  const dummy = { MD5: random.bytes(16).toString('hex'), 'SHA-256': random.bytes(32).toString('hex') };

  function challenge(stale = false): Challenge {
    const nonce = issued.make();
    const line = (algorithm: string) =>
      `Digest realm="${REALM}", domain="", nonce="${nonce}", algorithm=${algorithm}, qop="auth", stale=${stale}`;
    return new Challenge([line('MD5'), line('SHA-256')]);
  }

  /** Marks the nonce's count as used. Returns false for an invalid nonce, and for a count that was used before. */
  async function consume(given: DigestCredentials): Promise<boolean> {
    const { nonce } = given;
    const madeAt = issued.madeAt(nonce);
    // A nonce may also be from the future, since the clocks of two instances may differ.
    if (madeAt === undefined || Math.abs(now() - madeAt) > NONCE_LIFETIME_MS) return false;
    // A request without a count may use a nonce once. The next such request gets a challenge with a new nonce.
    const nc = given.quality === undefined ? 1 : Number.parseInt(given.quality.nc, 16);
    if (!shared) return used.use(nonce, madeAt, nc);
    // Use the later time, because the nonce must have expired on all instances before its row is deleted.
    const expires_at = Math.max(now(), madeAt) + 2 * NONCE_LIFETIME_MS;
    return store.write((tx) => insertUsedNonce(tx, { nonce, nc, expires_at }));
  }

  async function authenticate(request: RequestFacts, text: string): Promise<Caller> {
    const given = parseDigestHeader(text);
    if (!given || given.realm !== REALM) throw challenge();
    const { address, method, target, absoluteTarget } = request;
    // Treat an unknown key like a known one, so that response times do not reveal which keys exist.
    const fromMemory = credentials.apiKeys.has(given.username);
    const known = await credentials.apiKeys.get(given.username);
    // Do not await before the counting. Otherwise, concurrent attempts could pass this check uncounted.
    const wait = wrong.waitFor(given.username, address);
    if (wait > 0) throw tooManyAttempts(request, wait);
    const expected = expectedResponse((known?.ha1 ?? dummy)[given.algorithm], method, given);
    if (!sameText(expected, given.response) || !known) {
      const counted = wrong.count(given.username, address);
      // For a wrong private key, query the store as for an unknown key, so that both take the same time.
      const looked = fromMemory && store.read((tx) => findApiKey(tx, given.username));
      await Promise.all([counted, looked]);
      throw challenge();
    }
    // A client behind a proxy may sign the target in origin form or in absolute form.
    if (given.uri !== target && given.uri !== absoluteTarget) throw challenge();
    if (!(await consume(given))) throw challenge(true);
    const caller = await credentials.keyCallers.get(given.username);
    if (!caller) throw challenge();
    return caller;
  }

  return { challenge, authenticate };
}
