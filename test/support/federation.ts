import { expectStatus } from './expect.ts';
import type { Organization } from './stage.ts';

type Document = Record<string, unknown>;

const V2 = '/api/atlas/v2';
/** All operations for federated authentication exist in this version of the vendor's form. */
export const VENDOR = { accept: 'application/vnd.atlas.2023-11-15+json' };

/** The federation settings of an organization, in the vendor's form. */
export async function federationOf({ key, id: orgId }: Pick<Organization, 'id' | 'key'>) {
  const send = (method: string, path: string, body?: unknown) => key.send(method, V2 + path, body, VENDOR);
  const settings = async () =>
    expectStatus<Document & { id: string }>(await send('GET', `/orgs/${orgId}/federationSettings`), 200);
  const { id } = await settings();
  const path = `/federationSettings/${id}`;
  const orgPath = `${path}/connectedOrgConfigs/${orgId}`;
  return {
    id,
    orgId,
    path,
    orgPath,
    send,
    settings,
    async provider(change: object = {}) {
      const made = await send('POST', `${path}/identityProviders`, { ...workforce(), ...change });
      return expectStatus<Document & { id: string; oktaIdpId: string }>(made, 200);
    },
    /** Changes how the organization uses the settings. */
    async configure(change: object) {
      return expectStatus<Document>(await send('PATCH', orgPath, change), 200);
    },
    async map(externalGroupName: string, roleAssignments: readonly object[]) {
      const body = { externalGroupName, roleAssignments };
      return expectStatus<Document & { id: string }>(
        await send('POST', `${orgPath}/roleMappings`, body),
        200,
      );
    },
  };
}

let made = 0;

/** Returns the body of an identity provider of which there is only one. */
export const workforce = () => ({
  audience: `harbour-${++made}`,
  authorizationType: 'GROUP',
  clientId: 'portolan',
  description: 'Pilots',
  displayName: 'Harbour',
  groupsClaim: 'groups',
  idpType: 'WORKFORCE',
  issuerUri: 'https://login.example.org',
  protocol: 'OIDC',
  userClaim: 'sub',
});
