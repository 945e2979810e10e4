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

export async function presentProvider(
  tx: ReadTx,
  provider: ProviderRow,
  connections: readonly ConnectionRow[],
) {
  const { id, loginId, created, updated, federationId: _, revision: __, ...settings } = provider;
  const { clientId, associatedDomains, requestedScopes, ...others } = settings;
  const connected = connections.filter(
    ({ providerId, dataAccessIds }) => providerId === id || dataAccessIds.includes(id),
  );
  return {
    ...others,
    ...(others.idpType === 'WORKFORCE' && {
      clientId,
      associatedDomains: [...associatedDomains],
      requestedScopes: [...requestedScopes],
    }),
    associatedOrgs: await Promise.all(connected.map((connection) => presentConnection(tx, connection))),
    createdAt: created,
    id,
    oktaIdpId: loginId ?? null,
    protocol: 'OIDC' as const,
    updatedAt: updated ?? null,
  };
}
