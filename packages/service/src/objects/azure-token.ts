import { machineClock } from '@portolan/foundation/clock';
import { BucketError } from './object-store.ts';

/** An application registered in a tenant, and its secret. */
export interface AzureApplication {
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The URL of the token authority; by default Microsoft's public cloud. */
  readonly authority?: string;
}

const AUTHORITY = 'https://login.microsoftonline.com';

/**
 * Gets tokens by the client credentials flow (RFC 6749 section 4.4). The storage library caches them until shortly
 * before they expire. The package @azure/identity supports every flow, but takes 52 MB.
 */
export function applicationCredential(application: AzureApplication, timeoutMs: number) {
  const { tenantId, clientId, clientSecret, authority = AUTHORITY } = application;
  return {
    async getToken(scopes: string | string[]) {
      const requestedAt = machineClock().now();
      const answer = await fetch(`${authority}/${tenantId}/oauth2/v2.0/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: clientId,
          client_secret: clientSecret,
          scope: [scopes].flat().join(' '),
        }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (answer.status >= 400 && answer.status < 500)
        throw new BucketError(
          'denied',
          `the tenant ${tenantId} refused a token for the application ${clientId}`,
        );
      if (!answer.ok) throw new BucketError('unavailable', `${authority} returned status ${answer.status}`);
      const { access_token: token, expires_in: seconds } = (await answer.json()) as TokenAnswer;
      return { token, expiresOnTimestamp: requestedAt + seconds * 1000 };
    },
  };
}

interface TokenAnswer {
  readonly access_token: string;
  readonly expires_in: number;
}
