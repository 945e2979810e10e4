import { isDeepStrictEqual } from 'node:util';
import { type Actor, recordEvent } from '../../events/index.ts';
import type { Tx } from '../../store/index.ts';
import { assignmentsElsewhere, deleteMapping, type MappingRow, mappingsOf, saveMapping } from './rows.ts';
import { checkMappings, readAssignments } from './rules.ts';
import type { RoleMapping } from './schema.ts';

type MappingBody = Pick<RoleMapping, 'externalGroupName' | 'roleAssignments'>;

/** Stores a new role mapping, or a changed one with its present id. */
export async function putMapping(
  tx: Tx,
  at: { readonly orgId: string; readonly id?: string },
  body: MappingBody,
  actor: Actor,
): Promise<MappingRow> {
  const { orgId, id = tx.id() } = at;
  const assignments = await readAssignments(tx, orgId, body);
  const row: MappingRow = { id, orgId, groupName: body.externalGroupName, assignments };
  const before = await mappingsOf(tx, orgId);
  checkMappings([...before.filter((other) => other.id !== id), row], await othersOf(tx, orgId, before));
  await store(tx, row, at.id === undefined ? 'ROLE_MAPPING_CREATED' : 'ROLE_MAPPING_UPDATED', actor);
  return row;
}

async function othersOf(tx: Tx, orgId: string, before: readonly MappingRow[]) {
  const former = before.reduce((count, { assignments }) => count + assignments.length, 0);
  return { elsewhere: await assignmentsElsewhere(tx, orgId), former };
}

async function store(
  tx: Tx,
  row: MappingRow,
  type: 'ROLE_MAPPING_CREATED' | 'ROLE_MAPPING_UPDATED',
  actor: Actor,
): Promise<void> {
  await saveMapping(tx, row);
  await recordEvent(tx, { type, orgId: row.orgId, actor });
}

export async function removeMapping(tx: Tx, { id, orgId }: MappingRow, actor: Actor): Promise<void> {
  await deleteMapping(tx, id);
  await recordEvent(tx, { type: 'ROLE_MAPPING_DELETED', orgId, actor });
}

/**
 * Replaces all role mappings of an organization. A mapping for the same group keeps its id. Returns whether anything
 * changed.
 */
export async function replaceMappings(
  tx: Tx,
  orgId: string,
  bodies: readonly MappingBody[],
  actor: Actor,
): Promise<boolean> {
  const before = await mappingsOf(tx, orgId);
  checkMappings(
    bodies.map(({ externalGroupName, roleAssignments = [] }) => ({
      groupName: externalGroupName,
      assignments: roleAssignments,
    })),
    await othersOf(tx, orgId, before),
  );
  const surplus = before.filter(
    ({ groupName }) => !bodies.some(({ externalGroupName }) => externalGroupName === groupName),
  );
  for (const mapping of surplus) await removeMapping(tx, mapping, actor);
  let isChanged = surplus.length > 0;
  for (const body of bodies) {
    const known = before.find(({ groupName }) => groupName === body.externalGroupName);
    const assignments = await readAssignments(tx, orgId, body);
    if (known !== undefined && isDeepStrictEqual(known.assignments, assignments)) continue;
    const row = { id: known?.id ?? tx.id(), orgId, groupName: body.externalGroupName, assignments };
    await store(tx, row, known === undefined ? 'ROLE_MAPPING_CREATED' : 'ROLE_MAPPING_UPDATED', actor);
    isChanged = true;
  }
  return isChanged;
}
