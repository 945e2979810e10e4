/**
 * This file defines the roles: the level at which each is assigned, and the roles that it implies
 * (docs/contract/access.md 2). It also defines the phrases by which operations name the roles that they
 * accept, such as `Project Read Only`.
 */

interface RoleRule {
  /** The level at which the role is assigned. */
  readonly scope: 'org' | 'group';
  readonly title: string;
  /** Directly implied roles; implication is transitive. */
  readonly implies: readonly string[];
}

const org = (title: string, ...implies: string[]): RoleRule => ({ scope: 'org', title, implies });
const group = (title: string, ...implies: string[]): RoleRule => ({
  scope: 'group',
  title,
  implies: ['GROUP_READ_ONLY', 'ORG_MEMBER', ...implies],
});

/**
 * If an organization role implies a project role, the project role applies to every project of the organization. If a
 * project role implies an organization role, the organization role applies to the organization that owns the project.
 */
export const roles = {
  ORG_OWNER: org(
    'Organization Owner',
    'ORG_GROUP_CREATOR',
    'ORG_BILLING_ADMIN',
    'ORG_BILLING_READ_ONLY',
    'ORG_STREAM_PROCESSING_ADMIN',
    'ORG_READ_ONLY',
    'GROUP_OWNER',
  ),
  ORG_GROUP_CREATOR: org('Organization Project Creator', 'ORG_MEMBER'),
  ORG_BILLING_ADMIN: org('Organization Billing Admin', 'ORG_MEMBER'),
  ORG_BILLING_READ_ONLY: org('Organization Billing Viewer', 'ORG_MEMBER'),
  // The contract's list lacks this role. The role only makes its holder a member, since there are no stream processors.
  ORG_STREAM_PROCESSING_ADMIN: org('Organization Stream Processing Admin', 'ORG_MEMBER'),
  ORG_READ_ONLY: org('Organization Read Only', 'ORG_MEMBER', 'GROUP_READ_ONLY'),
  ORG_MEMBER: org('Organization Member'),
  GROUP_OWNER: group(
    'Project Owner',
    'GROUP_CLUSTER_MANAGER',
    'GROUP_STREAM_PROCESSING_OWNER',
    'GROUP_DATA_ACCESS_ADMIN',
    'GROUP_DATABASE_ACCESS_ADMIN',
    'GROUP_BACKUP_MANAGER',
    'GROUP_OBSERVABILITY_VIEWER',
    'GROUP_SEARCH_INDEX_EDITOR',
    'GROUP_PLATFORM_ADMIN',
    'GROUP_MONITORING_ADMIN',
  ),
  GROUP_CLUSTER_MANAGER: group('Project Cluster Manager'),
  GROUP_STREAM_PROCESSING_OWNER: group('Project Stream Processing Owner'),
  GROUP_DATA_ACCESS_ADMIN: group('Project Data Access Admin', 'GROUP_DATA_ACCESS_READ_WRITE'),
  GROUP_DATA_ACCESS_READ_WRITE: group('Project Data Access Read Write', 'GROUP_DATA_ACCESS_READ_ONLY'),
  GROUP_DATA_ACCESS_READ_ONLY: group('Project Data Access Read Only'),
  GROUP_DATABASE_ACCESS_ADMIN: group('Project Database Access Admin'),
  GROUP_BACKUP_MANAGER: group('Project Backup Manager'),
  GROUP_OBSERVABILITY_VIEWER: group('Project Observability Viewer'),
  GROUP_SEARCH_INDEX_EDITOR: group('Project Search Index Editor'),
  // The contract's list of roles does not contain the next two roles, but the contract's operations name them.
  GROUP_PLATFORM_ADMIN: group('Project Platform Admin'),
  GROUP_MONITORING_ADMIN: group('Project Monitoring Admin'),
  GROUP_READ_ONLY: group('Project Read Only'),
} satisfies Record<string, RoleRule>;

export type Role = keyof typeof roles;

/**
 * The roles that satisfy each phrase of an operation. A role that implies a listed role satisfies the phrase
 * too, so owners are not listed.
 */
