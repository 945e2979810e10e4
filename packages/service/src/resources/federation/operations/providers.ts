import Type from 'typebox';
import { pageOf, type ReadTx } from '../../../store/index.ts';
import { extension } from '../../services.ts';
import { addProvider, changeProvider, removeProvider, revokeKeys } from '../changes.ts';
import { federationFaults } from '../faults.ts';
import { presentConnections, presentProvider, usedBy } from '../present.ts';
import { readProvider } from '../provider-settings.ts';
import { type ConnectionRow, type ProviderRow, providersOf } from '../rows.ts';
import { requireFederation, requireProvider } from '../rules.ts';
import { IdentityProvider, IdentityProviderBody, ProvidersQuery } from '../schema.ts';

const PATH = '/federationSettings/{federationSettingsId}/identityProviders';
const ONE = `${PATH}/{identityProviderId}` as const;
const common = {
  tag: 'Federated Authentication',
  access: 'any caller',
  bodyAccess: { role: 'Organization Owner', of: 'one of the connected organizations' },
} as const;

async function presentOne(tx: ReadTx, row: ProviderRow, connections: readonly ConnectionRow[]) {
  return presentProvider(row, await presentConnections(tx, usedBy([row], connections)));
}

export const listIdentityProviders = extension({
  id: 'listIdentityProviders',
  ...common,
  method: 'GET',
  path: PATH,
  summary: 'Lists identity providers. Without `protocol`, the list is empty, because it contains only SAML.',
  query: ProvidersQuery,
  reply: IdentityProvider,
  list: 'page',
  status: 200,
  handler: (call) =>
    call.read(async (tx) => {
      const connections = await requireFederation(tx, call.caller, call.params);
      const { idpType = ['WORKFORCE'], protocol = ['SAML'] } = call.query;
      const rows = protocol.includes('OIDC') ? await providersOf(tx, call.params.federationSettingsId) : [];
      const page = pageOf(
        rows.filter((row) => idpType.includes(row.idpType)),
        call.page,
      );
      const used = usedBy(page.results, connections);
      const organizations = await presentConnections(tx, used);
      return { ...page, results: page.results.map((row) => presentProvider(row, organizations)) };
    }),
});

export const createIdentityProvider = extension({
  id: 'createIdentityProvider',
  ...common,
  method: 'POST',
  path: PATH,
  summary: 'Creates an identity provider with the protocol OIDC.',
  body: IdentityProviderBody,
  reply: IdentityProvider,
  status: 200,
  repeatable: ({ body }) => body,
  handler: (call) =>
    call.write(async (tx) => {
      const connections = await requireFederation(tx, call.caller, call.params);
      const settings = readProvider(call.body, undefined, call.services.clouds.privateTargets);
      const { federationSettingsId } = call.params;
      const row = await addProvider(tx, federationSettingsId, settings, call.actor);
      return presentOne(tx, row, connections);
    }),
});

export const getIdentityProvider = extension({
  id: 'getIdentityProvider',
  ...common,
  method: 'GET',
  path: ONE,
  summary: 'Returns one identity provider, selected by its `id` or its `oktaIdpId`.',
  reply: IdentityProvider,
  status: 200,
  handler: (call) =>
    call.read(async (tx) => {
      const connections = await requireFederation(tx, call.caller, call.params);
      return presentOne(tx, await requireProvider(tx, call.params), connections);
    }),
});

export const updateIdentityProvider = extension({
  id: 'updateIdentityProvider',
  ...common,
  method: 'PATCH',
  path: ONE,
  summary: 'Changes an identity provider. Absent fields keep their values.',
  body: IdentityProviderBody,
  reply: IdentityProvider,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const connections = await requireFederation(tx, call.caller, call.params);
      const before = await requireProvider(tx, call.params);
      const settings = readProvider(call.body, before, call.services.clouds.privateTargets);
      return presentOne(tx, await changeProvider(tx, before, settings, call.actor), connections);
    }),
});

export const deleteIdentityProvider = extension({
  id: 'deleteIdentityProvider',
  ...common,
  method: 'DELETE',
  path: ONE,
  summary: 'Deletes an identity provider to which no organization is connected.',
  status: 204,
  handler: (call) =>
    call.write(async (tx) => {
      await requireFederation(tx, call.caller, call.params);
      await removeProvider(tx, await requireProvider(tx, call.params), call.actor);
    }),
});

export const revokeKeysOfIdentityProvider = extension({
  id: 'revokeJwksFromIdentityProvider',
  ...common,
  method: 'DELETE',
  path: `${ONE}/jwks`,
  summary:
    'Discards the cached keys of an identity provider, and ends the sessions of the console that began with it.',
  status: 204,
  handler: (call) =>
    call.write(async (tx) => {
      await requireFederation(tx, call.caller, call.params);
      await revokeKeys(tx, await requireProvider(tx, call.params), call.actor);
    }),
});

export const getIdentityProviderMetadata = extension({
  id: 'getIdentityProviderMetadata',
  ...common,
  method: 'GET',
  path: `${ONE}/metadata.xml`,
  summary: 'Always returns an error, because only identity providers with the protocol SAML have metadata.',
  reply: Type.String(),
  status: 200,
  handler: (call) =>
    call.read(async (tx) => {
      await requireFederation(tx, call.caller, call.params);
      const { id } = await requireProvider(tx, call.params);
      throw federationFaults.IDENTITY_PROVIDER_HAS_NO_METADATA(id);
    }),
});
