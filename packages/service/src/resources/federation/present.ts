import { nextTurn } from '@portolan/foundation/next-turn';
import type { ReadTx } from '../../store/index.ts';
import { membersOfOrganization } from '../users/index.ts';
import { type ConnectionRow, findProvider, type MappingRow, mappingsOf, type ProviderRow } from './rows.ts';
import { admitsDomain } from './rules.ts';

export async function presentSettings(tx: ReadTx, { orgId, federationId, providerId }: ConnectionRow) {
  const provider = providerId === undefined ? undefined : await findProvider(tx, providerId);
  const status = provider === undefined ? ('INACTIVE' as const) : ('ACTIVE' as const);
  return {
    federatedDomains: [...(provider?.associatedDomains ?? [])],
    hasRoleMappings: (await mappingsOf(tx, orgId)).length > 0,
    id: federationId,
    identityProviderId: provider?.loginId ?? null,
    identityProviderStatus: status,
  };
}

export async function presentConnection(tx: ReadTx, row: ConnectionRow) {
  const { orgId, providerId } = row;
  const provider = providerId === undefined ? undefined : await findProvider(tx, providerId);
  return {
    dataAccessIdentityProviderIds: [...row.dataAccessIds],
    domainAllowList: [...row.domainAllowList],
    domainRestrictionEnabled: row.isRestricted,
    identityProviderId: provider?.loginId ?? null,
    instantUserProvisioningDisabled: row.admitsMembersOnly,
    orgId,
    postAuthRoleGrants: [...row.grants],
    roleMappings: (await mappingsOf(tx, orgId)).map(presentMapping),
    userConflicts: await conflictsIn(tx, row),
  };
}

/** Returns the members whose mail addresses are in none of the allowed domains; null if domains are not restricted. */
async function conflictsIn(tx: ReadTx, row: ConnectionRow) {
  if (!row.isRestricted) return null;
  const members = await membersOfOrganization(tx, row.orgId);
  return members
    .flatMap(({ user }) => user ?? [])
    .filter(({ username }) => !admitsDomain(row, username))
    .map(({ id, username, firstName, lastName }) => ({
      emailAddress: username,
      federationSettingsId: row.federationId,
      firstName,
      lastName,
      userId: id,
    }));
}

export function presentMapping({ id, orgId, groupName, assignments }: MappingRow) {
  return {
    externalGroupName: groupName,
    id,
    roleAssignments: assignments.map(({ role, groupId }) => ({
      ...(groupId === undefined ? { orgId } : { groupId }),
      role,
    })),
  };
}

type PresentedConnection = Awaited<ReturnType<typeof presentConnection>>;

/** Presents connections one after the other, with requests of others in between. */
export async function presentConnections(
  tx: ReadTx,
  rows: readonly ConnectionRow[],
): Promise<PresentedConnection[]> {
  const presented: PresentedConnection[] = [];
  for (const row of rows) {
    await nextTurn();
    presented.push(await presentConnection(tx, row));
  }
  return presented;
}

/** Returns the connections that use one of the identity providers. */
export function usedBy(
  providers: readonly ProviderRow[],
  connections: readonly ConnectionRow[],
): ConnectionRow[] {
  const ids = new Set(providers.map(({ id }) => id));
  return connections.filter(
    ({ providerId, dataAccessIds }) => ids.has(providerId ?? '') || dataAccessIds.some((id) => ids.has(id)),
  );
}

/** Presents an identity provider. `organizations` contains at least those that use it. Responses share them. */
export function presentProvider(provider: ProviderRow, organizations: readonly PresentedConnection[]) {
  const { id, loginId, created, updated, federationId: _, revision: __, ...settings } = provider;
  const { clientId, associatedDomains, requestedScopes, ...others } = settings;
  return {
    ...others,
    ...(others.idpType === 'WORKFORCE' && {
      clientId,
      associatedDomains: [...associatedDomains],
      requestedScopes: [...requestedScopes],
    }),
    associatedOrgs: organizations.filter(
      ({ identityProviderId, dataAccessIdentityProviderIds }) =>
        (loginId !== undefined && identityProviderId === loginId) ||
        dataAccessIdentityProviderIds.includes(id),
    ),
    createdAt: created,
    id,
    oktaIdpId: loginId ?? null,
    protocol: 'OIDC' as const,
    updatedAt: updated ?? null,
  };
}
