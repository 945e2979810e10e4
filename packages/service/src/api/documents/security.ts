import { TOKEN_PATH } from '../addresses.ts';
import type { JsonObject } from './json.ts';

export const OPERATOR_SECURITY = 'operatorToken';

/** Either kind of credentials (docs/contract/api.md 5). */
export const security: readonly JsonObject[] = [{ digest: [] }, { serviceAccount: [] }];

export function securitySchemes(publicUrl: string): JsonObject {
  return {
    digest: {
      type: 'http',
      scheme: 'digest',
      description:
        'A programmatic API key: the public key is the user name, and the private key is the password.',
    },
    serviceAccount: {
      type: 'oauth2',
      description: 'A service account: its client id and secret are exchanged for an access token.',
      flows: { clientCredentials: { tokenUrl: publicUrl + TOKEN_PATH, scopes: {} } },
    },
    [OPERATOR_SECURITY]: {
      type: 'http',
      scheme: 'bearer',
      description: 'The operator token of `bootstrap.json`, for extensions.',
    },
  };
}
