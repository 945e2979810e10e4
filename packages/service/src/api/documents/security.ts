import { TOKEN_PATH } from '../addresses.ts';
import type { JsonObject } from './json.ts';

export const OPERATOR_SECURITY = 'operatorToken';
export const SESSION_SECURITY = 'session';

/** Either kind of credentials (docs/contract/api.md 5). */
export const security: readonly JsonObject[] = [{ digest: [] }, { serviceAccount: [] }];

export function securitySchemes(publicUrl: string): JsonObject {
  return {
    digest: {
      type: 'http',
      scheme: 'digest',
      description: 'An API key. Its public key is the user name, and its private key is the password.',
    },
    serviceAccount: {
      type: 'oauth2',
      description:
        'A service account. It sends its client id and secret to the token URL, and gets an access token.',
      flows: { clientCredentials: { tokenUrl: publicUrl + TOKEN_PATH, scopes: {} } },
    },
    [OPERATOR_SECURITY]: {
      type: 'http',
      scheme: 'bearer',
      description: 'The operator token, which is in `bootstrap.json`.',
    },
    [SESSION_SECURITY]: {
      type: 'apiKey',
      in: 'cookie',
      name: '__Host-portolan-<id>',
      description:
        'The session of a person, which a login opens. `<id>` is the beginning of the id of the service. If the URL of the service begins with `http:`, the name of the cookie has no prefix `__Host-`.',
    },
  };
}
