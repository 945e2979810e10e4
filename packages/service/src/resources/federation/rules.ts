import { allows, type Caller, missingRole, type Role, roles } from '../../access/index.ts';
import { badValue, generalFaults } from '../../api/faults.ts';
import type { ReadTx } from '../../store/index.ts';
import { projectFaults, projectsAmong } from '../projects/index.ts';
import { federationFaults } from './faults.ts';
import type { Assignment } from './model.ts';
import {
  type ConnectionRow,
  connectionsOf,
  findConnection,
  findProvider,
  type MappingRow,
  mappingsOf,
  type ProviderRow,
  providersOf,
} from './rows.ts';
import type { RoleMapping } from './schema.ts';

export const MAX_PROVIDERS = 50;
const MAX_MAPPINGS = 300;
/** Maximum number of organizations that are connected to the same federation settings. */
export const MAX_CONNECTED = 250;
/**
 * Maximum number of assignments of all organizations that are connected to the same federation settings. Every login
 * reads all assignments, and several responses contain them.
 */
export const MAX_ASSIGNMENTS = 10_000;

interface FederationPath {
  readonly federationSettingsId: string;
}

/** Returns the connected organizations of federation settings. Throws unless the caller owns one of them. */
export async function requireFederation(
  tx: ReadTx,
  caller: Caller,
  { federationSettingsId }: FederationPath,
): Promise<ConnectionRow[]> {
  const connections = await connectionsOf(tx, federationSettingsId);
  if (connections.length === 0) throw federationFaults.FEDERATION_SETTINGS_NOT_FOUND(federationSettingsId);
  const owns = connections.some(({ orgId }) =>
    allows(caller, 'Organization Owner', { kind: 'org', id: orgId }),
  );
  if (!owns) throw missingRole('Organization Owner');
  return connections;
}

/** Throws ORG_NOT_CONNECTED. */
export async function requireConnection(
  tx: ReadTx,
  { federationSettingsId, orgId }: FederationPath & { readonly orgId: string },
): Promise<ConnectionRow> {
  const connection = await findConnection(tx, orgId);
  if (connection?.federationId !== federationSettingsId)
    throw federationFaults.ORG_NOT_CONNECTED(orgId, federationSettingsId);
  return connection;
}

/** Returns an identity provider by its id or by its id for logins. Throws IDENTITY_PROVIDER_NOT_FOUND. */
export async function requireProvider(
  tx: ReadTx,
  { federationSettingsId, identityProviderId }: FederationPath & { readonly identityProviderId: string },
): Promise<ProviderRow> {
  const providers = await providersOf(tx, federationSettingsId);
  const found = providers.find(
    ({ id, loginId }) => id === identityProviderId || loginId === identityProviderId,
  );
  if (found === undefined) throw federationFaults.IDENTITY_PROVIDER_NOT_FOUND(identityProviderId);
  return found;
}

/** Throws if the id of a connection is not that of an identity provider with which people can log in. */
export async function requireLoginProvider(
  tx: ReadTx,
  federationId: string,
  loginId: string,
): Promise<ProviderRow> {
  const found = (await providersOf(tx, federationId)).find((provider) => provider.loginId === loginId);
  if (found === undefined) throw federationFaults.IDENTITY_PROVIDER_CANNOT_LOG_IN(loginId);
  return found;
}

export async function checkDataAccess(
  tx: ReadTx,
  federationId: string,
  ids: readonly string[],
): Promise<void> {
  for (const id of ids) {
    if ((await findProvider(tx, id))?.federationId !== federationId)
      throw federationFaults.IDENTITY_PROVIDER_NOT_FOUND(id);
  }
}

export function checkUnused(provider: ProviderRow, connections: readonly ConnectionRow[]): void {
  const { id } = provider;
  if (connections.some(({ providerId, dataAccessIds }) => providerId === id || dataAccessIds.includes(id)))
    throw federationFaults.IDENTITY_PROVIDER_IN_USE(id);
}

