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

/** Part of every stored HA1: a change makes all API keys useless. */
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
  /** The 401 for a caller without usable credentials. `stale`: the key was right, only the nonce is used up. */
  challenge(stale?: boolean): Challenge;
  /** `text` is what follows `Digest `. Throws `Challenge`, or `RATE_LIMITED` after too many wrong credentials. */
  authenticate(request: RequestFacts, text: string): Promise<Caller>;
}

export function digestAuthenticator(parts: DigestParts): DigestAuthenticator {
  const { store, machine, random, credentials, wrong } = parts;
  const { shared } = store.capabilities;
  // Where processes share a store they know each other's nonces by one key and the time of day. One that is alone takes
  // a key of its own, so that nothing from before its start comes back, and a time that nobody can set back.
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

  /** Whether the nonce is one of ours, young enough, and not used with this count before. */
  async function consume(given: DigestCredentials): Promise<boolean> {
    const { nonce } = given;
    const madeAt = issued.madeAt(nonce);
    // The clocks of two instances may differ either way.
    if (madeAt === undefined || Math.abs(now() - madeAt) > NONCE_LIFETIME_MS) return false;
    // Without a count a nonce is good once: whoever reuses it is told that it is stale, and by which one to go on.
    const nc = given.quality === undefined ? 1 : Number.parseInt(given.quality.nc, 16);
    if (!shared) return used.use(nonce, madeAt, nc);
    // Kept by the later of both clocks, so that the nonce is too old everywhere before it is forgotten.
    const expires_at = Math.max(now(), madeAt) + 2 * NONCE_LIFETIME_MS;
    return store.write((tx) => insertUsedNonce(tx, { nonce, nc, expires_at }));
  }

  async function authenticate(request: RequestFacts, text: string): Promise<Caller> {
    const given = parseDigestHeader(text);
    if (!given || given.realm !== REALM) throw challenge();
    const { address, method, target, absoluteTarget } = request;
    // An unknown key is checked like a known one, so that the time of the answer does not tell them apart.
    const fromMemory = credentials.apiKeys.has(given.username);
    const known = await credentials.apiKeys.get(given.username);
    // Nothing is awaited between this and the counting, so that attempts sent at once are counted one by one.
    const wait = wrong.waitFor(given.username, address);
    if (wait > 0) throw tooManyAttempts(request, wait);
    const expected = expectedResponse((known?.ha1 ?? dummy)[given.algorithm], method, given);
    if (!sameText(expected, given.response) || !known) {
      const counted = wrong.count(given.username, address);
      // An unknown key has cost a look into the store; a known one with a wrong private key costs the same.
      const looked = fromMemory && store.read((tx) => findApiKey(tx, given.username));
      await Promise.all([counted, looked]);
      throw challenge();
    }
    // Clients that go by a proxy sign either form.
    if (given.uri !== target && given.uri !== absoluteTarget) throw challenge();
    if (!(await consume(given))) throw challenge(true);
    const caller = await credentials.keyCallers.get(given.username);
    if (!caller) throw challenge();
    return caller;
  }

  return { challenge, authenticate };
}
