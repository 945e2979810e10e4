import { isDeepStrictEqual } from 'node:util';
import { type Actor, recordEvent } from '../../events/index.ts';
import type { Topic, Tx } from '../../store/index.ts';
import { federationFaults } from './faults.ts';
import { replaceMappings } from './mappings.ts';
import { checkUnique } from './provider-settings.ts';
import {
  type ConnectionRow,
  connectionsOf,
  deleteConnection,
  deleteFederation,
  deleteProvider,
  findConnection,
  insertFederation,
  type ProviderRow,
  type ProviderSettings,
  providersOf,
  saveConnection,
  saveProvider,
} from './rows.ts';
import {
  checkDataAccess,
  checkRolesNeedProvider,
  checkUnused,
  MAX_PROVIDERS,
  requireLoginProvider,
} from './rules.ts';
import type { ConnectedOrganizationUpdate } from './schema.ts';

/**
 * Published when the sessions of an identity provider must end. `forgetsSubjects`: whether its subjects no longer
 * identify the same people, because the provider was deleted, or identifies people by other settings.
 */
export const providerRevoked: Topic<{ readonly providerId: string; readonly forgetsSubjects: boolean }> = {
  name: 'identity provider revoked',
};

const unset: Omit<ConnectionRow, 'federationId' | 'orgId'> = {
  dataAccessIds: [],
  domainAllowList: [],
  isRestricted: false,
  admitsMembersOnly: false,
  grants: [],
};

/** Returns how an organization uses its federation settings. Creates the settings if there are none. */
export async function ensureFederation(tx: Tx, orgId: string, actor: Actor): Promise<ConnectionRow> {
  const known = await findConnection(tx, orgId);
  if (known !== undefined) return known;
  const federationId = tx.id();
  await insertFederation(tx, federationId);
  const connection = { orgId, federationId, ...unset };
  await saveConnection(tx, connection);
  await recordEvent(tx, { type: 'FEDERATION_SETTINGS_CREATED', orgId, actor });
  return connection;
}

/** Connects an organization that has no federation settings yet. */
export async function connect(tx: Tx, federationId: string, orgId: string, actor: Actor): Promise<void> {
  await saveConnection(tx, { orgId, federationId, ...unset });
  await recordEvent(tx, { type: 'ORG_SETTINGS_CONFIGURED', orgId, actor });
}

/** Deletes the settings with all identity providers. Throws if several organizations are connected. */
export async function removeFederation(tx: Tx, federationId: string, actor: Actor): Promise<void> {
  const connections = await connectionsOf(tx, federationId);
  if (connections.length > 1) throw federationFaults.FEDERATION_HAS_SEVERAL_ORGS(federationId);
  await discard(tx, federationId);
  for (const { orgId } of connections)
    await recordEvent(tx, { type: 'FEDERATION_SETTINGS_DELETED', orgId, actor });
}

async function discard(tx: Tx, federationId: string): Promise<void> {
  for (const { id } of await providersOf(tx, federationId))
    await tx.publish(providerRevoked, { providerId: id, forgetsSubjects: true });
  await deleteFederation(tx, federationId);
}

/** Disconnects an organization. At the next request for its federation settings, it gets new ones. */
export async function disconnect(
  tx: Tx,
  { orgId, federationId }: ConnectionRow,
  actor: Actor,
): Promise<void> {
  if ((await connectionsOf(tx, federationId)).length === 1) throw federationFaults.LAST_CONNECTED_ORG(orgId);
  await deleteConnection(tx, orgId);
  await recordEvent(tx, { type: 'ORG_SETTINGS_DELETED', orgId, actor });
}

/** Disconnects an organization that is being deleted. Deletes the settings if no other organization is connected. */
export async function forget(tx: Tx, orgId: string): Promise<void> {
  const connection = await findConnection(tx, orgId);
  if (connection === undefined) return;
  await deleteConnection(tx, orgId);
  const { federationId } = connection;
  if ((await connectionsOf(tx, federationId)).length === 0) await discard(tx, federationId);
}

/**
 * Changes how an organization uses its federation settings. An absent `identityProviderId` disconnects the organization
 * from its identity provider, and an absent `domainRestrictionEnabled` counts as false, as in the vendor's service.
 * Returns the changed configuration.
 */
