import type { Selectable } from 'kysely';
import { codec, type ReadTx, type Tx } from '../../store/index.ts';
import type { Assignment, Roles } from './model.ts';

interface Tables {
  federation: { id: string; created: number };
  identity_provider: {
    id: string;
    federation_id: string;
    login_id: string | null;
    revision: string;
    document: string;
    created: number;
    updated: number | null;
  };
  connected_org: { org_id: string; federation_id: string; provider_id: string | null; document: string };
  role_mapping: { id: string; org_id: string; group_name: string; assignments: string };
}

/** The settings of an identity provider of the protocol OIDC. */
export interface ProviderSettings {
  readonly idpType: 'WORKFORCE' | 'WORKLOAD';
  readonly displayName: string;
  readonly description: string;
  readonly issuerUri: string;
  readonly audience: string;
  readonly authorizationType: 'GROUP' | 'USER';
  readonly userClaim: string;
  readonly groupsClaim?: string | undefined;
  readonly clientId?: string | undefined;
  readonly associatedDomains: readonly string[];
  readonly requestedScopes: readonly string[];
}

export interface ProviderRow extends ProviderSettings {
  readonly id: string;
  readonly federationId: string;
  /** The id with which organizations refer to the provider of their logins; absent for WORKLOAD. */
  readonly loginId?: string | undefined;
  /** Changes with each change of the settings, and when the keys of the provider are revoked. */
  readonly revision: string;
  readonly created: Date;
  readonly updated?: Date | undefined;
}

/** How an organization uses its federation settings. */
export interface ConnectionRow {
  readonly orgId: string;
  readonly federationId: string;
  /** The identity provider with which members log in to the console. */
  readonly providerId?: string | undefined;
  readonly dataAccessIds: readonly string[];
  readonly domainAllowList: readonly string[];
  readonly isRestricted: boolean;
  readonly admitsMembersOnly: boolean;
  readonly grants: Roles;
}

export interface MappingRow {
  readonly id: string;
  readonly orgId: string;
  readonly groupName: string;
  readonly assignments: readonly Assignment[];
}

const settings = codec.json<ProviderSettings>();
type ConnectionSettings = Omit<ConnectionRow, 'federationId' | 'orgId' | 'providerId'>;
const connectionSettings = codec.json<ConnectionSettings>();
const assignmentList = codec.json<readonly Assignment[]>();

export async function insertFederation(tx: Tx, id: string): Promise<void> {
  const created = codec.date.write(tx.now);
  await tx.from<Tables>().insertInto('federation').values({ id, created }).execute();
}

/** Deletes federation settings with everything that belongs to them. */
export async function deleteFederation(tx: Tx, id: string): Promise<void> {
  await tx.from<Tables>().deleteFrom('connected_org').where('federation_id', '=', id).execute();
  await tx.from<Tables>().deleteFrom('federation').where('id', '=', id).execute();
}

function readConnection(row: Selectable<Tables['connected_org']>): ConnectionRow {
  return {
    ...connectionSettings.read(row.document),
    orgId: row.org_id,
    federationId: row.federation_id,
    ...(row.provider_id !== null && { providerId: row.provider_id }),
  };
}

function connections(tx: ReadTx) {
  return tx.from<Tables>().selectFrom('connected_org').selectAll();
}

export async function findConnection(tx: ReadTx, orgId: string): Promise<ConnectionRow | undefined> {
  const row = await connections(tx).where('org_id', '=', orgId).executeTakeFirst();
  return row && readConnection(row);
}

export async function connectionsOf(tx: ReadTx, federationId: string): Promise<ConnectionRow[]> {
  const rows = connections(tx).where('federation_id', '=', federationId).orderBy('org_id');
  return (await rows.execute()).map(readConnection);
}

/** Returns the organizations whose members log in with an identity provider. */
export async function connectionsWith(tx: ReadTx, providerId: string): Promise<ConnectionRow[]> {
  const rows = connections(tx).where('provider_id', '=', providerId).orderBy('org_id');
  return (await rows.execute()).map(readConnection);
}

