import Type from 'typebox';
import { accessFaults, type Caller, grantRole, removeGrantsOf, visibleScopes } from '../../access/index.ts';
import { Id } from '../../api/fields.ts';
import { assertUnchanged } from '../../api/read-only.ts';
import { type Actor, recordEvent } from '../../events/index.ts';
import {
  addCount,
  dropCounts,
  type PageRequest,
  type ReadTx,
  type Tx,
  touchScope,
} from '../../store/index.ts';
import { makeProjectOwner } from '../accounts/index.ts';
import { projectCount } from '../organizations/index.ts';
import { operation } from '../services.ts';
import { listed, present, presentOne } from './lists.ts';
import {
  deleteProject as deleteRow,
  findProject,
  insertProject,
  type ProjectRow,
  type RegionUsage,
  updateProject as updateRow,
  type Visible,
} from './rows.ts';
import { checkClosable, checkProjectName, projectFaults } from './rules.ts';
import { Project, ProjectUpdate } from './schema.ts';

function visibleTo(caller: Caller): Visible {
  const { orgsWithAllProjects, groups } = visibleScopes(caller);
  // A project role beside a role that shows the whole organization adds nothing to see.
  return orgsWithAllProjects.size > 0
    ? { orgs: [...orgsWithAllProjects], ids: [] }
    : { orgs: [], ids: [...groups] };
}

/** One page of the projects that a caller can see. */
export function pageOfVisible(
  tx: ReadTx,
  { caller, page }: { readonly caller: Caller; readonly page: PageRequest },
) {
  return listed(tx, visibleTo(caller), undefined, page);
}

export const listProjects = operation('listProjects', {
  summary: 'Lists the projects that the caller can see, oldest first.',
  access: 'any caller',
  reply: Project,
  list: 'page',
  status: 200,
  reachedFrom: { root: 'groups' },
  handler: (call) => call.read((tx) => pageOfVisible(tx, call)),
});

export const listOrganizationProjects = operation('listOrganizationProjects', {
  summary: 'Lists the projects of an organization that the caller can see, oldest first.',
  access: 'Organization Member',
  query: Type.Object({ name: Type.Optional(Type.String({ description: 'Only the project of this name.' })) }),
  reply: Project,
  list: 'page',
  status: 200,
  reachedFrom: { organization: 'groups' },
  handler(call) {
    const visible = visibleTo(call.caller);
    const { orgId } = call.params;
    const here = visible.orgs.includes(orgId) ? { orgs: [orgId], ids: [] } : { orgs: [], ids: visible.ids };
    return call.read((tx) => listed(tx, here, call.query.name, call.page));
  },
});

export const createProject = operation('createProject', {
  summary: 'Makes a project in an organization.',
  access: 'any caller',
  bodyAccess: { role: 'Organization Project Creator', of: 'the organization in the body' },
  query: Type.Object({
    projectOwnerId: Type.Optional(Id({ description: 'The user who becomes its owner.' })),
  }),
  body: Project,
  reply: Project,
  status: 200,
  async handler(call) {
    const { body, caller } = call;
    if (!call.may('Organization Project Creator', { kind: 'org', id: body.orgId })) {
      throw accessFaults.NOT_ORG_GROUP_CREATOR(body.orgId);
    }
    assertUnchanged(call, {});
    const ownerId = call.query.projectOwnerId;
    return call.write(async (tx) => {
      const row = await addProject(tx, call.actor, {
        orgId: body.orgId,
        name: body.name,
        regionUsage: body.regionUsageRestrictions ?? 'COMMERCIAL_FEDRAMP_REGIONS_ONLY',
        tags: body.tags ?? [],
      });
      // An owner of the organization owns its projects anyway; a role for each would make the key grow with them.
      if (!call.may('Project Owner', { kind: 'group', id: row.id, orgId: row.orgId })) {
        await grantRole(tx, caller.id, { kind: 'group', id: row.id }, 'GROUP_OWNER');
      }
      if (ownerId !== undefined) {
        await makeProjectOwner(tx, { orgId: row.orgId, groupId: row.id, userId: ownerId, actor: call.actor });
      }
      return present(row, 0);
    });
  },
});

