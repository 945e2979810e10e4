import { TOKEN_PATH } from '../addresses.ts';
import type { JsonObject } from './json.ts';

export const OPERATOR_SECURITY = 'operatorToken';

/** Either of the two ways in (contract 5). */
export const security: readonly JsonObject[] = [{ digest: [] }, { serviceAccount: [] }];

export function securitySchemes(publicUrl: string): JsonObject {
  return {
    digest: {
      type: 'http',
      scheme: 'digest',
      description: 'A programmatic API key: the public key is the user name, the private key the password.',
    },
    serviceAccount: {
      type: 'oauth2',
      description: 'A service account: its client id and secret buy an access token.',
      flows: { clientCredentials: { tokenUrl: publicUrl + TOKEN_PATH, scopes: {} } },
    },
    [OPERATOR_SECURITY]: {
      type: 'http',
      scheme: 'bearer',
      description: 'The operator token of `bootstrap.json`, for extensions.',
    },
  };
}
