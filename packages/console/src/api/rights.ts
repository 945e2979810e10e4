import { useQuery } from '@tanstack/react-query';
import { call } from './client.ts';
import { type Project, useDocument, useList } from './resources.ts';
import { useSession } from './session.ts';

/** An organization, or one of its projects. */
export interface Place {
  readonly orgId: string;
  readonly groupId?: string;
}

interface User {
  readonly roles: readonly {
    readonly orgId?: string;
    readonly groupId?: string;
    readonly roleName: string;
  }[];
  readonly teamIds: readonly string[];
}

interface ProjectTeam {
  readonly teamId: string;
  readonly roleNames: readonly string[];
}

/**
 * Tells what the person may do in a place, by their roles and those of their teams. Pages leave out what the person may
 * not do; the service decides.
 */
export function useRights({ orgId, groupId }: Place): (role: string) => boolean {
  const { data: session } = useSession();
  const id = session?.user.id;
  const { data: user } = useQuery({
    queryKey: ['document', `/users/${id}`],
    queryFn: () => call<User>('GET', `/users/${id}`),
    enabled: id !== undefined && orgId !== '',
  });
  const { data: teams = [] } = useList<ProjectTeam>(`/groups/${groupId}/teams`, groupId !== undefined);
  const own =
    user?.roles.filter(
      (role) => role.orgId === orgId || (groupId !== undefined && role.groupId === groupId),
    ) ?? [];
  const ofTeams = teams.filter(({ teamId }) => user?.teamIds.includes(teamId));
  const held = new Set([
    ...own.map(({ roleName }) => roleName),
    ...ofTeams.flatMap(({ roleNames }) => roleNames),
  ]);
  const isOwner = (role: string) =>
    held.has('ORG_OWNER') || (held.has('GROUP_OWNER') && role.startsWith('GROUP_'));
  return (role) => isOwner(role) || held.has(role);
}

/** What the person may do in a project. */
export function useProjectRights(groupId: string): (role: string) => boolean {
  const { data } = useDocument<Project>(`/groups/${groupId}`);
  return useRights({ orgId: data?.orgId ?? '', groupId });
}
