import type { Fault } from '@portolan/foundation/faults';
import type { Caller, Scope } from './caller.ts';
import { accessFaults } from './faults.ts';
import { isRole, orgBits, phraseBits, type RolePhrase, roleBits, roles } from './roles.ts';

/** The effective roles of a caller, computed once per caller. */
interface EffectiveRoles {
  /** The granted and the implied roles as bits (see `roleBits`), by the id of the organization or project. */
  readonly at: ReadonlyMap<string, number>;
  readonly visible: VisibleScopes;
}

/** The organizations and projects that a caller may see in lists. */
export interface VisibleScopes {
  readonly orgs: ReadonlySet<string>;
  /** Organizations whose projects are all visible. */
  readonly orgsWithAllProjects: ReadonlySet<string>;
  /**
   * The ids of the projects on which the caller has a role, even if their organization is in
   * `orgsWithAllProjects`.
   */
  readonly groups: ReadonlySet<string>;
}

const known = new WeakMap<Caller, EffectiveRoles>();

/**
 * Whether the caller has a role that `phrase` accepts, on the scope itself or, for a project, on its
 * organization.
 */
export function allows(caller: Caller, phrase: RolePhrase, scope: Scope): boolean {
  const { at } = effectiveRoles(caller);
  const mask = phraseBits(phrase);
  if (scope.kind === 'org') return ((at.get(scope.id) ?? 0) & mask) !== 0;
  return (((at.get(scope.id) ?? 0) | (at.get(scope.orgId) ?? 0)) & mask) !== 0;
}

/** Returns the fault for a caller who lacks the role that `phrase` names. */
export function missingRole(phrase: RolePhrase): Fault {
  return accessFaults.USER_UNAUTHORIZED().because(`It requires the role ${phrase}.`);
}

/** Returns the fault for a caller whom `allows` rejected, if the operation declares no fault of its own (`refusal`). */
export function refusal(caller: Caller, phrase: RolePhrase, scope: Scope): Fault {
  if (scope.kind === 'group') return missingRole(phrase);
  if (!effectiveRoles(caller).at.has(scope.id)) return accessFaults.USER_CANNOT_ACCESS_ORG();
  if (phrase === 'Organization Owner') return accessFaults.NOT_ORG_OWNER(scope.id);
  if (phrase === 'Organization Project Creator') return accessFaults.NOT_ORG_GROUP_CREATOR(scope.id);
  return missingRole(phrase);
}

export function visibleScopes(caller: Caller): VisibleScopes {
  return effectiveRoles(caller).visible;
}

function effectiveRoles(caller: Caller): EffectiveRoles {
  let effective = known.get(caller);
  if (!effective) {
    effective = resolveGrants(caller);
    known.set(caller, effective);
  }
  return effective;
}

function resolveGrants(caller: Caller): EffectiveRoles {
  const at = new Map<string, number>();
  /** The ids of the organizations of the projects, by the id of the project. */
  const orgOf = new Map<string, string>();
  const add = (id: string, bits: number) => at.set(id, (at.get(id) ?? 0) | bits);
  for (const grant of caller.grants) {
    // Ignore a role of the wrong level: an organization role on a project, or a project role on an organization. Such a
    // role would apply to more than it should.
    if (!isRole(grant.role) || roles[grant.role].scope !== grant.scope) continue;
    const bits = roleBits([grant.role]);
    add(grant.id, bits);
    if (grant.scope !== 'group') continue;
    // An API key or service account belongs to one organization, so each project it has roles on belongs to that
    // organization (docs/contract/api.md 5).
    const orgId = grant.orgId ?? caller.orgId;
    orgOf.set(grant.id, orgId);
    add(orgId, bits & orgBits);
  }
  const orgs = new Set([...at.keys()].filter((id) => !orgOf.has(id)));
  const everyProject = phraseBits('Project Read Only');
  const orgsWithAllProjects = new Set([...orgs].filter((id) => ((at.get(id) ?? 0) & everyProject) !== 0));
  const others = [...orgOf].filter(([, orgId]) => !orgsWithAllProjects.has(orgId));
  const groups = new Set(others.map(([id]) => id));
  return { at, visible: { orgs, orgsWithAllProjects, groups } };
}