/** Throws ROLE_MAPPING_NOT_FOUND. */
export async function requireMapping(
  tx: ReadTx,
  { orgId, id }: { readonly orgId: string; readonly id: string },
): Promise<MappingRow> {
  const found = (await mappingsOf(tx, orgId)).find((mapping) => mapping.id === id);
  if (found === undefined) throw federationFaults.ROLE_MAPPING_NOT_FOUND(id);
  return found;
}

type MappingBody = Pick<RoleMapping, 'externalGroupName' | 'roleAssignments'>;

/** Checks the roles of a role mapping, and returns them. */
export async function readAssignments(
  tx: ReadTx,
  orgId: string,
  { roleAssignments = [] }: MappingBody,
): Promise<readonly Assignment[]> {
  const read = roleAssignments.map(({ role, ...place }): Assignment => {
    if (place.orgId !== undefined && place.groupId !== undefined)
      throw badValue('roleAssignments', 'must contain either orgId or groupId in each element, but not both');
    return roles[role as Role].scope === 'org'
      ? { role: role as Role, ...onOrganization(place.orgId, orgId) }
      : { role: role as Role, groupId: projectOf(role, place.groupId) };
  });
  if (read.every(({ groupId }) => groupId !== undefined))
    throw federationFaults.ROLE_MAPPING_NEEDS_ORG_ROLE();
  const groupIds = read.flatMap(({ groupId }) => groupId ?? []);
  const projects = await projectsAmong(tx, orgId, groupIds);
  for (const id of groupIds) if (!projects.has(id)) throw projectFaults.GROUP_NOT_FOUND(id);
  return read;
}

function onOrganization(named: string | undefined, orgId: string): object {
  if (named !== orgId)
    throw badValue('roleAssignments', `must contain the orgId ${orgId} for organization roles`);
  return {};
}

function projectOf(role: string, groupId: string | undefined): string {
  if (groupId === undefined) throw badValue('roleAssignments', `must contain a groupId for the role ${role}`);
  return groupId;
}

interface OtherAssignments {
  /** The number of assignments of the other connected organizations. */
  readonly elsewhere: number;
  /** The present number of assignments of the organization. It may always become smaller. */
  readonly former: number;
}

/** Throws if there are too many role mappings or assignments, or if two role mappings are for the same group. */
export function checkMappings(
  mappings: readonly { readonly groupName: string; readonly assignments: readonly unknown[] }[],
  { elsewhere, former }: OtherAssignments,
): void {
  if (mappings.length > MAX_MAPPINGS) throw federationFaults.MAX_ROLE_MAPPINGS_EXCEEDED(MAX_MAPPINGS);
  const names = new Set<string>();
  let count = 0;
  for (const { groupName, assignments } of mappings) {
    count += assignments.length;
    if (count > former && count + elsewhere > MAX_ASSIGNMENTS)
      throw federationFaults.MAX_ROLE_ASSIGNMENTS_EXCEEDED(MAX_ASSIGNMENTS);
    if (names.has(groupName)) throw federationFaults.ROLE_MAPPING_ALREADY_EXISTS(groupName);
    names.add(groupName);
  }
}

/** The roles at a login have no effect without an identity provider, so they cannot change. */
export function checkRolesNeedProvider(
  field: string,
  isChanged: boolean,
  providerId: string | undefined,
): void {
  if (isChanged && providerId === undefined)
    throw generalFaults.VALIDATION_ERROR(
      `${field} can change only if the organization has an identityProviderId.`,
    );
}

/** Whether a mail address is in one of these domains. */
export function isInDomains(mail: string, domains: readonly string[]): boolean {
  const domain = mail.slice(mail.lastIndexOf('@') + 1).toLowerCase();
  return domains.some((one) => one.toLowerCase() === domain);
}

/** Whether a person with this mail address may join an organization. */
export function admitsDomain({ isRestricted, domainAllowList }: ConnectionRow, mail: string): boolean {
  return !isRestricted || isInDomains(mail, domainAllowList);
}
