/** The pages of each project: the last part of the path, and the title. */
export const projectPages = [
  ['clusters', 'Clusters'],
  ['data', 'Data'],
  ['backups', 'Backups'],
  ['access', 'Database access'],
  ['people', 'People and keys'],
  ['operations', 'Operations'],
  ['alerts', 'Alerts'],
  ['events', 'Events'],
] as const;

/** The pages for operators: the path, and the title. */
export const operatorPages = [
  ['/requests', 'Requests'],
  ['/tasks', 'Tasks'],
  ['/laboratory', 'Laboratory'],
] as const;
