import { faults } from '@portolan/foundation/faults';
import { counter, countOf, type ReadTx, type Tx } from '../../store/index.ts';
import { isName } from '../organizations/index.ts';
import { findProject, findProjectNamed, type ProjectRow } from './rows.ts';

export const projectFaults = faults({
  GROUP_NOT_FOUND: [404, 'No project has the id {0}.'],
  GROUP_NAME_NOT_FOUND: [404, 'No project has the name {0}.'],
  INVALID_GROUP_ID: [404, 'The project id {0} is not 24 hexadecimal characters.'],
  INVALID_GROUP_NAME: [
    400,
    "The project name {0} is invalid: use 1 to 64 letters, digits, spaces or the characters -_.(),:&@+'.",
  ],
  GROUP_ALREADY_EXISTS: [409, 'A project named {0} already exists in the organization.'],
  MULTIPLE_GROUPS: [409, 'Several projects have the name {0}.'],
  CANNOT_CLOSE_GROUP_ACTIVE_PLATFORM_CLUSTERS: [
    409,
    'The project has clusters, which must be deleted first.',
  ],
});

/** Counters of the resources of a project. */
export const projectCounters = {
  accessList: counter('group', 'accessList'),
  clusters: counter('group', 'clusters'),
  customRoles: counter('group', 'customRoles'),
  databaseUsers: counter('group', 'databaseUsers'),
};

export async function checkProjectName(tx: Tx, orgId: string, name: string): Promise<void> {
  if (!isName(name)) throw projectFaults.INVALID_GROUP_NAME(name);
  if ((await findProjectNamed(tx, orgId, name)) !== undefined) throw projectFaults.GROUP_ALREADY_EXISTS(name);
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
