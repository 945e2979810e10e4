import { WrongCredentials } from '../../../access/index.ts';
import type { Mount, MountRequest } from '../../../api/index.ts';
import type { UserRow } from '../../accounts/index.ts';
import type { Services } from '../../services.ts';
import { loginMethods as methods } from '../endpoints.ts';
import { loggedIn, noStore, redirect, replyTo } from '../login.ts';
import { attemptCookie, newAttempt } from './attempt.ts';
import { type Refusal, redeem } from './changes.ts';
import { orRefused, redeemFederated } from './federated.ts';
import { LoginLimits } from './limits.ts';
import type { Identity } from './provider.ts';
import { CALLBACK, type LoginProvider, LoginProviders } from './providers.ts';

const FAILURES = 'OpenID Connect';

/** Why a login failed, for the login page. */
type Reason = Refusal | 'absent' | 'busy' | 'failed' | 'rejected';

/**
 * Endpoints for login with an OpenID provider. `begin` sends the browser to the provider, which sends it back to
 * `complete`. Organizations' identity providers have the same endpoints, with the id of the identity provider.
 */
export const openIdMounts: readonly ((services: Services) => Mount)[] = [
  loginMethods,
  begin,
  (services) => complete(services, 'consoleOpenIdCallback', CALLBACK),
  (services) => complete(services, 'consoleFederatedCallback', `${CALLBACK}/{identityProviderId}`),
];

function loginMethods(services: Services): Mount {
  return {
    ...methods,
    async handle({ query }) {
      const hostOf = async (id: string | undefined) => {
        const found = await partsOf(services).providers.find(id);
        return found === undefined ? null : new URL(found.issuer).host;
      };
      return replyTo(methods, {
        identityProvider: typeof query.provider === 'string' ? await hostOf(query.provider) : null,
        openIdProvider: await hostOf(undefined),
      });
    },
  };
}

interface Parts {
  readonly providers: LoginProviders;
  readonly limits: LoginLimits;
  readonly failures: WrongCredentials;
}

const known = new WeakMap<Services, Parts>();

/** Returns the parts that all endpoints of a service share. */
function partsOf(services: Services): Parts {
  const parts = known.get(services) ?? {
    providers: new LoginProviders(services),
    limits: new LoginLimits(),
    failures: new WrongCredentials(services.store, services.machine),
  };
  known.set(services, parts);
  return parts;
}

/**
 * Redirects to the login page, which shows the reason. `console` is the URL of the console relative to the endpoint, so
 * that it is also valid if a proxy adds a path prefix.
 */
function failed(services: Services, reason: Reason, providerId?: string, console = '../') {
  const provider = providerId === undefined ? '' : `&provider=${encodeURIComponent(providerId)}`;
  const headers = { ...noStore, 'set-cookie': attemptCookie(services).clear() };
  return redirect(`${console}#/login?openid=${reason}${provider}`, headers);
}

function begin(services: Services): Mount {
  const { providers, limits } = partsOf(services);
  return {
    id: 'consoleOpenIdLogin',
    method: 'GET',
    path: '/console/oidc/login',
    async handle({ headers, method, query }) {
      const id = typeof query.provider === 'string' ? query.provider : undefined;
      if (method === 'HEAD') return redirect('../');
      // Another site must not log its visitors in with an identity provider that it has chosen. On the login page,
      // people see its host first.
      if (id !== undefined && headers['sec-fetch-site'] === 'cross-site')
        return redirect(`../#/login?provider=${encodeURIComponent(id)}`);
      const found = await providers.find(id);
      if (found === undefined) return failed(services, 'absent');
      const attempt = newAttempt(services, id);
      try {
        const url = await limits.run(found.row?.federationId, () => found.provider.loginUrl(attempt));
        if (url === undefined) return failed(services, 'busy', id);
        return redirect(url, { ...noStore, 'set-cookie': attemptCookie(services).write(attempt) });
      } catch (error) {
        logFailure(services, error, id);
        return failed(services, 'failed', id);
      }
    },
  };
}

function complete(services: Services, id: string, path: string): Mount {
  const { providers, limits, failures } = partsOf(services);
  return {
    id,
    method: 'GET',
    path,
    async handle(request) {
      const { identityProviderId: providerId } = request.params;
      const console = providerId === undefined ? '../' : '../../';
      if (request.method === 'HEAD') return redirect(console);
      const failing = providerId === undefined ? FAILURES : `${FAILURES} ${providerId}`;
      if (failures.waitFor(failing, request.address) > 0)
        return failed(services, 'busy', providerId, console);
      const found = await providers.find(providerId);
      const outcome =
        found === undefined
          ? 'absent'
          : ((await limits.run(found.row?.federationId, () => userIn(services, request, found))) ?? 'busy');
      if (outcome === 'failed') await failures.count(failing, request.address);
      if (typeof outcome === 'string') return failed(services, outcome, providerId, console);
      const login = { userId: outcome.id, isOperator: false, providerId };
      return redirect(console, await loggedIn(services, request, login));
    },
  };
}

/** Returns the user that the provider's response identifies, or the reason why there is no such user. */
async function userIn(
  services: Services,
  { address, headers, query }: MountRequest,
  { provider, row }: LoginProvider,
): Promise<UserRow | Reason> {
  const attempt = attemptCookie(services).read(headers.cookie);
  const texts = textsIn(query);
  // Check first that the response belongs to a login that this browser began with this provider.
  if (attempt === undefined || texts === undefined || texts.state !== attempt.state) return 'ended';
  if (attempt.providerId !== row?.id) return 'ended';
  if (texts.error !== undefined) return 'rejected';
  const identity = await identityIn(services, provider.identityOf(texts, attempt), row?.id);
  if (identity === undefined) return 'failed';
  const { state } = attempt;
  if (row === undefined) return redeem(services, identity, state);
  return orRefused(
    () => redeemFederated(services, { identity, provider: row, state, address }),
    (error) => logFailure(services, error, row.id),
  );
}

async function identityIn(services: Services, response: Promise<Identity>, providerId: string | undefined) {
  try {
    return await response;
  } catch (error) {
    logFailure(services, error, providerId);
    return undefined;
  }
}

/** Returns the parameters as texts; undefined if a parameter is repeated. */
function textsIn(query: MountRequest['query']): Record<string, string> | undefined {
  const entries = Object.entries(query);
  const isText = entries.every((entry): entry is [string, string] => typeof entry[1] === 'string');
  return isText ? (Object.fromEntries(entries) as Record<string, string>) : undefined;
}

function logFailure({ log }: Services, error: unknown, providerId: string | undefined): void {
  const { code, message, cause } = error as Error & { readonly code?: unknown };
  const reason = [message, cause instanceof Error ? cause.message : undefined].filter(Boolean).join(': ');
  log.warn({ code, reason, ...(providerId && { providerId }) }, 'a login by OpenID Connect failed');
}
