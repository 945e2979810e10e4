import { nextTurn } from '@portolan/foundation/next-turn';
import { type Role, roles } from '../../access/index.ts';
import type { Actor } from '../../events/index.ts';
import type { ReadTx, Tx } from '../../store/index.ts';
import { isMemberOf, type UserRow } from '../accounts/index.ts';
import { projectsAmong } from '../projects/index.ts';
import { applyLoginGrants, isInvited, type LoginGrants } from '../users/index.ts';
import type { Assignment } from './model.ts';
import { type ConnectionRow, connectionsWith, findProvider, mappingsOf, type ProviderRow } from './rows.ts';
import { admitsDomain } from './rules.ts';

/** Returns an identity provider with which members of an organization log in; undefined if there is none. */
export async function findLoginProvider(tx: ReadTx, id: string): Promise<ProviderRow | undefined> {
  const provider = await findProvider(tx, id);
  if (provider?.idpType !== 'WORKFORCE') return undefined;
  return (await organizationsWith(tx, id)).length === 0 ? undefined : provider;
}

/** Returns the ids of the organizations whose members log in with an identity provider. */
export async function organizationsWith(tx: ReadTx, providerId: string): Promise<string[]> {
  return (await connectionsWith(tx, providerId)).map(({ orgId }) => orgId);
}

/** A person who logs in with an identity provider. */
export interface Arrival {
  readonly userId: string;
  readonly username: string;
  readonly groups: ReadonlySet<string>;
  /** Whether the account belongs to the identity provider, because an earlier or this login has created it. */
  readonly isOwn: boolean;
}

interface Admission {
  readonly orgId: string;
  readonly login: LoginGrants;
}

/**
 * Returns the organizations that the login changes: those of which the person is a member, and those that the person
 * joins. An account that somebody else has created joins only if the person is invited.
 */
export async function admissionsOf(
  tx: ReadTx,
  provider: ProviderRow,
  arrival: Arrival,
): Promise<Admission[]> {
  const admissions: Admission[] = [];
  for (const connection of await connectionsWith(tx, provider.id)) {
    const { orgId } = connection;
    // Reading the role mappings of an organization takes up to ten milliseconds.
    await nextTurn();
    const login = await grantsAt(tx, connection, provider, arrival.groups);
    if ((await isMemberOf(tx, orgId, arrival.userId)) || (await mayJoin(tx, connection, arrival, login)))
      admissions.push({ orgId, login });
  }
  return admissions;
}

async function mayJoin(
  tx: ReadTx,
  connection: ConnectionRow,
  { userId, username, isOwn }: Arrival,
  { grants, replace }: LoginGrants,
): Promise<boolean> {
  if (!admitsDomain(connection, username)) return false;
  const isGuest = await isInvited(tx, connection.orgId, userId);
  if (!isGuest && (connection.admitsMembersOnly || !isOwn)) return false;
  return grants.roles.length > 0 || (isGuest && !replace);
}

/** Returns the roles that a login gives in one organization. If the organization maps groups, the groups decide. */
async function grantsAt(
  tx: ReadTx,
  { orgId, grants }: ConnectionRow,
  { authorizationType }: ProviderRow,
  groups: ReadonlySet<string>,
): Promise<LoginGrants> {
  const mappings = authorizationType === 'GROUP' ? await mappingsOf(tx, orgId) : [];
  const given = mappings.filter(({ groupName }) => groups.has(groupName));
  const assigned = given.flatMap(({ assignments }) => assignments);
  const onOrganization = assigned.filter(({ role }) => roles[role].scope === 'org').map(({ role }) => role);
  return {
    grants: {
      roles: [...new Set([...grants, ...onOrganization])],
      assignments: await inProjects(tx, orgId, assigned),
    },
    replace: mappings.length > 0,
  };
}

/** Returns the roles by project. Omits projects that have been deleted. */
async function inProjects(tx: ReadTx, orgId: string, assigned: readonly Assignment[]) {
  const byProject = new Map<string, Set<Role>>();
  for (const { groupId, role } of assigned)
    if (groupId !== undefined) byProject.set(groupId, (byProject.get(groupId) ?? new Set()).add(role));
  const existing = await projectsAmong(tx, orgId, [...byProject.keys()]);
  return [...byProject]
    .filter(([groupId]) => existing.has(groupId))
    .map(([groupId, held]) => ({ groupId, roles: [...held] }));
}

/** Changes the roles of a user at a login. Returns whether the user is then a member of an organization. */
export async function admit(
  tx: Tx,
  actor: Actor,
  user: UserRow,
  admissions: readonly Admission[],
): Promise<boolean> {
  let isMember = false;
  for (const { orgId, login } of admissions) {
    await applyLoginGrants(tx, actor, { orgId, user }, login);
    isMember ||= await isMemberOf(tx, orgId, user.id);
  }
  return isMember;
}
