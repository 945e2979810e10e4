/** The roles that people, keys and service accounts can have: names in the API, and titles as in docs/roles.md. */

export const orgRoles = {
  ORG_OWNER: 'Organization Owner',
  ORG_GROUP_CREATOR: 'Organization Project Creator',
  ORG_BILLING_ADMIN: 'Organization Billing Admin',
  ORG_BILLING_READ_ONLY: 'Organization Billing Viewer',
  ORG_STREAM_PROCESSING_ADMIN: 'Organization Stream Processing Admin',
  ORG_READ_ONLY: 'Organization Read Only',
  ORG_MEMBER: 'Organization Member',
};

export const groupRoles = {
  GROUP_OWNER: 'Project Owner',
  GROUP_CLUSTER_MANAGER: 'Project Cluster Manager',
  GROUP_STREAM_PROCESSING_OWNER: 'Project Stream Processing Owner',
  GROUP_DATA_ACCESS_ADMIN: 'Project Data Access Admin',
  GROUP_DATA_ACCESS_READ_WRITE: 'Project Data Access Read Write',
  GROUP_DATA_ACCESS_READ_ONLY: 'Project Data Access Read Only',
  GROUP_DATABASE_ACCESS_ADMIN: 'Project Database Access Admin',
  GROUP_BACKUP_MANAGER: 'Project Backup Manager',
  GROUP_OBSERVABILITY_VIEWER: 'Project Observability Viewer',
  GROUP_SEARCH_INDEX_EDITOR: 'Project Search Index Editor',
  GROUP_PLATFORM_ADMIN: 'Project Platform Admin',
  GROUP_MONITORING_ADMIN: 'Project Monitoring Admin',
  GROUP_READ_ONLY: 'Project Read Only',
};

/** For each role, other roles that imply it. The roles of owners are not listed, since they imply all roles. */
export const stronger: Readonly<Record<string, readonly string[]>> = {
  GROUP_DATA_ACCESS_READ_ONLY: ['GROUP_DATA_ACCESS_READ_WRITE', 'GROUP_DATA_ACCESS_ADMIN'],
  GROUP_DATA_ACCESS_READ_WRITE: ['GROUP_DATA_ACCESS_ADMIN'],
};

/** The roles that may change, pause and fail over a cluster. */
export const clusterManagers = ['GROUP_CLUSTER_MANAGER', 'GROUP_STREAM_PROCESSING_OWNER'];

const titles: Readonly<Record<string, string>> = { ...orgRoles, ...groupRoles };

/** Names the roles of which a person needs one, such as `the role Project Owner`. */
export const neededText = (roles: readonly string[]): string =>
  `${roles.length === 1 ? 'the role' : 'one of the roles'} ${rolesText(roles)}`;

/** Returns the titles of roles, for tables. */
export const rolesText = (roles: readonly string[]): string =>
  roles.map((role) => titles[role] ?? role).join(', ');
