import { WrongCredentials } from '../../../access/index.ts';
import type { Mount, MountRequest } from '../../../api/index.ts';
import type { UserRow } from '../../accounts/index.ts';
import type { Services } from '../../services.ts';
import { loginMethods as methods } from '../endpoints.ts';
import { loggedIn, noStore, redirect, replyTo } from '../login.ts';
import { attemptCookie, newAttempt } from './attempt.ts';
import { type Refusal, redeem } from './changes.ts';
import { type Expected, Provider } from './provider.ts';

const CALLBACK = '/console/oidc/callback';
const FAILURES = 'OpenID Connect';

/** Why a login failed, for the login page. */
type Reason = Refusal | 'rejected' | 'failed' | 'busy';

/**
 * Endpoints for login with an OpenID provider. `begin` sends the browser to the provider, which sends it back to
 * `complete`.
 */
export const openIdMounts: readonly ((services: Services) => Mount)[] = [loginMethods, begin, complete];

function loginMethods({ console }: Services): Mount {
  const { provider } = console ?? {};
  return {
    ...methods,
    async handle() {
      return replyTo(methods, {
        openIdProvider: provider === undefined ? null : new URL(provider.issuer).host,
      });
    },
  };
}

const providers = new WeakMap<Services, Provider>();

/** Returns the OpenID provider of a service; undefined if none is configured. */
function providerOf(services: Services): Provider | undefined {
  const { console, machine, publicUrl } = services;
  if (console?.provider === undefined) return undefined;
  const known = providers.get(services) ?? new Provider(console.provider, publicUrl + CALLBACK, machine);
  providers.set(services, known);
  return known;
}

/**
 * Redirects to the login page, which shows the reason. Its URL is relative to both endpoints, so that it is also valid
 * if a proxy adds a path prefix.
 */
const failed = (services: Services, reason: Reason) =>
  redirect(`../#/login?openid=${reason}`, { ...noStore, 'set-cookie': attemptCookie(services).clear() });

function begin(services: Services): Mount {
  return {
    id: 'consoleOpenIdLogin',
    method: 'GET',
    path: '/console/oidc/login',
    serves: () => services.console?.provider !== undefined,
    async handle(request) {
      const provider = providerOf(services);
      if (provider === undefined || request.method === 'HEAD') return redirect('../');
      const attempt = newAttempt(services);
      try {
        const url = await provider.loginUrl(attempt);
        return redirect(url, { ...noStore, 'set-cookie': attemptCookie(services).write(attempt) });
      } catch (error) {
        logFailure(services, error);
        return failed(services, 'failed');
      }
    },
  };
}

function complete(services: Services): Mount {
  const failures = new WrongCredentials(services.store, services.machine);
  return {
    id: 'consoleOpenIdCallback',
    method: 'GET',
    path: CALLBACK,
    serves: () => services.console?.provider !== undefined,
    async handle(request) {
      if (request.method === 'HEAD') return redirect('../');
      if (failures.waitFor(FAILURES, request.address) > 0) return failed(services, 'busy');
      const outcome = await userIn(services, request);
      if (outcome === 'failed') await failures.count(FAILURES, request.address);
      if (typeof outcome === 'string') return failed(services, outcome);
      return redirect('../', await loggedIn(services, request, { userId: outcome.id, isOperator: false }));
    },
  };
}

/** Returns the user that the provider's response identifies, or the reason why there is no such user. */
async function userIn(services: Services, { headers, query }: MountRequest): Promise<UserRow | Reason> {
  const attempt = attemptCookie(services).read(headers.cookie);
  const texts = textsIn(query);
  // Check first that the response belongs to a login that this browser began.
  if (attempt === undefined || texts === undefined || texts.state !== attempt.state) return 'ended';
  if (texts.error !== undefined) return 'rejected';
  const identity = await identityIn(services, texts, attempt);
  return identity === undefined ? 'failed' : redeem(services, identity, attempt.state);
}

async function identityIn(services: Services, texts: Readonly<Record<string, string>>, expected: Expected) {
  try {
    return await providerOf(services)?.identityOf(texts, expected);
  } catch (error) {
    logFailure(services, error);
    return undefined;
  }
}

/** Returns the parameters as texts; undefined if a parameter is repeated. */
function textsIn(query: MountRequest['query']): Record<string, string> | undefined {
  const entries = Object.entries(query);
  const isText = entries.every((entry): entry is [string, string] => typeof entry[1] === 'string');
  return isText ? (Object.fromEntries(entries) as Record<string, string>) : undefined;
}

function logFailure({ log }: Services, error: unknown): void {
  const { code, message, cause } = error as Error & { readonly code?: unknown };
  const reason = [message, cause instanceof Error ? cause.message : undefined].filter(Boolean).join(': ');
  log.warn({ code, reason }, 'a login by OpenID Connect failed');
}