const phrases = {
  'Organization Owner': ['ORG_OWNER'],
  'Organization Project Creator': ['ORG_GROUP_CREATOR'],
  'Organization Member': ['ORG_MEMBER'],
  'Organization Billing Viewer': ['ORG_BILLING_ADMIN', 'ORG_BILLING_READ_ONLY'],
  'Project Owner': ['GROUP_OWNER'],
  'Project Read Only': ['GROUP_READ_ONLY'],
  // Stream processing owners may edit, pause and resume clusters (docs/contract/access.md 2.2).
  'Project Cluster Manager': ['GROUP_CLUSTER_MANAGER', 'GROUP_STREAM_PROCESSING_OWNER'],
  'Project Backup Manager': ['GROUP_BACKUP_MANAGER'],
  'Project Platform Admin': ['GROUP_PLATFORM_ADMIN'],
  'Project Monitoring Admin': ['GROUP_MONITORING_ADMIN'],
  'Project Database Access Admin': ['GROUP_DATABASE_ACCESS_ADMIN'],
  'Project Data Access Read Only': ['GROUP_DATA_ACCESS_READ_ONLY'],
  'Project Data Access Read Write': ['GROUP_DATA_ACCESS_READ_WRITE'],
  'Project Data Access Admin': ['GROUP_DATA_ACCESS_ADMIN'],
  // Operations for export jobs, and for the deletion of backup schedules, have this phrase.
  'Project Platform Admin or Backup Manager': ['GROUP_PLATFORM_ADMIN', 'GROUP_BACKUP_MANAGER'],
  // Operations for the access history have this phrase.
  'Project Monitoring Admin or Database Access Admin': [
    'GROUP_MONITORING_ADMIN',
    'GROUP_DATABASE_ACCESS_ADMIN',
  ],
  // Operations that read or write search indexes have one of the next two phrases.
  'Project Data Access Read Write or Search Index Editor': [
    'GROUP_DATA_ACCESS_READ_WRITE',
    'GROUP_SEARCH_INDEX_EDITOR',
  ],
  'Project Data Access Admin or Search Index Editor': [
    'GROUP_DATA_ACCESS_ADMIN',
    'GROUP_SEARCH_INDEX_EDITOR',
  ],
} satisfies Record<string, readonly Role[]>;

/** Who may call an operation, in the contract's words. */
export type RolePhrase = keyof typeof phrases;

export const rolePhrases = Object.keys(phrases) as RolePhrase[];

const roleNames = Object.keys(roles) as Role[];

export const orgRoles: readonly Role[] = roleNames.filter((role) => roles[role].scope === 'org');
export const groupRoles: readonly Role[] = roleNames.filter((role) => roles[role].scope === 'group');

export function isRole(name: string): name is Role {
  return Object.hasOwn(roles, name);
}

/** One bit per role, in the order of the table. The 20 roles fit into a small integer (31 bits). */
const bits = new Map<string, number>(roleNames.map((role, index) => [role, 1 << index]));
const closures = new Map<string, number>(roleNames.map((role) => [role, closureOf(role)]));
const masks = new Map<string, number>(
  Object.entries(phrases).map(([phrase, accepted]) => [phrase, union(accepted, bits)]),
);

function closureOf(role: string): number {
  const rule: RoleRule | undefined = isRole(role) ? roles[role] : undefined;
  const implied = rule?.implies.filter((name) => name !== role) ?? [];
  return implied.reduce((sum, name) => sum | closureOf(name), bits.get(role) ?? 0);
}

function union(names: readonly string[], of: ReadonlyMap<string, number>): number {
  return names.reduce((sum, name) => sum | (of.get(name) ?? 0), 0);
}

/** Returns the bits of these roles and of all roles that they imply; unknown names are ignored. */
export function roleBits(names: readonly string[]): number {
  return union(names, closures);
}

/** Bits of all organization roles. */
export const orgBits = union(orgRoles, bits);

/** Returns the bits of the roles that satisfy a phrase. */
export function phraseBits(phrase: RolePhrase): number {
  return masks.get(phrase) ?? 0;
}

/** Returns every role that satisfies a phrase, in the order of the table, for the OpenAPI documents. */
export function acceptedRoles(phrase: RolePhrase): readonly Role[] {
  const mask = phraseBits(phrase);
  return roleNames.filter((role) => (roleBits([role]) & mask) !== 0);
}
