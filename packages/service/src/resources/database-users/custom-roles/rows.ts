import { codec, type ReadTx, type Tx } from '../../../store/index.ts';
import type { CustomRole } from './schema.ts';

interface Tables {
  custom_role: { id: string; group_id: string; name: string; document: string };
}

/** Actions and inherited roles as received. */
export type RoleDocument = Required<Pick<CustomRole, 'actions' | 'inheritedRoles'>>;

export interface RoleRow {
  readonly id: string;
  readonly groupId: string;
  readonly name: string;
  readonly document: RoleDocument;
}

const document = codec.json<RoleDocument>();

function readRoleRow(row: Tables['custom_role']): RoleRow {
  return { id: row.id, groupId: row.group_id, name: row.name, document: document.read(row.document) };
}

function writeRoleRow(row: RoleRow): Tables['custom_role'] {
  return { id: row.id, group_id: row.groupId, name: row.name, document: document.write(row.document) };
}

export async function insertRole(tx: Tx, row: RoleRow): Promise<void> {
  await tx.from<Tables>().insertInto('custom_role').values(writeRoleRow(row)).execute();
}

export async function updateRole(tx: Tx, row: RoleRow): Promise<void> {
  const { id, ...columns } = writeRoleRow(row);
  await tx.from<Tables>().updateTable('custom_role').set(columns).where('id', '=', id).execute();
}

export async function deleteRole(tx: Tx, id: string): Promise<void> {
  await tx.from<Tables>().deleteFrom('custom_role').where('id', '=', id).execute();
}

/** Returns all custom roles of a project, oldest first. */
export async function rolesOf(tx: ReadTx, groupId: string): Promise<RoleRow[]> {
  const query = tx.from<Tables>().selectFrom('custom_role').selectAll().where('group_id', '=', groupId);
  return (await query.orderBy('id').execute()).map(readRoleRow);
}
