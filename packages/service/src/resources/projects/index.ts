import { ID_PATTERN } from '@portolan/foundation/ids';
import { type Family, operationsIn } from '../family.ts';
import { projectFaults } from './faults.ts';
import { limitFaults } from './limits/faults.ts';
import * as limits from './limits/operations.ts';
import { migrations } from './migrations.ts';
import * as projects from './operations.ts';
import { findProject } from './rows.ts';
import * as settings from './settings/operations.ts';

export { addProject } from './changes.ts';
export { recordInProject } from './events.ts';
export { projectFaults } from './faults.ts';
export { projectCreated, projectRemoving } from './hooks.ts';
export { assertWithin, crossRegionLimit } from './limits/rules.ts';
export { pageOfVisible } from './lists.ts';
export { findProject, organizationsOfProjects, projectsAmong } from './rows.ts';
export { projectCounters, requireProject } from './rules.ts';

export const family: Family = {
  name: 'projects',
  operations: operationsIn(projects, limits, settings),
  parameters: {
    groupId: {
      description: 'Id of the project.',
      pattern: ID_PATTERN,
      malformed: projectFaults.INVALID_GROUP_ID,
      scope: {
        async load(tx, id) {
          const row = await findProject(tx, id);
          return row && { kind: 'group', id, orgId: row.orgId };
        },
        missing: projectFaults.GROUP_NOT_FOUND,
      },
    },
    groupName: { description: 'Name of the project.' },
    limitName: { description: 'Name of the limit, such as `platform.project.deployment.clusters`.' },
  },
  migrations,
  eventTypes: {
    GROUP_CREATED: 'Project was created',
    GROUP_DELETED: 'Project was deleted',
    GROUP_MOVED: 'Project was moved to another organization',
    GROUP_NAME_CHANGED: 'Project was renamed',
    GROUP_TAGS_MODIFIED: 'Tags of the project were modified',
  },
  faults: [projectFaults, limitFaults],
};
