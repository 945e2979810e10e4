import { useQuery } from '@tanstack/react-query';
import { read } from './client.ts';
import { useDocument, useList } from './resources.ts';
import { stronger } from './roles.ts';
import { useSession } from './session.ts';

/** An organization, or one of its projects. */
export interface Place {
  readonly orgId: string;
  readonly groupId?: string;
}

/** Returns whether the person has a role, or another one that implies it. */
export interface May {
  (role: string): boolean;
  /** Whether the roles are loaded. */
  readonly isKnown: boolean;
}

/** Reads the person who is logged in, with their roles. */
function useUser() {
  const { data: session } = useSession();
  const id = session?.user.id;
  return useQuery({
    queryKey: ['document', `/users/${id}`],
    queryFn: () => read('api', `/users/${id}`),
    enabled: id !== undefined,
  });
}

/**
 * Returns what the person may do in an organization or project, according to their roles and those of their teams.
 * Pages hide what the person may not do. The service checks every request itself.
 */
export function useRights({ orgId, groupId }: Place): May {
  const { data: user } = useUser();
  const { data: teams } = useList(`/groups/${groupId}/teams`, groupId !== undefined);
  const own =
    user?.roles.filter(
      (role) => role.orgId === orgId || (groupId !== undefined && role.groupId === groupId),
    ) ?? [];
  const ofTeams = (teams ?? []).filter(({ teamId }) => user?.teamIds.includes(teamId));
  const held = new Set<string>([
    ...own.map(({ roleName }) => roleName),
    ...ofTeams.flatMap(({ roleNames }) => roleNames),
  ]);
  const isOwner = (role: string) =>
    held.has('ORG_OWNER') || (held.has('GROUP_OWNER') && role.startsWith('GROUP_'));
  const may = (role: string) =>
    isOwner(role) || held.has(role) || (stronger[role] ?? []).some((other) => held.has(other));
  const isKnown = user !== undefined && orgId !== '' && (groupId === undefined || teams !== undefined);
  return Object.assign(may, { isKnown });
}

/** Returns a function that says whether the person may create projects in an organization. */
export function useProjectCreation(): (orgId: string) => boolean {
  const { data: user } = useUser();
  const creators = new Set(['ORG_OWNER', 'ORG_GROUP_CREATOR']);
  return (orgId) => user?.roles.some((role) => role.orgId === orgId && creators.has(role.roleName)) ?? false;
}

/** Returns what the person may do in a project. */
export function useProjectRights(groupId: string): May {
  const { data } = useDocument(`/groups/${groupId}`);
  return useRights({ orgId: data?.orgId ?? '', groupId });
}
