import { BoundedCache } from '@portolan/foundation/bounded-cache';
import { guardedFetch } from '@portolan/foundation/outgoing/guarded-fetch';
import { findLoginProvider, type ProviderRow } from '../../federation/index.ts';
import type { OpenIdProvider, Services } from '../../services.ts';
import { Provider } from './provider.ts';
import { sourceOf } from './rows.ts';

export const CALLBACK = '/console/oidc/callback';

/** A provider with which people can log in. */
export interface LoginProvider {
  readonly provider: Provider;
  readonly issuer: string;
  /** The settings, if the provider is an organization's identity provider. */
  readonly row?: ProviderRow | undefined;
}

/** How many organizations' identity providers are kept in memory, with their metadata and keys. */
const MAX_KEPT = 100;

/** The provider of the operator, and the identity providers of organizations. Both are used in the same way. */
export class LoginProviders {
  readonly #services: Services;
  readonly #own: LoginProvider | undefined;
  /** The key contains the revision of the settings, so that a change takes effect at the next login. */
  readonly #kept = new BoundedCache<string, Provider>({ entries: MAX_KEPT });

  constructor(services: Services) {
    this.#services = services;
    const settings = services.console?.provider;
    this.#own = settings && { provider: ownProvider(services, settings), issuer: settings.issuer };
  }

  /** Returns an organization's identity provider or, without an id, the provider of the operator. */
  async find(id: string | undefined): Promise<LoginProvider | undefined> {
    if (id === undefined) return this.#own;
    const row = await this.#services.store.read((tx) => findLoginProvider(tx, id));
    if (row === undefined) return undefined;
    const key = `${id} ${row.revision}`;
    const provider = this.#kept.get(key) ?? federatedProvider(this.#services, row);
    this.#kept.set(key, provider);
    return { provider, issuer: row.issuerUri, row };
  }
}

function ownProvider({ machine, publicUrl }: Services, settings: OpenIdProvider): Provider {
  return new Provider({
    settings,
    rules: { source: settings.issuer, userClaim: 'sub' },
    callback: publicUrl + CALLBACK,
    scopes: [],
    machine,
    // The operator has chosen the provider, so it may have a private address.
    fetch: guardedFetch({ allowPrivate: true }),
  });
}

function federatedProvider({ clouds, machine, publicUrl }: Services, row: ProviderRow): Provider {
  const { id, issuerUri: issuer, clientId = '', userClaim, groupsClaim, audience, requestedScopes } = row;
  return new Provider({
    settings: { issuer, clientId, clientSecret: undefined },
    rules: { source: sourceOf(id), userClaim, groupsClaim },
    callback: `${publicUrl}${CALLBACK}/${id}`,
    scopes: requestedScopes,
    audience,
    machine,
    fetch: guardedFetch({ allowPrivate: clouds.privateTargets }),
  });
}
