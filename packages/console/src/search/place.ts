import type { Cluster, Organization, Project } from '../api/resources.ts';

/** The organization and the project in which the search looks for resources. */
export interface SearchPlace {
  readonly organization: Organization | undefined;
  readonly project: Project | undefined;
  readonly clusters: readonly Cluster[];
}

/**
 * Returns the project to search: on the page of a project, this project; on the page of an organization, its first
 * project; on any other page, the first project of all.
 */
export function projectAt<P extends Pick<Project, 'id' | 'orgId'>>(
  location: string,
  projects: readonly P[],
): P | undefined {
  const [, kind, id] = /^\/(projects|organizations)\/([^/]+)/.exec(location) ?? [];
  if (kind === 'projects') return projects.find((project) => project.id === id);
  if (kind === 'organizations') return projects.find(({ orgId }) => orgId === id);
  return projects[0];
}

/**
 * Returns the organization to search: on the page of an organization, this organization; on any other page, the
 * organization of `project` or, without a project, the first organization.
 */
export function organizationAt<O extends Pick<Organization, 'id'>>(
  location: string,
  organizations: readonly O[],
  project: Pick<Project, 'orgId'> | undefined,
): O | undefined {
  const [, id = project?.orgId] = /^\/organizations\/([^/]+)/.exec(location) ?? [];
  return id === undefined ? organizations[0] : organizations.find((one) => one.id === id);
}
