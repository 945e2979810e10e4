import { type Caller, grantRole, removeGrantsOf } from '../../access/index.ts';
import { type Actor, recordEvent } from '../../events/index.ts';
import { addCount, dropCounts, type Tx, touchScope } from '../../store/index.ts';
import { makeProjectOwner } from '../accounts/index.ts';
import { findOrganization, projectCount } from '../organizations/index.ts';
import { projectMade, projectRemoving } from './hooks.ts';
import {
  deleteProject as deleteRow,
  insertProject,
  type ProjectRow,
  updateProject as updateRow,
} from './rows.ts';
import { assertHoldsNoClusters, checkProjectName, requireProject } from './rules.ts';

export type NewProject = Omit<ProjectRow, 'id' | 'created'>;

/** `wantsAlerts`: whether it begins with alert configurations, unless its organization has said no for all. */
export async function addProject(
  tx: Tx,
  actor: Actor,
  project: NewProject,
  wantsAlerts = true,
): Promise<ProjectRow> {
  await checkProjectName(tx, project.orgId, project.name);
  const row: ProjectRow = { id: tx.id(), created: tx.now, ...project };
  await insertProject(tx, row);
  await addCount(tx, projectCount, row.orgId, 1);
  await recordEvent(tx, { type: 'GROUP_CREATED', orgId: row.orgId, groupId: row.id, actor });
  const skipped = !wantsAlerts || (await findOrganization(tx, row.orgId))?.skipDefaultAlerts === true;
  await tx.publish(projectMade, { groupId: row.id, withDefaultAlerts: !skipped });
  return row;
}

/** Who owns a new project. */
export interface FirstOwners {
  readonly caller: Caller;
  /** An owner of the organization owns its projects anyway; a role for each would make the key grow with them. */
  isOwner(row: ProjectRow): boolean;
  readonly userId: string | undefined;
}

/** Adds a project together with its owners: the caller, and a user who was named. */
export async function addOwnedProject(
  tx: Tx,
  actor: Actor,
  project: NewProject,
  owners: FirstOwners,
  wantsAlerts: boolean,
): Promise<ProjectRow> {
  const row = await addProject(tx, actor, project, wantsAlerts);
  if (!owners.isOwner(row)) {
    await grantRole(tx, owners.caller.id, { kind: 'group', id: row.id }, 'GROUP_OWNER');
  }
  const { userId } = owners;
  if (userId !== undefined) await makeProjectOwner(tx, { orgId: row.orgId, groupId: row.id, userId, actor });
  return row;
}

/** Gives a project another name or other tags. */
export async function changeProject(
  tx: Tx,
  groupId: string,
  change: { readonly name?: string; readonly tags?: ProjectRow['tags'] },
  actor: Actor,
): Promise<ProjectRow> {
  const before = await requireProject(tx, groupId);
  const after = { ...before, name: change.name ?? before.name, tags: change.tags ?? before.tags };
  const happened = { orgId: before.orgId, groupId, actor };
  if (after.name !== before.name) {
    await checkProjectName(tx, before.orgId, after.name);
    await recordEvent(tx, { type: 'GROUP_NAME_CHANGED', ...happened });
  }
  if (change.tags !== undefined) {
    await recordEvent(tx, { type: 'GROUP_TAGS_MODIFIED', ...happened, details: resourceOf(before) });
  }
  await updateRow(tx, after);
  return after;
}

/**
 * Gives a project with all that it holds to another organization. Who had a role on it has it no more: these people
 * and keys belong to the organization that it leaves.
 */
export async function moveProject(
  tx: Tx,
  before: ProjectRow,
  orgId: string,
  actor: Actor,
): Promise<ProjectRow> {
  await checkProjectName(tx, orgId, before.name);
  const after = { ...before, orgId };
  await removeGrantsOf(tx, { kind: 'group', id: before.id });
  await updateRow(tx, after);
  await addCount(tx, projectCount, before.orgId, -1);
  await addCount(tx, projectCount, orgId, 1);
  for (const each of [before.orgId, orgId]) {
    const details = resourceOf(before);
    await recordEvent(tx, { type: 'GROUP_MOVED', orgId: each, groupId: before.id, actor, details });
  }
  touchScope(tx, { kind: 'group', id: before.id });
  return after;
}

export async function removeProject(tx: Tx, groupId: string, actor: Actor): Promise<void> {
  const { orgId } = await requireProject(tx, groupId);
  await assertHoldsNoClusters(tx, groupId);
  await tx.publish(projectRemoving, { groupId });
  await recordEvent(tx, { type: 'GROUP_DELETED', orgId, groupId, actor });
  const scope = { kind: 'group', id: groupId } as const;
  await removeGrantsOf(tx, scope);
  await deleteRow(tx, groupId);
  await addCount(tx, projectCount, orgId, -1);
  await dropCounts(tx, scope);
  touchScope(tx, scope);
}

function resourceOf({ id }: ProjectRow) {
  return { resourceId: id, resourceType: 'project' };
}
