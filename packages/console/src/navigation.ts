/** The pages of every project: the last part of the address, and the title. */
export const projectPages = [
  ['clusters', 'Clusters'],
  ['data', 'Data'],
  ['backups', 'Backups'],
  ['access', 'Database access'],
  ['operations', 'Operations'],
  ['alerts', 'Alerts'],
  ['events', 'Events'],
] as const;

/** The pages of operators: the address, and the title. */
export const operatorPages = [
  ['/requests', 'Requests'],
  ['/tasks', 'Tasks'],
  ['/laboratory', 'Laboratory'],
] as const;
