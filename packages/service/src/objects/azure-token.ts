import { machineClock } from '@portolan/foundation/clock';
import { BucketError } from './object-store.ts';

/** An application of a tenant, with its secret. */
export interface AzureApplication {
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Who gives tokens for it; that of Microsoft's public cloud by default. */
  readonly authority?: string;
}

const AUTHORITY = 'https://login.microsoftonline.com';

/**
 * Tokens by the flow of client credentials (RFC 6749, 4.4); the library keeps them until shortly before they
 * end. The one that has every flow, @azure/identity, is of 52 MB.
 */
export function applicationCredential(application: AzureApplication, timeoutMs: number) {
  const { tenantId, clientId, clientSecret, authority = AUTHORITY } = application;
  return {
    async getToken(scopes: string | string[]) {
      const asked = machineClock().now();
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
          `the tenant ${tenantId} gives no token to the application ${clientId}`,
        );
      if (!answer.ok) throw new BucketError('unavailable', `${authority} answers ${answer.status}`);
      const { access_token: token, expires_in: seconds } = (await answer.json()) as TokenAnswer;
      return { token, expiresOnTimestamp: asked + seconds * 1000 };
    },
  };
}

interface TokenAnswer {
  readonly access_token: string;
  readonly expires_in: number;
}
