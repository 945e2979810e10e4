import { createHash } from 'node:crypto';
import type { AccessSpec, CustomRoleSpec, RoleGrant, UserSpec } from '@portolan/engine/interface/engine';
import { inOrder, ownRoleOf, serverGrants } from '../../adopted/accounts/index.ts';
import { CLUSTER_LABEL, MANAGED } from './names.ts';
import type { KubernetesObject } from './port.ts';
import type { Resource } from './resource.ts';

/** The users and roles of a cluster in the store. */
export interface WantedAccess extends Pick<AccessSpec, 'customRoles' | 'revision' | 'users'> {
  /**
   * The names of all users that the operator may have created on the servers. `closed` is the password that a user has
   * after it is deleted from the project.
   */
  readonly known: readonly KnownUser[];
}

interface KnownUser {
  readonly name: string;
  readonly closed: string;
}

/** The users and roles in the form of the resource. */
export interface Accounts {
  /** The fields of `spec`. Fields without entries are absent. */
  readonly fields: Readonly<Record<string, readonly unknown[]>>;
  /** The passwords by the key in the Kubernetes secret. */
  readonly passwords: ReadonlyMap<string, string>;
  /** The names of those users of the project that the servers get. */
  readonly names: readonly string[];
  /** Why the servers do not get all users and roles; undefined if they get all of them. */
  readonly problem: string | undefined;
}

/** Returns the name of the Kubernetes secret with the passwords of users. */
export const secretName = (resource: string): string => `${resource}-database-users`;

/**
 * The role of users that were deleted from the project. The operator never drops a user, and each user needs a role.
 * This role has no effect, because the collection of its privilege does not exist.
 */
const CLOSED: CustomRoleSpec = {
  ...{ role: 'portolan-closed', database: 'admin', roles: [] },
  privileges: [{ actions: ['find'], resource: { db: 'portolan', collection: 'closed' } }],
};

/** Converts the users and roles of a project to the fields of the resource. */
export function accountsOf(resource: string, { users, customRoles = [], known }: WantedAccess): Accounts {
  const problems: string[] = [];
  const possible = users.filter((user) => {
    const problem = problemOf(resource, user);
    if (problem !== undefined) problems.push(`${user.username}: ${problem}`);
    return problem === undefined;
  });
  const names = new Set(possible.map(({ username }) => username));
  const closed = known.filter(({ name }) => !names.has(name));
  const roles = [
    ...inOrder(customRoles),
    ...possible.flatMap((user) => ownRoleOf(user) ?? []),
    ...(closed.length > 0 ? [CLOSED] : []),
  ];
  const entries = [
    ...possible.map((user) => ({
      ...{ name: user.username, password: user.password?.text ?? '' },
      ...{ version: user.password?.version ?? '', grants: grantsOf(user) },
    })),
    ...closed.map(({ name, closed: password }) => ({ name, password, version: 'closed', grants: [CLOSED] })),
  ].toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return {
    fields: {
      ...(roles.length === 0 ? {} : { roles: roles.map(roleField) }),
      ...(entries.length === 0 ? {} : { users: entries.map((entry) => userField(resource, entry)) }),
    },
    passwords: new Map(entries.map((entry) => [keyOf(entry), entry.password])),
    names: [...names],
    problem: problems.length === 0 ? undefined : problems.toSorted().join('; '),
  };
}

interface Entry {
  readonly name: string;
  readonly password: string;
  readonly version: string;
  readonly grants: readonly RoleGrant[];
}

/**
 * Returns the key of a password in the secret. The key depends on the password, so each change of a password changes
 * the resource. The status of the resource then shows when the operator has seen the change.
 */
const keyOf = ({ name, version }: Entry): string =>
  createHash('sha256')
    .update(JSON.stringify([name, version]))
    .digest('hex')
    .slice(0, 32);

const userField = (resource: string, entry: Entry) => ({
  ...{ name: entry.name, db: 'admin' },
  passwordSecretRef: { name: secretName(resource), key: keyOf(entry) },
  roles: entry.grants.flatMap(serverGrants).map(({ role, db }) => ({ name: role, db })),
});

function grantsOf(user: UserSpec): RoleGrant[] {
  const own = ownRoleOf(user);
  const whole = user.roles.filter(({ collection }) => collection === undefined);
  return [...whole, ...(own === undefined ? [] : [own])];
}

/**
 * Converts a role. The operator compares its privileges with those on the servers, which have one privilege for each
 * resource. So all actions on a resource are in one privilege.
 */
function roleField({ role, database, privileges, roles }: CustomRoleSpec) {
  const actions = Map.groupBy(privileges, ({ resource }) => JSON.stringify(resource));
  return {
    ...{ role, db: database },
    privileges: [...actions].map(([resource, of]) => ({
      actions: [...new Set(of.flatMap((privilege) => privilege.actions))].toSorted(),
      resource: JSON.parse(resource) as object,
    })),
    roles: roles.flatMap(serverGrants),
  };
}

/** The names that the operator gives to its own users. */
const reserved = ['backup', 'clusterAdmin', 'clusterMonitor', 'databaseAdmin', 'userAdmin'];
const MAX_LABEL = 63;

/** Returns why the operator cannot create a user. */
function problemOf(
  resource: string,
  { username, scram, password, certificates }: UserSpec,
): string | undefined {
  if (scram === undefined || certificates !== undefined) {
    return 'on Kubernetes, only users with a password can log in';
  }
  if (reserved.includes(username)) return 'the Percona operator has a user with this name';
  // The length of a user name is limited, because the operator stores a digest of the password in an annotation whose
  // name contains the user name.
  const longest = MAX_LABEL - `${resource}--hash`.length;
  if (username.length > longest || !/^[\w.-]+$/.test(username)) {
    return `on this cluster, the name of a user may have up to ${longest} letters, digits, hyphens, dots and underscores`;
  }
  if (password === undefined)
    return 'the service has not stored the password of this user: set the password again';
  return undefined;
}

/** Returns the Kubernetes secret with the passwords of users, as the service applies it. */
export function secretOf(
  { metadata }: Resource,
  { passwords }: Accounts,
): KubernetesObject & { data: object } {
  const { name, namespace, labels } = metadata;
  const data = [...passwords].map(([key, text]) => [key, Buffer.from(text).toString('base64')]);
  return {
    ...{ apiVersion: 'v1', kind: 'Secret' },
    metadata: {
      ...{ name: secretName(name), namespace },
      labels: { ...MANAGED, [CLUSTER_LABEL]: labels[CLUSTER_LABEL] ?? '' },
    },
    data: Object.fromEntries(data),
  };
}
