/** Returns the address of the page Data for a cluster, database, collection or tab. */
export const dataAddress = (groupId: string, ...names: readonly string[]): string =>
  [`/projects/${groupId}/data`, ...names.map(encodeURIComponent)].join('/');
