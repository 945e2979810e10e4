import { type Caller, grantRole, removeGrantsOf } from '../../access/index.ts';
import { type Actor, recordEvent } from '../../events/index.ts';
import { addCount, dropCounts, type Tx, touchScope } from '../../store/index.ts';
import { makeProjectOwner } from '../accounts/index.ts';
import { findOrganization, projectCount } from '../organizations/index.ts';
import { projectCreated, projectRemoving } from './hooks.ts';
import {
  deleteProject as deleteRow,
  insertProject,
  type ProjectRow,
  updateProject as updateRow,
} from './rows.ts';
import { assertHasNoClusters, assertHasRoom, checkProjectName, requireProject } from './rules.ts';

export type NewProject = Omit<ProjectRow, 'id' | 'created' | 'defaultAlerts'> &
  Partial<Pick<ProjectRow, 'defaultAlerts'>>;

/**
 * Creates a project with default alert configurations, unless the project or the settings of the organization exclude
 * them.
 */
export async function addProject(tx: Tx, actor: Actor, project: NewProject): Promise<ProjectRow> {
  await checkProjectName(tx, project.orgId, project.name);
  await assertHasRoom(tx, project.orgId);
  const row: ProjectRow = { id: tx.id(), created: tx.now, defaultAlerts: true, ...project };
  await insertProject(tx, row);
  await addCount(tx, projectCount, row.orgId, 1);
  await recordEvent(tx, { type: 'GROUP_CREATED', orgId: row.orgId, groupId: row.id, actor });
  const skipped = !row.defaultAlerts || (await findOrganization(tx, row.orgId))?.skipDefaultAlerts === true;
  await tx.publish(projectCreated, { groupId: row.id, withDefaultAlerts: !skipped });
  return row;
}

/** The first owners of a project. */
export interface InitialOwners {
  readonly caller: Caller;
  /**
   * Whether the caller owns the organization of the project. Such a caller owns all its projects without further roles.
   * A role in each project would make the caller's list of grants grow with the number of projects.
   */
  isOwner(row: ProjectRow): boolean;
  readonly userId: string | undefined;
}

/** Creates a project that the caller and, optionally, a given user own. */
export async function addOwnedProject(
  tx: Tx,
  actor: Actor,
  project: NewProject,
  owners: InitialOwners,
): Promise<ProjectRow> {
  const row = await addProject(tx, actor, project);
  if (!owners.isOwner(row)) {
    await grantRole(tx, owners.caller.id, { kind: 'group', id: row.id }, 'GROUP_OWNER');
  }
  const { userId } = owners;
  if (userId !== undefined) await makeProjectOwner(tx, { orgId: row.orgId, groupId: row.id, userId, actor });
  return row;
}

/** Changes the name or tags of a project. */
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
 * Moves a project with all its contents to another organization. All grants on it are removed, since they belong to
 * members of the previous organization.
 */
export async function moveProject(
  tx: Tx,
  before: ProjectRow,
  orgId: string,
  actor: Actor,
): Promise<ProjectRow> {
  await checkProjectName(tx, orgId, before.name);
  await assertHasRoom(tx, orgId);
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
  await assertHasNoClusters(tx, groupId);
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
