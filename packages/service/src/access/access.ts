import type { MachineClock, ServiceClock } from '@portolan/foundation/clock';
import type { Log } from '@portolan/foundation/log';
import type { Random } from '@portolan/foundation/random';
import { type Repetition, repeat } from '@portolan/foundation/repeat';
import type { SecretBox } from '@portolan/foundation/secret-box';
import type { Store } from '../store/index.ts';
import type { Caller } from './caller.ts';
import { openCredentials } from './credentials.ts';
import { digestAuthenticator } from './digest/digest.ts';
import { openKeyring } from './keyring.ts';
import { openLastUses } from './last-uses/last-uses.ts';
import { operatorAuthenticator } from './operator.ts';
import type { RequestFacts } from './request.ts';
import { deleteExpired } from './rows.ts';
import { bearerAuthenticator } from './tokens/bearer.ts';
import { tokenSigner } from './tokens/jwt.ts';
import { type OAuthEndpoints, oauthEndpoints } from './tokens/oauth.ts';
import type { TrailEntry } from './trail/rows.ts';
import { openTrail } from './trail/trail.ts';
import { WrongCredentials } from './wrong-credentials.ts';

export interface AccessOptions {
  readonly store: Store;
  readonly secrets: SecretBox;
  readonly random: Random;
  readonly machine: MachineClock;
  readonly clock: ServiceClock;
  readonly log: Log;
}

/** Authenticates callers, and records their requests. */
export interface Access {
  /**
   * Returns the caller of a request. Throws one of three errors: `Challenge` (401) for missing or wrong Digest
   * credentials, `UNAUTHORIZED` (401 without a challenge) for an invalid access token, `RATE_LIMITED` (429) after too
   * many wrong credentials.
   */
  authenticate(request: RequestFacts): Promise<Caller>;
  /** Requires the operator token; throws `UNAUTHORIZED` otherwise. */
  authenticateOperator(authorization: string | undefined): Promise<void>;
  /** The endpoints `POST /api/oauth/token` and `POST /api/oauth/revoke`. */
  readonly oauth: OAuthEndpoints;
  /** Counts a request from `address` in the access list entries that contain this address. */
  recordUse(caller: Caller, address: string): void;
  /** Adds a request to the access log of its caller's organization. */
  recordRequest(orgId: string, entry: TrailEntry): void;
  /** Writes pending records. */
  close(): Promise<void>;
}

/** Interval at which expired rows are deleted. */
const CLEANING_INTERVAL_MS = 60_000;

/** An authentication scheme and its parameters (RFC 9110 section 11.4). */
const authorizationPattern = /^(Digest|Bearer) +(\S.*)$/i;

export async function openAccess(options: AccessOptions): Promise<Access> {
  const { store, secrets, random, machine, clock } = options;
  const keyring = await openKeyring(store, secrets, random);
  const credentials = openCredentials(store, machine, secrets);
  const wrong = new WrongCredentials(store, machine);
  const signer = tokenSigner(keyring.token, machine, random);
  const digest = digestAuthenticator({ store, machine, random, credentials, wrong, nonceKey: keyring.nonce });
  const bearer = bearerAuthenticator({ signer, credentials, wrong, machine, clock });
  const operator = operatorAuthenticator(store, machine, secrets);
  const uses = openLastUses(options);
  const trail = openTrail(options);
  const cleaning = cleanRegularly(options);

  return {
    authenticate(request) {
      const [scheme, text] = parseAuthorization(request.authorization);
      if (scheme === 'digest') return digest.authenticate(request, text);
      if (scheme === 'bearer') return bearer(request, text);
      return Promise.reject(digest.challenge());
    },
    authenticateOperator(authorization) {
      const [scheme, text] = parseAuthorization(authorization);
      return operator.authenticate(scheme === 'bearer' ? text : undefined);
    },
    oauth: oauthEndpoints({ store, secrets, random, wrong, signer, uses, clock }),
    recordUse: (caller, address) => uses.recordAddress(caller, address),
    recordRequest: (orgId, entry) => trail.record(orgId, entry),
    async close() {
      await Promise.all([cleaning.stop(), uses.close(), trail.close()]);
      credentials.close();
      operator.close();
    },
  };
}

function parseAuthorization(header = ''): [scheme: string, text: string] {
  const [, scheme = '', text = ''] = authorizationPattern.exec(header) ?? [];
  return [scheme.toLowerCase(), text.trim()];
}

function cleanRegularly({ store, machine, log }: AccessOptions): Repetition {
  return repeat({
    machine,
    run: () => store.write((tx) => deleteExpired(tx, machine.now())),
    interval: CLEANING_INTERVAL_MS,
    onError: (error) => log.warn({ reason: error.message }, 'expired tokens and nonces could not be deleted'),
  });
}
