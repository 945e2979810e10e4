import type { AnyFaultTable } from '@portolan/foundation/faults';
import { type Access, accessFaults, type OAuthAnswer, type OAuthRequest } from '../../access/index.ts';
import { TOKEN_PATH } from '../../api/addresses.ts';
import type { Dialect } from '../../api/dialect/dialect.ts';
import { documentMounts } from '../../api/document-mounts.ts';
import type { DocumentInput } from '../../api/documents/index.ts';
import { generalFaults } from '../../api/faults.ts';
import type { Mount } from '../../api/index.ts';
import { atlasMounts } from '../../dialects/atlas/mounts.ts';
import { clientCredentials } from '../../dialects/client-credentials.ts';
import { dialects } from '../../dialects/index.ts';
import { DEFAULT_MAJOR_VERSION } from '../../resources/clusters/index.ts';
import type { Family } from '../../resources/family.ts';

/**
 * Returns the endpoints that are not operations: access tokens, OpenAPI documents, the reference page, and the
 * endpoints that tools of a dialect call.
 */
export function mounts({ oauth }: Access, documented: DocumentInput): Mount[] {
  return [
    oauthMount('createAccessToken', TOKEN_PATH, (request) => oauth.token(request)),
    oauthMount('revokeAccessToken', '/api/oauth/revoke', (request) => oauth.revoke(request)),
    ...documentMounts(documented),
    ...dialects.flatMap((dialect) => documentMounts(inDialect(documented, dialect))),
    ...atlasMounts({ majorVersion: DEFAULT_MAJOR_VERSION }),
  ];
}

/**
 * Inherits from `documented` instead of copying it: `publicUrl` is a getter, which must be read only when a document is
 * generated.
 */
function inDialect(documented: DocumentInput, dialect: Dialect): DocumentInput {
  return Object.create(documented, { dialect: { value: dialect, enumerable: true } });
}

function oauthMount(
  id: string,
  path: string,
  answer: (request: OAuthRequest) => Promise<OAuthAnswer>,
): Mount {
  return {
    id,
    method: 'POST',
    path,
    async handle({ headers: given, body, address }) {
      const { 'content-type': contentType } = given;
      const authorization = clientCredentials(given.authorization, body);
      const { status, headers, document } = await answer({ authorization, contentType, body, address });
      return { status, headers, body: '', document };
    },
  };
}

/** Returns the tables of all error codes that the service can return. */
export function faultTables(families: readonly Family[]): AnyFaultTable[] {
  return [generalFaults, accessFaults, ...families.flatMap((family) => family.faults ?? [])];
}