/** Makes a project with its event and its place in the organization's count. */
export async function addProject(
  tx: Tx,
  actor: Actor,
  project: { orgId: string; name: string; regionUsage: RegionUsage; tags: ProjectRow['tags'] },
): Promise<ProjectRow> {
  await checkProjectName(tx, project.orgId, project.name);
  const row: ProjectRow = { id: tx.id(), created: tx.now, ...project };
  await insertProject(tx, row);
  await addCount(tx, projectCount, row.orgId, 1);
  await recordEvent(tx, { type: 'GROUP_CREATED', orgId: row.orgId, groupId: row.id, actor });
  return row;
}

export const getProject = operation('getProject', {
  summary: 'Answers one project.',
  access: 'Project Read Only',
  reply: Project,
  status: 200,
  handler: (call) => call.read(async (tx) => presentOne(tx, await existing(tx, call.params.groupId))),
});

const anyPage: PageRequest = { itemsPerPage: 2, pageNum: 1, includeCount: false };

export const getProjectByName = operation('getProjectByName', {
  summary: 'Answers the project of a name, among those that the caller can see.',
  access: 'any caller',
  reply: Project,
  status: 200,
  reachedFrom: { project: 'byName' },
  handler(call) {
    const { groupName } = call.params;
    return call.read(async (tx) => {
      const { results } = await listed(tx, visibleTo(call.caller), groupName, anyPage);
      const [found, another] = results;
      if (!found) throw projectFaults.GROUP_NAME_NOT_FOUND(groupName);
      if (another) throw projectFaults.MULTIPLE_GROUPS(groupName);
      return found;
    });
  },
});

export const updateProject = operation('updateProject', {
  summary: 'Changes the name or the tags of a project.',
  access: 'Project Owner',
  body: ProjectUpdate,
  reply: Project,
  status: 200,
  async handler(call) {
    const { name, tags } = call.body;
    return call.write(async (tx) => {
      const before = await existing(tx, call.params.groupId);
      const after = { ...before, name: name ?? before.name, tags: tags ?? before.tags };
      const happened = { orgId: before.orgId, groupId: before.id, actor: call.actor };
      if (after.name !== before.name) {
        await checkProjectName(tx, before.orgId, after.name);
        await recordEvent(tx, { type: 'GROUP_NAME_CHANGED', ...happened });
      }
      if (tags !== undefined) {
        const details = { resourceId: before.id, resourceType: 'project' };
        await recordEvent(tx, { type: 'GROUP_TAGS_MODIFIED', ...happened, details });
      }
      await updateRow(tx, after);
      return presentOne(tx, after);
    });
  },
});

export const deleteProject = operation('deleteProject', {
  summary: 'Deletes a project that holds no clusters.',
  access: 'Project Owner',
  status: 204,
  async handler(call) {
    const { groupId } = call.params;
    await call.write(async (tx) => {
      const row = await existing(tx, groupId);
      await checkClosable(tx, groupId);
      await recordEvent(tx, { type: 'GROUP_DELETED', orgId: row.orgId, groupId, actor: call.actor });
      await removeGrantsOf(tx, { kind: 'group', id: groupId });
      await deleteRow(tx, groupId);
      await addCount(tx, projectCount, row.orgId, -1);
      await dropCounts(tx, { kind: 'group', id: groupId });
      touchScope(tx, { kind: 'group', id: groupId });
    });
  },
});

async function existing(tx: Parameters<typeof findProject>[0], id: string): Promise<ProjectRow> {
  const row = await findProject(tx, id);
  if (!row) throw projectFaults.GROUP_NOT_FOUND(id);
  return row;
}
