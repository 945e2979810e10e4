import { timingSafeEqual } from 'node:crypto';
import type { Random } from '@portolan/foundation/random';
import type { SecretBox } from '@portolan/foundation/secret-box';
import type { ReadTx, Store } from '../../store/index.ts';
import { sealContext } from '../credentials.ts';
import { type SecretRow, secretsOf } from '../rows.ts';
import { hashSecret } from '../secrets.ts';

export interface ClientCredentials {
  readonly id: string;
  readonly secret: string;
}

const basicPattern = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i;

/** Accepted client ids: printable ASCII (RFC 6749 appendix A.1). */
const idPattern = /^[\x20-\x7e]{1,256}$/;

/** Parses HTTP Basic credentials with form-encoded parts (RFC 6749 section 2.3.1). */
export function parseBasic(authorization: string | undefined): ClientCredentials | undefined {
  const encoded = basicPattern.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  if (colon < 0) return undefined;
  const [id, secret] = [unescapeForm(text.slice(0, colon)), unescapeForm(text.slice(colon + 1))];
  return id && secret && idPattern.test(id) ? { id, secret } : undefined;
}

function unescapeForm(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/**
 * Every attempt makes this number of comparisons, so that response times do not reveal how many secrets an account has.
 */
const COMPARED = 2;

/** A secret that was verified. */
export interface GoodSecret {
  readonly id: string;
  /** Expiry in milliseconds of service time; null if the secret never expires. */
  readonly expires_at: number | null;
}

/**
 * Returns a function that looks up the secret in the credentials. The secret must belong to the account, and must not
 * have expired.
 */
export function clientAuthenticator(parts: { store: Store; secrets: SecretBox; random: Random }) {
  const { store, secrets, random } = parts;
  const dummy = {
    id: 'none',
    expires_at: null,
    hash: secrets.seal(random.bytes(32), sealContext.secretHash('none')),
  };

  async function usableSecrets(
    tx: ReadTx,
    id: string,
  ): Promise<Pick<SecretRow, 'id' | 'hash' | 'expires_at'>[]> {
    const rows = await secretsOf(tx, id);
    return rows.filter((row) => row.expires_at === null || row.expires_at > tx.now.getTime());
  }

  return async ({ id, secret }: ClientCredentials): Promise<GoodSecret | undefined> => {
    const usable = await store.read((tx) => usableSecrets(tx, id));
    const given = hashSecret(secret);
    const compared = [...usable, ...Array<typeof dummy>(COMPARED).fill(dummy)];
    const matching = compared
      .slice(0, Math.max(COMPARED, usable.length))
      .filter((row) => timingSafeEqual(secrets.open(row.hash, sealContext.secretHash(row.id)), given));
    return matching[0];
  };
}
