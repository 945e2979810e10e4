import type { Fault } from '@portolan/foundation/faults';
import type { Caller, Scope } from './caller.ts';
import { accessFaults } from './faults.ts';
import { isRole, orgBits, phraseBits, type RolePhrase, roleBits, roles } from './roles.ts';

/** What the grants of a caller amount to, computed once per caller. */
interface EffectiveRoles {
  /** Roles on each organization and project where something was granted, and whatever those bring along. */
  readonly at: ReadonlyMap<string, number>;
  readonly visible: VisibleScopes;
}

/** What a caller may see in lists. */
export interface VisibleScopes {
  readonly orgs: ReadonlySet<string>;
  /** Organizations of which it sees every project. */
  readonly orgsWithAllProjects: ReadonlySet<string>;
  /** Projects that it sees besides those. */
  readonly groups: ReadonlySet<string>;
}

const known = new WeakMap<Caller, EffectiveRoles>();

/** Whether the caller holds a role that the phrase accepts, there or by way of the organization. */
export function allows(caller: Caller, phrase: RolePhrase, scope: Scope): boolean {
  const { at } = effectiveRoles(caller);
  const mask = phraseBits(phrase);
  if (scope.kind === 'org') return ((at.get(scope.id) ?? 0) & mask) !== 0;
  return (((at.get(scope.id) ?? 0) | (at.get(scope.orgId) ?? 0)) & mask) !== 0;
}

/** The fault of a caller to whom `allows` said no, unless the operation names its own. */
export function refusal(caller: Caller, phrase: RolePhrase, scope: Scope): Fault {
  if (scope.kind === 'group') return accessFaults.USER_UNAUTHORIZED();
  if (!effectiveRoles(caller).at.has(scope.id)) return accessFaults.USER_CANNOT_ACCESS_ORG();
  if (phrase === 'Organization Owner') return accessFaults.NOT_ORG_OWNER(scope.id);
  if (phrase === 'Organization Project Creator') return accessFaults.NOT_ORG_GROUP_CREATOR(scope.id);
  return accessFaults.USER_UNAUTHORIZED();
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
  const groups = new Set<string>();
  const add = (id: string, bits: number) => at.set(id, (at.get(id) ?? 0) | bits);
  for (const grant of caller.grants) {
    // A role on the wrong level would reach further than it was meant to.
    if (!isRole(grant.role) || roles[grant.role].scope !== grant.scope) continue;
    const bits = roleBits([grant.role]);
    add(grant.id, bits);
    if (grant.scope !== 'group') continue;
    groups.add(grant.id);
    // A caller belongs to one organization, so its projects are that organization's (contract 5).
    add(caller.orgId, bits & orgBits);
  }
  const orgs = new Set([...at.keys()].filter((id) => !groups.has(id)));
  const everyProject = phraseBits('Project Read Only');
  const orgsWithAllProjects = new Set([...orgs].filter((id) => ((at.get(id) ?? 0) & everyProject) !== 0));
  return { at, visible: { orgs, orgsWithAllProjects, groups } };
}