export async function saveConnection(tx: Tx, row: ConnectionRow): Promise<void> {
  const { orgId, federationId, providerId, ...document } = row;
  const columns = {
    federation_id: federationId,
    provider_id: providerId ?? null,
    document: connectionSettings.write(document),
  };
  const insert = tx
    .from<Tables>()
    .insertInto('connected_org')
    .values({ org_id: orgId, ...columns });
  await insert.onConflict((of) => of.column('org_id').doUpdateSet(columns)).execute();
}

export async function deleteConnection(tx: Tx, orgId: string): Promise<void> {
  await tx.from<Tables>().deleteFrom('connected_org').where('org_id', '=', orgId).execute();
}

function readProvider(row: Selectable<Tables['identity_provider']>): ProviderRow {
  return {
    ...settings.read(row.document),
    id: row.id,
    federationId: row.federation_id,
    revision: row.revision,
    created: codec.date.read(row.created),
    ...(row.login_id !== null && { loginId: row.login_id }),
    ...(row.updated !== null && { updated: codec.date.read(row.updated) }),
  };
}

function providers(tx: ReadTx) {
  return tx.from<Tables>().selectFrom('identity_provider').selectAll();
}

export async function findProvider(tx: ReadTx, id: string): Promise<ProviderRow | undefined> {
  const row = await providers(tx).where('id', '=', id).executeTakeFirst();
  return row && readProvider(row);
}

/** Returns the identity providers of federation settings, oldest first. */
export async function providersOf(tx: ReadTx, federationId: string): Promise<ProviderRow[]> {
  const rows = providers(tx).where('federation_id', '=', federationId).orderBy('id');
  return (await rows.execute()).map(readProvider);
}

export async function saveProvider(tx: Tx, row: ProviderRow): Promise<void> {
  const { id, federationId, loginId, revision, created, updated, ...document } = row;
  const columns = {
    revision,
    document: settings.write(document),
    updated: codec.optionalDate.write(updated),
  };
  const insert = tx
    .from<Tables>()
    .insertInto('identity_provider')
    .values({
      id,
      federation_id: federationId,
      login_id: loginId ?? null,
      created: codec.date.write(created),
      ...columns,
    });
  await insert.onConflict((of) => of.column('id').doUpdateSet(columns)).execute();
}

export async function deleteProvider(tx: Tx, id: string): Promise<void> {
  await tx.from<Tables>().deleteFrom('identity_provider').where('id', '=', id).execute();
}

function readMapping(row: Selectable<Tables['role_mapping']>): MappingRow {
  const { id, org_id: orgId, group_name: groupName } = row;
  return { id, orgId, groupName, assignments: assignmentList.read(row.assignments) };
}

/** Returns the role mappings of an organization, oldest first. */
export async function mappingsOf(tx: ReadTx, orgId: string): Promise<MappingRow[]> {
  const rows = tx.from<Tables>().selectFrom('role_mapping').selectAll().where('org_id', '=', orgId);
  return (await rows.orderBy('id').execute()).map(readMapping);
}

/** Returns the number of role assignments of the other organizations that are connected to the same federation settings. */
export async function assignmentsElsewhere(tx: ReadTx, orgId: string): Promise<number> {
  const own = tx
    .from<Tables>()
    .selectFrom('connected_org')
    .select('federation_id')
    .where('org_id', '=', orgId);
  const rows = tx
    .from<Tables>()
    .selectFrom('role_mapping')
    .innerJoin('connected_org', 'connected_org.org_id', 'role_mapping.org_id')
    .select('role_mapping.assignments')
    .where('connected_org.federation_id', '=', own)
    .where('role_mapping.org_id', '!=', orgId);
  const found = await rows.execute();
  return found.reduce((count, { assignments }) => count + assignmentList.read(assignments).length, 0);
}

export async function saveMapping(tx: Tx, { id, orgId, groupName, assignments }: MappingRow): Promise<void> {
  const columns = { group_name: groupName, assignments: assignmentList.write(assignments) };
  const insert = tx
    .from<Tables>()
    .insertInto('role_mapping')
    .values({ id, org_id: orgId, ...columns });
  await insert.onConflict((of) => of.column('id').doUpdateSet(columns)).execute();
}

export async function deleteMapping(tx: Tx, id: string): Promise<void> {
  await tx.from<Tables>().deleteFrom('role_mapping').where('id', '=', id).execute();
}
