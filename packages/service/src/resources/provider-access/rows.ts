import type { Selectable } from 'kysely';
import { codec, type ReadTx, type Tx } from '../../store/index.ts';

interface Tables {
  provider_access_role: {
    id: string;
    group_id: string;
    provider: string;
    created: number;
    updated: number;
    authorized: number | null;
    identity: string;
  };
}

interface RoleMetadata {
  readonly id: string;
  readonly groupId: string;
  readonly created: Date;
  readonly updated: Date;
  /** When the role was authorized; undefined before. */
  readonly authorized: Date | undefined;
}

export interface AwsIdentity {
  readonly provider: 'AWS';
  /** The external id, a UUID, which the trust policy of the role must require. */
  readonly externalId: string;
  /**
   * The ARN of the role in the AWS account of the project's owner. The request that authorizes the role sets the ARN.
   */
  readonly roleArn?: string;
}

export interface AzureIdentity {
  readonly provider: 'AZURE';
  readonly appId: string;
  readonly servicePrincipalId: string;
  readonly tenantId: string;
}

export interface GcpIdentity {
  readonly provider: 'GCP';
  readonly serviceAccount: string;
}

/** The identity of the service at a provider. */
export type Identity = AwsIdentity | AzureIdentity | GcpIdentity;

export type RoleRow = RoleMetadata & { readonly identity: Identity };

const identity = codec.json<Identity>();

function readRoleRow(row: Selectable<Tables['provider_access_role']>): RoleRow {
  return {
    id: row.id,
    groupId: row.group_id,
    created: codec.date.read(row.created),
    updated: codec.date.read(row.updated),
    authorized: codec.optionalDate.read(row.authorized),
    identity: identity.read(row.identity),
  };
}

function writeRoleRow(row: RoleRow): Tables['provider_access_role'] {
  return {
    id: row.id,
    group_id: row.groupId,
    provider: row.identity.provider,
    created: codec.date.write(row.created),
    updated: codec.date.write(row.updated),
    authorized: codec.optionalDate.write(row.authorized),
    identity: identity.write(row.identity),
  };
}

export async function insertRole(tx: Tx, row: RoleRow): Promise<void> {
  await tx.from<Tables>().insertInto('provider_access_role').values(writeRoleRow(row)).execute();
}

export async function updateRole(tx: Tx, row: RoleRow): Promise<void> {
  const { id, ...columns } = writeRoleRow(row);
  await tx.from<Tables>().updateTable('provider_access_role').set(columns).where('id', '=', id).execute();
}

export async function deleteRole(tx: Tx, id: string): Promise<void> {
  await tx.from<Tables>().deleteFrom('provider_access_role').where('id', '=', id).execute();
}

export async function findRole(tx: ReadTx, groupId: string, id: string): Promise<RoleRow | undefined> {
  const query = tx.from<Tables>().selectFrom('provider_access_role').selectAll();
  const row = await query.where('id', '=', id).where('group_id', '=', groupId).executeTakeFirst();
  return row && readRoleRow(row);
}

/** Returns the roles of a project, oldest first. */
export async function rolesOf(tx: ReadTx, groupId: string): Promise<RoleRow[]> {
  const query = tx.from<Tables>().selectFrom('provider_access_role').selectAll();
  return (await query.where('group_id', '=', groupId).orderBy('id').execute()).map(readRoleRow);
}