export async function changeConnection(
  tx: Tx,
  before: ConnectionRow,
  body: ConnectedOrganizationUpdate,
  actor: Actor,
): Promise<ConnectionRow> {
  const { orgId, federationId } = before;
  const loginId = body.identityProviderId ?? undefined;
  const providerId = loginId && (await requireLoginProvider(tx, federationId, loginId)).id;
  const { providerId: _, ...kept } = before;
  const after: ConnectionRow = {
    ...kept,
    ...(providerId !== undefined && { providerId }),
    dataAccessIds: body.dataAccessIdentityProviderIds ?? before.dataAccessIds,
    domainAllowList: body.domainAllowList ?? before.domainAllowList,
    isRestricted: body.domainRestrictionEnabled ?? false,
    admitsMembersOnly: body.instantUserProvisioningDisabled ?? before.admitsMembersOnly,
    grants: body.postAuthRoleGrants ?? before.grants,
  };
  await checkDataAccess(tx, federationId, after.dataAccessIds);
  const hasNewGrants = !isDeepStrictEqual(new Set(before.grants), new Set(after.grants));
  checkRolesNeedProvider('postAuthRoleGrants', hasNewGrants, providerId);
  if (body.roleMappings !== undefined) {
    const isChanged = await replaceMappings(tx, orgId, body.roleMappings, actor);
    checkRolesNeedProvider('roleMappings', isChanged, providerId);
  }
  await saveConnection(tx, after);
  for (const type of changesBetween(before, after)) await recordEvent(tx, { type, orgId, actor });
  return after;
}

/** Returns the types of the events for a change. */
function* changesBetween(before: ConnectionRow, after: ConnectionRow): Generator<string> {
  const users = ({ providerId, dataAccessIds }: ConnectionRow) =>
    new Set([providerId ?? '', ...dataAccessIds]);
  const [former, present] = [users(before), users(after)];
  const { isRestricted } = after;
  if ([...present].some((id) => id !== '' && !former.has(id))) yield 'OIDC_IDENTITY_PROVIDER_ENABLED';
  if ([...former].some((id) => id !== '' && !present.has(id))) yield 'OIDC_IDENTITY_PROVIDER_DISABLED';
  if (before.isRestricted !== isRestricted)
    yield isRestricted ? 'RESTRICT_ORG_MEMBERSHIP_ENABLED' : 'RESTRICT_ORG_MEMBERSHIP_DISABLED';
  const others = ({ domainAllowList, admitsMembersOnly, grants }: ConnectionRow) => ({
    domainAllowList,
    admitsMembersOnly,
    grants,
  });
  if (!isDeepStrictEqual(others(before), others(after))) yield 'ORG_SETTINGS_UPDATED';
}

/** Records an event in each connected organization. */
async function recordInAll(tx: Tx, federationId: string, type: string, actor: Actor): Promise<void> {
  for (const { orgId } of await connectionsOf(tx, federationId))
    await recordEvent(tx, { type, orgId, actor });
}

export async function addProvider(
  tx: Tx,
  federationId: string,
  settings: ProviderSettings,
  actor: Actor,
): Promise<ProviderRow> {
  const others = await providersOf(tx, federationId);
  if (others.length >= MAX_PROVIDERS) throw federationFaults.MAX_IDENTITY_PROVIDERS_EXCEEDED(MAX_PROVIDERS);
  checkUnique(settings, others);
  const row: ProviderRow = {
    ...settings,
    id: tx.id(),
    federationId,
    revision: tx.id(),
    created: tx.now,
    ...(settings.idpType === 'WORKFORCE' && { loginId: tx.id().slice(4) }),
  };
  await saveProvider(tx, row);
  await recordInAll(tx, federationId, 'IDENTITY_PROVIDER_CREATED', actor);
  return row;
}

export async function changeProvider(
  tx: Tx,
  before: ProviderRow,
  settings: ProviderSettings,
  actor: Actor,
): Promise<ProviderRow> {
  const { id, federationId, loginId, created, revision: _, updated: __, ...former } = before;
  if (isDeepStrictEqual(settings, former)) return before;
  const others = (await providersOf(tx, federationId)).filter((other) => other.id !== id);
  checkUnique(settings, others);
  const row = { ...settings, id, federationId, loginId, created, revision: tx.id(), updated: tx.now };
  await saveProvider(tx, row);
  // An equal subject of another issuer can be somebody else.
  if (subjectSettings.some((name) => before[name] !== row[name]))
    await tx.publish(providerRevoked, { providerId: id, forgetsSubjects: true });
  await recordInAll(tx, federationId, 'OIDC_IDENTITY_PROVIDER_UPDATED', actor);
  return row;
}

/** The settings that determine whom a subject identifies. Some issuers have different subjects for each client. */
const subjectSettings = ['issuerUri', 'clientId', 'userClaim'] as const;

export async function removeProvider(tx: Tx, provider: ProviderRow, actor: Actor): Promise<void> {
  checkUnused(provider, await connectionsOf(tx, provider.federationId));
  await deleteProvider(tx, provider.id);
  await tx.publish(providerRevoked, { providerId: provider.id, forgetsSubjects: true });
  await recordInAll(tx, provider.federationId, 'IDENTITY_PROVIDER_DELETED', actor);
}

/** Discards the cached keys of an identity provider, and ends the sessions that began with it. */
export async function revokeKeys(tx: Tx, provider: ProviderRow, actor: Actor): Promise<void> {
  await saveProvider(tx, { ...provider, revision: tx.id() });
  await tx.publish(providerRevoked, { providerId: provider.id, forgetsSubjects: false });
  await recordInAll(tx, provider.federationId, 'IDENTITY_PROVIDER_JWKS_REVOKED', actor);
}
