/** The roles that people, keys and service accounts can have: names in the API, and titles. */

export const orgRoles = {
  ORG_OWNER: 'Organization Owner',
  ORG_GROUP_CREATOR: 'Project Creator',
  ORG_BILLING_ADMIN: 'Billing Admin',
  ORG_BILLING_READ_ONLY: 'Billing Viewer',
  ORG_READ_ONLY: 'Organization Read Only',
  ORG_MEMBER: 'Organization Member',
};

export const groupRoles = {
  GROUP_OWNER: 'Project Owner',
  GROUP_CLUSTER_MANAGER: 'Cluster Manager',
  GROUP_STREAM_PROCESSING_OWNER: 'Stream Processing Owner',
  GROUP_DATA_ACCESS_ADMIN: 'Data Access Admin',
  GROUP_DATA_ACCESS_READ_WRITE: 'Data Access Read/Write',
  GROUP_DATA_ACCESS_READ_ONLY: 'Data Access Read Only',
  GROUP_DATABASE_ACCESS_ADMIN: 'Database Access Admin',
  GROUP_BACKUP_MANAGER: 'Backup Manager',
  GROUP_OBSERVABILITY_VIEWER: 'Observability Viewer',
  GROUP_SEARCH_INDEX_EDITOR: 'Search Index Editor',
  GROUP_PLATFORM_ADMIN: 'Platform Admin',
  GROUP_MONITORING_ADMIN: 'Monitoring Admin',
  GROUP_READ_ONLY: 'Project Read Only',
};

/** The roles that may change, pause and fail over a cluster. */
export const clusterManagers = ['GROUP_CLUSTER_MANAGER', 'GROUP_STREAM_PROCESSING_OWNER'];

const titles: Readonly<Record<string, string>> = { ...orgRoles, ...groupRoles };

/** The titles of roles, for tables. */
export const rolesText = (roles: readonly string[]): string =>
  roles.map((role) => titles[role] ?? role).join(', ');
