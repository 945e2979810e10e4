import { counter, countOf, type ReadTx, type Tx } from '../../store/index.ts';
import { isName, projectCount } from '../organizations/index.ts';
import { projectFaults } from './faults.ts';
import { findProject, findProjectNamed, type ProjectRow } from './rows.ts';

/** Counters of the resources of a project. */
export const projectCounters = {
  accessList: counter('group', 'accessList'),
  clusters: counter('group', 'clusters'),
  customRoles: counter('group', 'customRoles'),
  databaseUsers: counter('group', 'databaseUsers'),
};

export async function checkProjectName(tx: Tx, orgId: string, name: string): Promise<void> {
  if (!isName(name)) throw projectFaults.INVALID_GROUP_NAME(name).at('name');
  if ((await findProjectNamed(tx, orgId, name)) !== undefined) throw projectFaults.GROUP_ALREADY_EXISTS(name);
}

/**
 * The largest number of projects of an organization: twice the number with which `npm run bench -- growth` measures
 * calls. It is generous, since tests can create many projects.
 */
export const MAX_PROJECTS = 200_000;

/** Throws if the organization cannot get another project. */
export async function assertHasRoom(tx: ReadTx, orgId: string): Promise<void> {
  if ((await countOf(tx, projectCount, orgId)) >= MAX_PROJECTS)
    throw projectFaults.MAX_GROUPS_PER_ORG_EXCEEDED(MAX_PROJECTS, orgId);
}

/** Returns the project with this id. Throws GROUP_NOT_FOUND. */
export async function requireProject(tx: ReadTx, groupId: string): Promise<ProjectRow> {
  const row = await findProject(tx, groupId);
  if (!row) throw projectFaults.GROUP_NOT_FOUND(groupId);
  return row;
}

export async function assertHasNoClusters(tx: ReadTx, groupId: string): Promise<void> {
  if ((await countOf(tx, projectCounters.clusters, groupId)) > 0) {
    throw projectFaults.CANNOT_CLOSE_GROUP_ACTIVE_PLATFORM_CLUSTERS();
  }
}
