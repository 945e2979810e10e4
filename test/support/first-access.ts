import { type Client, type Credentials, digest } from './client.ts';
import type { KeyPair } from './digest.ts';
import { expectStatus } from './expect.ts';
import type { Bootstrap } from './service.ts';

type FirstAccess = Pick<
  Bootstrap,
  'orgId' | 'groupId' | 'publicKey' | 'privateKey' | 'clientId' | 'clientSecret'
>;

/**
 * Creates by API requests what the first start creates: an organization, a project, and a key and a service account
 * that own both.
 */
export async function makeFirstAccess(
  caller: Client,
  clientWith: (credentials: Credentials) => Client,
): Promise<FirstAccess> {
  const body = { name: 'First organization', apiKey: { desc: 'Made at start', roles: ['ORG_OWNER'] } };
  const { organization, apiKey } = expectStatus<{ organization: { id: string }; apiKey: KeyPair }>(
    await caller.post('/orgs', body),
    201,
  );
  const orgId = organization.id;
  const owner = clientWith(digest(apiKey));
  const project = await owner.post('/groups', { name: 'First project', orgId });
  const account = {
    name: 'First account',
    description: 'Made at the first start',
    roles: ['ORG_OWNER'],
    secretExpiresAfterHours: 8,
  };
  const { clientId, secrets } = expectStatus<{ clientId: string; secrets: readonly [{ secret: string }] }>(
    await owner.post(`/orgs/${orgId}/serviceAccounts`, account),
    201,
  );
  return {
    orgId,
    groupId: expectStatus<{ id: string }>(project, 200).id,
    publicKey: apiKey.publicKey,
    privateKey: apiKey.privateKey,
    clientId,
    clientSecret: secrets[0].secret,
  };
}
