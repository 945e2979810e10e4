import type { Services } from '../../services.ts';
import { cookieNamed } from '../cookie.ts';
import type { Expected } from './provider.ts';

/** How long a person may take to log in at the OpenID provider. */
export const ATTEMPT_MS = 10 * 60_000;

const CONTEXT = 'OpenID Connect login';
/** Size of a secret: 256 bits. As text, a secret has 43 characters, the minimum for a PKCE verifier. */
const SECRET_BYTES = 32;

interface Attempt extends Expected {
  /** The identity provider of an organization; absent if the operator has configured the provider. */
  readonly providerId?: string | undefined;
  /** Time at which the login began, in machine time. */
  readonly began: number;
}

export function newAttempt({ random, machine }: Services, providerId: string | undefined): Attempt {
  const secret = () => random.bytes(SECRET_BYTES).toString('base64url');
  return { state: secret(), nonce: secret(), verifier: secret(), providerId, began: machine.now() };
}

/**
 * Returns the cookie that binds a login to the browser that began it. Without this cookie, an attacker could make
 * another person's browser complete a login that the attacker began. The cookie is encrypted, and every instance can
 * read it.
 */
export function attemptCookie(services: Services) {
  const { machine, secrets } = services;
  const cookie = cookieNamed(services, '-openid');
  return {
    write(attempt: Attempt): string {
      const sealed = Buffer.from(secrets.seal(JSON.stringify(attempt), CONTEXT));
      return cookie.write(sealed.toString('base64url'), ATTEMPT_MS / 1000);
    },
    /** Returns the login attempt of this browser; undefined if there is none, or if it has expired. */
    read(header: string | undefined): Attempt | undefined {
      const attempt = opened(services, cookie.read(header));
      return attempt && attempt.began + ATTEMPT_MS > machine.now() ? attempt : undefined;
    },
    clear: () => cookie.clear(),
  };
}

function opened({ secrets }: Services, sealed: string | undefined): Attempt | undefined {
  if (sealed === undefined) return undefined;
  try {
    return JSON.parse(secrets.open(Buffer.from(sealed, 'base64url'), CONTEXT).toString()) as Attempt;
  } catch {
    return undefined;
  }
}
