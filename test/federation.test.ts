import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Client, digest } from './support/client.ts';
import { expectFault, expectStatus } from './support/expect.ts';
import { federationOf, VENDOR, workforce } from './support/federation.ts';
import { onEachSetup } from './support/setups.ts';
import { type ListDocument, newOrganization, uniqueName } from './support/stage.ts';
import { eventTypes, newPerson, userBody } from './support/users.ts';

const ABSENT = '0123456789abcdef01234567';
const V2 = '/api/atlas/v2';

onEachSetup('federated authentication', (setup) => {
  const newFederation = async () => {
    const organization = await newOrganization(setup, 'ORG_OWNER');
    const federation = await federationOf(organization);
    return { ...federation, key: organization.key };
  };

  /** Returns the types of the events after the creation of the organization. */
  const eventsOf = async (key: Client, orgId: string) =>
    (await eventTypes(key, `/orgs/${orgId}`)).filter(
      (type) => type !== 'ORG_CREATED' && type !== 'API_KEY_CREATED',
    );

  test('each organization has settings, which the first request creates', async () => {
    const { id, orgId, path, key, send, settings } = await newFederation();
    const empty = {
      federatedDomains: [],
      hasRoleMappings: false,
      id,
      identityProviderId: null,
      identityProviderStatus: 'INACTIVE',
    };
    for (const _ of setup.instances) assert.deepEqual(await settings(), empty);
    const { results, totalCount } = expectStatus<ListDocument>(
      await send('GET', `${path}/connectedOrgConfigs`),
      200,
    );
    const config = {
      dataAccessIdentityProviderIds: [],
      domainAllowList: [],
      domainRestrictionEnabled: false,
      identityProviderId: null,
      instantUserProvisioningDisabled: false,
      orgId,
      postAuthRoleGrants: [],
      roleMappings: [],
      userConflicts: null,
    };
    assert.deepEqual([results, totalCount], [[config], 1]);
    assert.equal((await send('DELETE', path)).status, 204);
    expectFault(await send('GET', `${path}/connectedOrgConfigs`), 404, 'FEDERATION_SETTINGS_NOT_FOUND', [id]);
    assert.notEqual((await settings()).id, id);
    assert.deepEqual(await eventsOf(key, orgId), [
      'FEDERATION_SETTINGS_CREATED',
      'FEDERATION_SETTINGS_DELETED',
      'FEDERATION_SETTINGS_CREATED',
    ]);
  });

  test('identity providers are created, changed, listed and deleted', async () => {
    const { path, send, provider } = await newFederation();
    const body = workforce();
    const { createdAt, id, oktaIdpId, ...rest } = await provider(body);
    assert.match(String(createdAt), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    assert.match(oktaIdpId, /^[a-f0-9]{20}$/);
    const others = { associatedDomains: [], associatedOrgs: [], requestedScopes: [], updatedAt: null };
    assert.deepEqual(rest, { ...body, ...others });
    const one = `${path}/identityProviders/${id}`;
    const list = async (query: string) => {
      const reply = await send('GET', `${path}/identityProviders${query}`);
      return idsIn(expectStatus<ListDocument<{ id: string }>>(reply, 200).results);
    };
    const robots = { ...body, ...EMPTY, audience: 'robots', clientId: '', idpType: 'WORKLOAD' };
    const workload = await provider(robots);
    assert.deepEqual(
      [workload.oktaIdpId, workload.clientId, workload.requestedScopes],
      [null, undefined, undefined],
    );
    assert.deepEqual(await list(''), []);
    assert.deepEqual(await list('?protocol=OIDC'), [id]);
    assert.deepEqual(await list('?protocol=OIDC&idpType=WORKLOAD'), [workload.id]);
    assert.deepEqual(
      await list('?protocol=OIDC&idpType=WORKLOAD&idpType=WORKFORCE'),
      idsIn([{ id }, workload]),
    );
    const found = expectStatus<Record<string, unknown>>(await send('GET', one), 200);
    const byLogin = expectStatus<object>(await send('GET', `${path}/identityProviders/${oktaIdpId}`), 200);
    assert.deepEqual(found, byLogin);
    // Clients send back what they have read. Without another value, nothing changes.
    assert.deepEqual(expectStatus<object>(await send('PATCH', one, found), 200), found);
    const change: Record<string, unknown> = {
      ...found,
      associatedDomains: ['Example.org'],
      requestedScopes: ['groups'],
      authorizationType: 'USER',
    };
    const { updatedAt, ...changed } = expectStatus<Record<string, unknown>>(
      await send('PATCH', one, change),
      200,
    );
    assert.match(String(updatedAt), /Z$/);
    const { updatedAt: _, groupsClaim: __, ...expected } = change;
    assert.deepEqual(changed, expected);
    assert.equal((await send('DELETE', `${one}/jwks`)).status, 204);
    expectFault(await send('GET', `${one}/metadata.xml`), 400, 'IDENTITY_PROVIDER_HAS_NO_METADATA', [id]);
    assert.equal((await send('DELETE', one)).status, 204);
    expectFault(await send('GET', one), 404, 'IDENTITY_PROVIDER_NOT_FOUND', [id]);
  });

  test('invalid identity providers are rejected', async () => {
    const { path, send, provider } = await newFederation();
    const body = workforce();
    await provider(body);
    const cases: readonly (readonly [object, number, string, readonly unknown[]])[] = [
      [{}, 409, 'IDENTITY_PROVIDER_ALREADY_EXISTS', []],
      [{ protocol: 'SAML' }, 400, 'IDENTITY_PROVIDER_PROTOCOL_NOT_SUPPORTED', ['SAML']],
      [{ issuerUri: 'http://login.example.org' }, 400, 'INVALID_ATTRIBUTE', ['issuerUri']],
      [{ issuerUri: 'urn:idp:default' }, 400, 'INVALID_ATTRIBUTE', ['issuerUri']],
      [{ issuerUri: 'https://a:b@login.example.org' }, 400, 'INVALID_ATTRIBUTE', ['issuerUri']],
      [{ issuerUri: 'https://login.example.org/?x=1' }, 400, 'INVALID_ATTRIBUTE', ['issuerUri']],
      [{ groupsClaim: undefined }, 400, 'MISSING_ATTRIBUTE', ['groupsClaim']],
      [{ clientId: '' }, 400, 'MISSING_ATTRIBUTE', ['clientId']],
      [{ displayName: undefined }, 400, 'MISSING_ATTRIBUTE', ['displayName']],
      [{ idpType: 'WORKLOAD' }, 400, 'INVALID_ATTRIBUTE', ['clientId']],
      [{ associatedDomains: ['not a domain'] }, 400, 'INVALID_ATTRIBUTE', ['associatedDomains']],
      [{ requestedScopes: ['two scopes'] }, 400, 'INVALID_ATTRIBUTE', ['requestedScopes']],
    ];
    for (const [change, status, code, parameters] of cases)
      expectFault(await send('POST', `${path}/identityProviders`, { ...body, ...change }), status, code, [
        ...parameters,
      ]);
  });

  test('an organization is connected to identity providers until a request omits them', async () => {
    const { orgId, orgPath, path, key, send, settings, provider, configure } = await newFederation();
    const { id, oktaIdpId: identityProviderId } = await provider({ associatedDomains: ['example.org'] });
    const connected = await configure({
      dataAccessIdentityProviderIds: [id],
      domainAllowList: ['https://login.example.org'],
      domainRestrictionEnabled: false,
      identityProviderId,
      postAuthRoleGrants: ['ORG_MEMBER'],
    });
    assert.deepEqual(connected.postAuthRoleGrants, ['ORG_MEMBER']);
    const { federatedDomains, identityProviderStatus } = await settings();
    assert.deepEqual([federatedDomains, identityProviderStatus], [['example.org'], 'ACTIVE']);
    const one = `${path}/identityProviders/${id}`;
    assert.deepEqual(expectStatus<{ associatedOrgs: object }>(await send('GET', one), 200).associatedOrgs, [
      connected,
    ]);
    expectFault(await send('DELETE', one), 409, 'IDENTITY_PROVIDER_IN_USE', [id]);
    const { identityProviderId: _, ...others } = connected;
    assert.deepEqual(await configure(others), { ...others, identityProviderId: null });
    expectFault(await send('DELETE', one), 409, 'IDENTITY_PROVIDER_IN_USE', [id]);
    await configure({ dataAccessIdentityProviderIds: [], domainRestrictionEnabled: false });
    assert.equal((await send('DELETE', one)).status, 204);
    const refused: readonly (readonly [object, number, string, readonly unknown[]])[] = [
      [{ identityProviderId }, 400, 'IDENTITY_PROVIDER_CANNOT_LOG_IN', [identityProviderId]],
      [{ dataAccessIdentityProviderIds: [ABSENT] }, 404, 'IDENTITY_PROVIDER_NOT_FOUND', [ABSENT]],
    ];
    for (const [body, status, code, parameters] of refused)
      expectFault(await send('PATCH', orgPath, body), status, code, [...parameters]);
    const noProvider = await send('PATCH', orgPath, { postAuthRoleGrants: ['ORG_OWNER'] });
    assert.equal(expectStatus(noProvider, 400).errorCode, 'VALIDATION_ERROR');
    expectFault(await send('DELETE', orgPath), 409, 'LAST_CONNECTED_ORG', [orgId]);
    assert.deepEqual(await eventsOf(key, orgId), [
      'FEDERATION_SETTINGS_CREATED',
      'IDENTITY_PROVIDER_CREATED',
      'OIDC_IDENTITY_PROVIDER_ENABLED',
      'ORG_SETTINGS_UPDATED',
      'OIDC_IDENTITY_PROVIDER_DISABLED',
      'IDENTITY_PROVIDER_DELETED',
    ]);
  });

  test('role mappings name roles on the organization and its projects', async () => {
    const { orgId, orgPath, key, send, settings, map } = await newFederation();
    const project = await key.post('/groups', { name: 'harbour', orgId });
    const groupId = expectStatus<{ id: string }>(project, 200).id;
    const member = { orgId, role: 'ORG_MEMBER' };
    const { id, ...made } = await map('pilots', [member, { groupId, orgId: '', role: 'GROUP_OWNER' }]);
    const roleAssignments = [member, { groupId, role: 'GROUP_OWNER' }];
    assert.deepEqual(made, { externalGroupName: 'pilots', roleAssignments });
    assert.equal((await settings()).hasRoleMappings, true);
    const mappings = `${orgPath}/roleMappings`;
    const { results } = expectStatus<ListDocument>(await send('GET', mappings), 200);
    assert.deepEqual(results, [{ ...made, id }]);
    const changed = { externalGroupName: 'Pilots', roleAssignments: [member] };
    assert.deepEqual(expectStatus(await send('PUT', `${mappings}/${id}`, { ...changed, id }), 200), {
      ...changed,
      id,
    });
    assert.deepEqual(expectStatus(await send('GET', `${mappings}/${id}`), 200), { ...changed, id });
    const refused: readonly (readonly [readonly object[], number, string, readonly unknown[]])[] = [
      [[], 400, 'ROLE_MAPPING_NEEDS_ORG_ROLE', []],
      [[{ groupId, role: 'GROUP_OWNER' }], 400, 'ROLE_MAPPING_NEEDS_ORG_ROLE', []],
      [[{ orgId: ABSENT, role: 'ORG_OWNER' }], 400, 'INVALID_ATTRIBUTE', ['roleAssignments']],
      [[{ role: 'ORG_OWNER' }], 400, 'INVALID_ATTRIBUTE', ['roleAssignments']],
      [[{ ...member, groupId }], 400, 'INVALID_ATTRIBUTE', ['roleAssignments']],
      [[member, { groupId: ABSENT, role: 'GROUP_OWNER' }], 404, 'GROUP_NOT_FOUND', [ABSENT]],
    ];
    for (const [assignments, status, code, parameters] of refused) {
      const body = { externalGroupName: 'others', roleAssignments: assignments };
      expectFault(await send('POST', mappings, body), status, code, [...parameters]);
    }
    expectFault(await send('POST', mappings, changed), 409, 'ROLE_MAPPING_ALREADY_EXISTS', ['Pilots']);
    assert.equal((await send('DELETE', `${mappings}/${id}`)).status, 204);
    expectFault(await send('GET', `${mappings}/${id}`), 404, 'ROLE_MAPPING_NOT_FOUND', [id]);
  });

  test('a configuration can replace all role mappings', async () => {
    const { orgId, provider, configure, map } = await newFederation();
    const { oktaIdpId: identityProviderId } = await provider();
    const roleAssignments = [{ orgId, role: 'ORG_MEMBER' }];
    const kept = await map('kept', roleAssignments);
    await map('removed', roleAssignments);
    const added = { externalGroupName: 'added', roleAssignments };
    const { roleMappings } = await configure({ identityProviderId, roleMappings: [kept, added] });
    const present = roleMappings as { id: string; externalGroupName: string }[];
    const { id } = present.find(({ externalGroupName }) => externalGroupName === 'added') ?? assert.fail();
    assert.deepEqual(new Set(present), new Set([kept, { ...added, id }]));
  });

  test('only owners of connected organizations can use the settings', async () => {
    const { orgId, orgPath, path, key, provider } = await newFederation();
    const { id } = await provider();
    const made = await key.post(`/orgs/${orgId}/apiKeys`, { desc: 'a reader', roles: ['ORG_READ_ONLY'] });
    const pair = expectStatus<{ publicKey: string; privateKey: string }>(made, 200);
    const reader = setup.clientWith(digest(pair));
    const stranger = (await newOrganization(setup, 'ORG_OWNER')).key;
    const requests = [
      ['GET', `${path}/connectedOrgConfigs`],
      ['GET', `${path}/identityProviders`],
      ['POST', `${path}/identityProviders`, workforce()],
      ['PATCH', `${path}/identityProviders/${id}`, { description: '' }],
      ['DELETE', `${path}/identityProviders/${id}/jwks`],
      ['DELETE', `${path}/identityProviders/${id}`],
      ['DELETE', path],
      ['GET', orgPath],
      ['PATCH', orgPath, {}],
      ['DELETE', orgPath],
      ['GET', `${orgPath}/roleMappings`],
      ['GET', `/orgs/${orgId}/federationSettings`],
    ] as const;
    for (const client of [reader, stranger])
      for (const [method, target, body] of requests)
        assert.equal(
          (await client.send(method, V2 + target, body, VENDOR)).status,
          401,
          `${method} ${target}`,
        );
    const { path: elsewhere, send } = await newFederation();
    expectFault(
      await send('GET', `${elsewhere}/connectedOrgConfigs/${orgId}`),
      401,
      'USER_CANNOT_ACCESS_ORG',
    );
    expectFault(
      await send('GET', `${elsewhere}/identityProviders/${id}`),
      404,
      'IDENTITY_PROVIDER_NOT_FOUND',
      [id],
    );
  });

  test('a new organization can be connected to settings that its creator owns', async () => {
    const { id, orgId, path, key, send } = await newFederation();
    const body = (name: string) => ({
      name,
      apiKey: { desc: 'the owner', roles: ['ORG_OWNER'] },
      federationSettingsId: id,
    });
    const refused = await setup.owner.post('/orgs', body(uniqueName('stranger')));
    expectFault(refused, 400, 'INVALID_ATTRIBUTE', ['federationSettingsId']);
    const created = expectStatus<{ organization: { id: string }; federationSettingsId: string }>(
      await key.post('/orgs', body(uniqueName('branch'))),
      201,
    );
    assert.equal(created.federationSettingsId, id);
    const branch = created.organization.id;
    const { results } = expectStatus<ListDocument>(await send('GET', `${path}/connectedOrgConfigs`), 200);
    assert.deepEqual(results.map((one) => one.orgId).toSorted(), [orgId, branch].toSorted());
    expectFault(await send('DELETE', path), 409, 'FEDERATION_HAS_SEVERAL_ORGS', [id]);
    assert.equal((await send('DELETE', `${path}/connectedOrgConfigs/${orgId}`)).status, 204);
    expectFault(await send('GET', `${path}/connectedOrgConfigs/${orgId}`), 404, 'ORG_NOT_CONNECTED', [
      orgId,
      id,
    ]);
    expectStatus(await key.delete(`/orgs/${orgId}`), 204);
  });

  test('restricted domains apply to users and invitations', async () => {
    const { orgId, path, key, configure, provider } = await newFederation();
    const { oktaIdpId: identityProviderId } = await provider();
    const before = await newPerson(setup, key, [{ orgId, roleName: 'ORG_MEMBER' }]);
    const { userConflicts } = await configure({
      identityProviderId,
      domainAllowList: ['harbour.example.org'],
      domainRestrictionEnabled: true,
    });
    const {
      id: userId,
      username: emailAddress,
      firstName,
      lastName,
    } = before as typeof before & { lastName: string };
    const federationSettingsId = path.slice(path.lastIndexOf('/') + 1);
    assert.deepEqual(userConflicts, [{ emailAddress, federationSettingsId, firstName, lastName, userId }]);
    const roles = [{ orgId, roleName: 'ORG_MEMBER' }];
    const user = { ...userBody(), roles };
    expectFault(await key.post('/users', user), 403, 'DOMAIN_NOT_ALLOWED', [orgId, user.username]);
    const invited = `${uniqueName('mate')}@example.org`;
    const invite = (username: string) =>
      key.post(`/orgs/${orgId}/invites`, { username, roles: ['ORG_MEMBER'] });
    expectFault(await invite(invited), 403, 'DOMAIN_NOT_ALLOWED', [orgId, invited]);
    expectStatus(await invite(`${uniqueName('mate')}@Harbour.Example.org`), 200);
  });
});

/** How clients send fields that are not set. */
const EMPTY = { associatedDomains: [], requestedScopes: [], description: '' };

/** Instances create ids independently, so that ids of the same second have any order. */
const idsIn = (entities: readonly { readonly id: string }[]) => entities.map(({ id }) => id).toSorted();
