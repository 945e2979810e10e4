import Type from 'typebox';
import { accessFaults, keyOfPair, missingRole } from '../../access/index.ts';
import { generalFaults } from '../../api/faults.ts';
import { Id } from '../../api/fields.ts';
import type { Call } from '../../api/operation.ts';
import type { PageRequest, Tx } from '../../store/index.ts';
import { findOrganization, organizationFaults } from '../organizations/index.ts';
import { operation, type Services } from '../services.ts';
import { addOwnedProject, changeProject, moveProject, removeProject } from './changes.ts';
import { projectFaults } from './faults.ts';
import { pageOfProjectViews, pageOfVisible, presentProject, projectView, visibleTo } from './lists.ts';
import type { ProjectRow } from './rows.ts';
import { requireProject } from './rules.ts';
import { GroupMigration, Project, ProjectUpdate } from './schema.ts';

export const listProjects = operation({
  id: 'listProjects',
  tag: 'Projects',
  method: 'GET',
  path: '/groups',
  summary: 'Lists the projects that the caller can see, oldest first.',
  access: 'any caller',
  reply: Project,
  list: 'page',
  status: 200,
  reachedFrom: { root: 'groups' },
  handler: (call) => call.read((tx) => pageOfVisible(tx, call)),
});

export const listOrganizationProjects = operation({
  id: 'listOrganizationProjects',
  tag: 'Organizations',
  method: 'GET',
  path: '/orgs/{orgId}/groups',
  summary: 'Lists the projects of an organization that the caller can see, oldest first.',
  access: 'Organization Member',
  query: Type.Object({
    name: Type.Optional(Type.String({ description: 'Returns only the project with this name.' })),
  }),
  reply: Project,
  list: 'page',
  status: 200,
  reachedFrom: { organization: 'groups' },
  handler(call) {
    const visible = visibleTo(call.caller);
    const { orgId } = call.params;
    const here = visible.orgs.includes(orgId) ? { orgs: [orgId], ids: [] } : { orgs: [], ids: visible.ids };
    return call.read((tx) => pageOfProjectViews(tx, here, call.query.name, call.page));
  },
});

export const createProject = operation({
  id: 'createProject',
  tag: 'Projects',
  method: 'POST',
  path: '/groups',
  summary: 'Creates a project in an organization.',
  access: 'any caller',
  bodyAccess: { role: 'Organization Project Creator', of: 'the organization in the body' },
  query: Type.Object({
    projectOwnerId: Type.Optional(
      Id({ description: 'Id of the user who becomes the owner of the project.' }),
    ),
  }),
  body: Project,
  reply: Project,
  status: 200,
  async handler(call) {
    const { body, caller } = call;
    if (!call.may('Organization Project Creator', { kind: 'org', id: body.orgId })) {
      throw accessFaults.NOT_ORG_GROUP_CREATOR(body.orgId);
    }
    const owners = {
      caller,
      isOwner: (row: ProjectRow) =>
        call.may('Project Owner', { kind: 'group', id: row.id, orgId: row.orgId }),
      userId: call.query.projectOwnerId,
    };
    const project = {
      orgId: body.orgId,
      name: body.name,
      regionUsage: body.regionUsageRestrictions ?? 'COMMERCIAL_FEDRAMP_REGIONS_ONLY',
      tags: body.tags ?? [],
      defaultAlerts: body.withDefaultAlertsSettings ?? true,
    } as const;
    return call.write(async (tx) =>
      presentProject(await addOwnedProject(tx, call.actor, project, owners), 0),
    );
  },
});

export const getProject = operation({
  id: 'getProject',
  tag: 'Projects',
  method: 'GET',
  path: '/groups/{groupId}',
  summary: 'Returns one project.',
  access: 'Project Read Only',
  reply: Project,
  status: 200,
  reachedFrom: {
    flexRestoreJob: 'group',
    process: 'group',
    restoreJob: 'group',
    serverlessRestoreJob: 'group',
  },
  handler: (call) => call.read(async (tx) => projectView(tx, await requireProject(tx, call.params.groupId))),
});

const anyPage: PageRequest = { itemsPerPage: 2, pageNum: 1, includeCount: false };

export const getProjectByName = operation({
  id: 'getProjectByName',
  tag: 'Projects',
  method: 'GET',
  path: '/groups/byName/{groupName}',
  summary: 'Returns a project by its name.',
  access: 'any caller',
  reply: Project,
  status: 200,
  reachedFrom: { project: 'byName' },
  handler(call) {
    const { groupName } = call.params;
    return call.read(async (tx) => {
      const { results } = await pageOfProjectViews(tx, visibleTo(call.caller), groupName, anyPage);
      const [found, another] = results;
      if (!found) throw projectFaults.GROUP_NAME_NOT_FOUND(groupName);
      if (another) throw projectFaults.MULTIPLE_GROUPS(groupName);
      return found;
    });
  },
});

export const updateProject = operation({
  id: 'updateProject',
  tag: 'Projects',
  method: 'PATCH',
  path: '/groups/{groupId}',
  summary: 'Updates the name or tags of a project.',
  access: 'Project Owner',
  body: ProjectUpdate,
  reply: Project,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const { params, body, actor } = call;
      return projectView(tx, await changeProject(tx, params.groupId, body, actor));
    }),
});

export const deleteProject = operation({
  id: 'deleteProject',
  tag: 'Projects',
  method: 'DELETE',
  path: '/groups/{groupId}',
  summary: 'Deletes a project. The project must have no clusters and no retained snapshots.',
  access: 'Project Owner',
  status: 204,
  async handler(call) {
    await call.write((tx) => removeProject(tx, call.params.groupId, call.actor));
  },
});

export const migrateProject = operation({
  id: 'migrateProjectToAnotherOrg',
  tag: 'Projects',
  method: 'POST',
  path: '/groups/{groupId}:migrate',
  versions: { '2024-05-30': 'same', '2025-03-12': 'same' },
  summary:
    'Moves a project with its contents to another organization. The caller, or the API key in the body, must be an owner of that organization.',
  access: 'Organization Owner',
  body: GroupMigration,
  reply: Project,
  status: 200,
  handler(call) {
    const { destinationOrgId: orgId } = call.body;
    return call.write(async (tx) => {
      const before = await requireProject(tx, call.params.groupId);
      if (!(await findOrganization(tx, orgId))) throw organizationFaults.ORG_NOT_FOUND(orgId);
      await assertOwnerConsents(tx, call, orgId);
      const after = before.orgId === orgId ? before : await moveProject(tx, before, orgId, call.actor);
      return projectView(tx, after);
    });
  },
});

type MigrationCall = Call<Services, unknown, unknown, GroupMigration>;

/** Throws unless the caller, or the API key in the body, is an owner of the destination organization. */
async function assertOwnerConsents(tx: Tx, call: MigrationCall, orgId: string): Promise<void> {
  if (call.may('Organization Owner', { kind: 'org', id: orgId })) return;
  const { destinationOrgPublicApiKey: publicKey, destinationOrgPrivateApiKey: privateKey } = call.body;
  if (publicKey === undefined) throw generalFaults.MISSING_ATTRIBUTE('destinationOrgPublicApiKey');
  if (privateKey === undefined) throw generalFaults.MISSING_ATTRIBUTE('destinationOrgPrivateApiKey');
  const key = await keyOfPair(tx, call.services, { publicKey, privateKey });
  if (!key?.grants.some(({ id, role }) => id === orgId && role === 'ORG_OWNER')) {
    throw missingRole('Organization Owner');
  }
}
