import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allows, refusal, visibleScopes } from './allowance.ts';
import type { Caller, Grant, Scope } from './caller.ts';
import { acceptedRoles, groupRoles, orgRoles, type Role, type RolePhrase, rolePhrases } from './roles.ts';
import { columns, inItsProject } from './testing-roles.ts';

const ORG = '5f00000000000000000000aa';
const OTHER_ORG = '5f00000000000000000000bb';
const GROUP = '5f0000000000000000000001';
const OTHER_GROUP = '5f0000000000000000000002';

const organization: Scope = { kind: 'org', id: ORG };
const project: Scope = { kind: 'group', id: GROUP, orgId: ORG };
const sibling: Scope = { kind: 'group', id: OTHER_GROUP, orgId: ORG };

function caller(...grants: Grant[]): Caller {
  return {
    kind: 'apiKey',
    id: '5f0000000000000000000009',
    name: 'abcdefgh',
    orgId: ORG,
    grants,
    addresses: [],
    listRequired: false,
  };
}

const onOrg = (role: string, id = ORG): Grant => ({ scope: 'org', id, role });
const onGroup = (role: string, id = GROUP): Grant => ({ scope: 'group', id, role });

const everyRole = Object.keys(inItsProject) as Role[];
const isOrgRole = (role: Role) => role.startsWith('ORG_');
const holding = (role: Role) => caller(isOrgRole(role) ? onOrg(role) : onGroup(role));

test('the table of expectations covers every role and every phrase', () => {
  assert.deepEqual(everyRole.toSorted(), [...orgRoles, ...groupRoles].toSorted());
  assert.deepEqual(columns.toSorted(), rolePhrases.toSorted());
});

for (const role of everyRole) {
  test(`${role} has exactly the access of its row`, () => {
    for (const [column, phrase] of columns.entries()) {
      const expected = inItsProject[role][column] === 'x';
      assert.equal(allows(holding(role), phrase, project), expected, `${phrase} in the project`);
      assert.equal(acceptedRoles(phrase).includes(role), expected, phrase);
    }
  });

  test(`${role} has access to another project only through the organization`, () => {
    for (const [column, phrase] of columns.entries()) {
      const byOrganization = isOrgRole(role) && inItsProject[role][column] === 'x';
      const asMember = !isOrgRole(role) && phrase === 'Organization Member';
      assert.equal(allows(holding(role), phrase, sibling), byOrganization || asMember, phrase);
    }
  });

  test(`${role} on a project satisfies no organization phrase except membership`, () => {
    for (const phrase of columns.filter((name) => name.startsWith('Organization'))) {
      const expected = inItsProject[role][columns.indexOf(phrase)] === 'x';
      assert.equal(allows(holding(role), phrase, organization), expected, phrase);
    }
  });

  test(`${role} gives no access to another organization`, () => {
    for (const phrase of columns) {
      assert.equal(allows(holding(role), phrase, { kind: 'org', id: OTHER_ORG }), false);
      assert.equal(allows(holding(role), phrase, { kind: 'group', id: 'x', orgId: OTHER_ORG }), false);
    }
  });
}

test('a role on the wrong level and an unknown role are ignored', () => {
  const wrong = caller(
    onOrg('GROUP_OWNER'),
    onGroup('ORG_OWNER'),
    onGroup('toString'),
    onOrg('GLOBAL_OWNER'),
  );
  for (const phrase of columns) assert.equal(allows(wrong, phrase, project), false, phrase);
  assert.deepEqual(visibleScopes(wrong).orgs, new Set());
});

test('several roles add up', () => {
  const both = caller(onGroup('GROUP_BACKUP_MANAGER'), onGroup('GROUP_CLUSTER_MANAGER'));
  assert.equal(allows(both, 'Project Backup Manager', project), true);
  assert.equal(allows(both, 'Project Cluster Manager', project), true);
  assert.equal(allows(both, 'Project Owner', project), false);
});

test('owners and readers of an organization see all its projects, other callers those in which they have a role', () => {
  const seen = (...grants: Grant[]) => visibleScopes(caller(...grants));
  assert.deepEqual(seen(onOrg('ORG_OWNER')), {
    orgs: new Set([ORG]),
    orgsWithAllProjects: new Set([ORG]),
    groups: new Set(),
  });
  assert.deepEqual(seen(onOrg('ORG_READ_ONLY')).orgsWithAllProjects, new Set([ORG]));
  assert.deepEqual(seen(onOrg('ORG_GROUP_CREATOR'), onGroup('GROUP_READ_ONLY')), {
    orgs: new Set([ORG]),
    orgsWithAllProjects: new Set(),
    groups: new Set([GROUP]),
  });
  assert.deepEqual(seen(onGroup('GROUP_OWNER')).orgs, new Set([ORG]));
  assert.deepEqual(seen(onOrg('ORG_OWNER'), onGroup('GROUP_OWNER')).groups, new Set());
  const elsewhere: Grant = { scope: 'group', id: 'x', orgId: OTHER_ORG, role: 'GROUP_OWNER' };
  assert.deepEqual(seen(onOrg('ORG_OWNER'), elsewhere), {
    orgs: new Set([ORG, OTHER_ORG]),
    orgsWithAllProjects: new Set([ORG]),
    groups: new Set(['x']),
  });
  assert.deepEqual(seen(), { orgs: new Set(), orgsWithAllProjects: new Set(), groups: new Set() });
});

test('a refusal names the role that the operation requires', () => {
  const { message } = refusal(
    caller(onOrg('ORG_MEMBER')),
    'Project Platform Admin or Backup Manager',
    project,
  );
  assert.match(message, / It requires the role Project Platform Admin or Backup Manager\.$/);
});

test('a refusal has the parameters that the contract specifies', () => {
  const codeOf = (who: Caller, phrase: RolePhrase, scope: Scope) => {
    const { code, status, parameters } = refusal(who, phrase, scope);
    return [status, code, ...(parameters ?? [])];
  };
  const member = caller(onOrg('ORG_MEMBER'));
  assert.deepEqual(codeOf(member, 'Project Owner', project), [401, 'USER_UNAUTHORIZED']);
  assert.deepEqual(codeOf(member, 'Organization Owner', organization), [401, 'NOT_ORG_OWNER', ORG]);
  assert.deepEqual(codeOf(member, 'Organization Owner', project), [401, 'USER_UNAUTHORIZED']);
  assert.deepEqual(codeOf(member, 'Organization Project Creator', organization), [
    401,
    'NOT_ORG_GROUP_CREATOR',
    ORG,
  ]);
  assert.deepEqual(codeOf(caller(), 'Organization Member', organization), [401, 'USER_CANNOT_ACCESS_ORG']);
});
