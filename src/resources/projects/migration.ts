import Type from 'typebox';
import { accessFaults, keyOfPair, removeGrantsOf } from '../../access/index.ts';
import { generalFaults } from '../../api/faults.ts';
import { Id, Links } from '../../api/fields.ts';
import { recordEvent } from '../../events/index.ts';
import { addCount, touchScope } from '../../store/index.ts';
import { findOrganization, organizationFaults, projectCount } from '../organizations/index.ts';
import { operation } from '../services.ts';
import { presentOne } from './lists.ts';
import { findProject, updateProject } from './rows.ts';
import { checkProjectName, projectFaults } from './rules.ts';
import { Project } from './schema.ts';

const GroupMigration = Type.Object({
  destinationOrgId: Type.Optional(Id({ description: 'The organization that gets the project.' })),
  destinationOrgPrivateApiKey: Type.Optional(Type.String({ writeOnly: true })),
  destinationOrgPublicApiKey: Type.Optional(
    Type.String({ description: 'An API key of an owner of that organization.' }),
  ),
  links: Links,
});

/** Who had a role on the project has it no more: these people and keys belong to the organization that it leaves. */
export const migrateProject = operation('migrateProjectToAnotherOrg', {
  summary: 'Gives a project with all that it holds to another organization, whose owner proves to agree.',
  access: 'Organization Owner',
  body: GroupMigration,
  reply: Project,
  status: 200,
  handler(call) {
    const { destinationOrgId: orgId, destinationOrgPublicApiKey: publicKey } = call.body;
    const { destinationOrgPrivateApiKey: privateKey } = call.body;
    if (orgId === undefined) throw generalFaults.MISSING_ATTRIBUTE('destinationOrgId');
    return call.write(async (tx) => {
      const before = await findProject(tx, call.params.groupId);
      if (!before) throw projectFaults.GROUP_NOT_FOUND(call.params.groupId);
      if (!(await findOrganization(tx, orgId))) throw organizationFaults.ORG_NOT_FOUND(orgId);
      if (!call.may('Organization Owner', { kind: 'org', id: orgId })) {
        if (publicKey === undefined) throw generalFaults.MISSING_ATTRIBUTE('destinationOrgPublicApiKey');
        if (privateKey === undefined) throw generalFaults.MISSING_ATTRIBUTE('destinationOrgPrivateApiKey');
        const key = await keyOfPair(tx, call.services, { publicKey, privateKey });
        if (!key?.grants.some(({ id, role }) => id === orgId && role === 'ORG_OWNER')) {
          throw accessFaults.USER_UNAUTHORIZED();
        }
      }
      if (before.orgId === orgId) return presentOne(tx, before);
      await checkProjectName(tx, orgId, before.name);
      const after = { ...before, orgId };
      await removeGrantsOf(tx, { kind: 'group', id: before.id });
      await updateProject(tx, after);
      await addCount(tx, projectCount, before.orgId, -1);
      await addCount(tx, projectCount, orgId, 1);
      for (const each of [before.orgId, orgId]) {
        const details = { resourceId: before.id, resourceType: 'project' };
        const event = { type: 'GROUP_MOVED', orgId: each, groupId: before.id, actor: call.actor, details };
        await recordEvent(tx, event);
      }
      touchScope(tx, { kind: 'group', id: before.id });
      return presentOne(tx, after);
    });
  },
});
