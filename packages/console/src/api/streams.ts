import type { QueryClient } from '@tanstack/react-query';

/** The ids of the organizations whose event streams are open. */
export const openStreams = new Set<string>();

/** Whether an open event stream reports the changes of the data with this path. */
export function isStreamed(queries: QueryClient, path: string): boolean {
  const [, kind, id = ''] = /^\/(orgs|groups)\/([^/?]+)/.exec(path) ?? [];
  if (kind === 'orgs') return openStreams.has(id);
  if (kind === 'groups') {
    const projects = queries.getQueryData<readonly { id: string; orgId: string }[]>(['list', '/groups']);
    return openStreams.has(projects?.find((project) => project.id === id)?.orgId ?? '');
  }
  const organizations = queries.getQueryData<readonly { id: string }[]>(['list', '/orgs']) ?? [];
  return organizations.length > 0 && organizations.every((one) => openStreams.has(one.id));
}
