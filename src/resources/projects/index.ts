import { ID_PATTERN } from '../../runtime/ids.ts';
import type { Family } from '../family.ts';
import { getLimit, limitFaults, listLimits, resetLimit, setLimit } from './limits/operations.ts';
import { migrateProject } from './migration.ts';
import { migrations } from './migrations.ts';
import {
  createProject,
  deleteProject,
  getProject,
  getProjectByName,
  listOrganizationProjects,
  listProjects,
  updateProject,
} from './operations.ts';
import { findProject } from './rows.ts';
import { projectFaults } from './rules.ts';
import { getSettings, updateSettings } from './settings/operations.ts';

export { recordInProject } from './events.ts';
export { assertWithin, crossRegionLimit } from './limits/limits.ts';
export { addProject, pageOfVisible } from './operations.ts';
export { findProject, projectsAmong } from './rows.ts';
export { projectCounters, projectFaults } from './rules.ts';

export const family: Family = {
  name: 'projects',
  operations: [
    listProjects,
    createProject,
    getProjectByName,
    getProject,
    updateProject,
    deleteProject,
    migrateProject,
    listOrganizationProjects,
    listLimits,
    getLimit,
    setLimit,
    resetLimit,
    getSettings,
    updateSettings,
  ],
  parameters: {
    groupId: {
      description: 'The project.',
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
    groupName: { description: 'The name of the project.' },
    limitName: { description: 'The name of the limit: `platform.project.deployment.clusters`.' },
  },
  migrations,
  eventTypes: {
    GROUP_CREATED: { description: 'Project was created', alertable: false },
    GROUP_DELETED: { description: 'Project was deleted', alertable: false },
    GROUP_MOVED: { description: 'Project was moved to another organization', alertable: false },
    GROUP_NAME_CHANGED: { description: 'Project was renamed', alertable: false },
    GROUP_TAGS_MODIFIED: { description: 'Tags of the project were modified', alertable: false },
  },
  faults: [projectFaults, limitFaults],
};
