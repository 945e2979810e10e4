import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assignmentsWithout,
  atMost,
  countRoles,
  type MemberGrants,
  mergeGrants,
  noGrants,
  withRolesIn,
} from './grants.ts';

const [ONE, OTHER] = ['5f00000000000000000000a1', '5f00000000000000000000a2'];

const held: MemberGrants = {
  roles: ['ORG_MEMBER'],
  assignments: [{ groupId: ONE, roles: ['GROUP_READ_ONLY'] }],
  teamIds: ['5f00000000000000000000b1'],
};

test('merged grants contain each role and each team once', () => {
  const added: MemberGrants = {
    roles: ['ORG_OWNER', 'ORG_MEMBER'],
    assignments: [
      { groupId: ONE, roles: ['GROUP_OWNER', 'GROUP_READ_ONLY'] },
      { groupId: OTHER, roles: ['GROUP_OWNER'] },
    ],
    teamIds: ['5f00000000000000000000b1', '5f00000000000000000000b2'],
  };
  assert.deepEqual(mergeGrants(held, added), {
    roles: ['ORG_MEMBER', 'ORG_OWNER'],
    assignments: [
      { groupId: ONE, roles: ['GROUP_READ_ONLY', 'GROUP_OWNER'] },
      { groupId: OTHER, roles: ['GROUP_OWNER'] },
    ],
    teamIds: ['5f00000000000000000000b1', '5f00000000000000000000b2'],
  });
  assert.deepEqual(mergeGrants(held, noGrants), held);
});

test('a project without roles is dropped from the grants', () => {
  assert.deepEqual(withRolesIn(held, ONE, []).assignments, []);
});

test('assignments are compared by project, regardless of roles', () => {
  const others = [{ groupId: ONE, roles: ['GROUP_OWNER'] as const }];
  assert.deepEqual(assignmentsWithout(held.assignments, others), []);
  assert.deepEqual(assignmentsWithout(others, noGrants.assignments), others);
});

test('a maximum number of roles leaves out the last projects as a whole', () => {
  const grants: MemberGrants = {
    ...held,
    assignments: [...held.assignments, { groupId: OTHER, roles: ['GROUP_OWNER', 'GROUP_READ_ONLY'] }],
  };
  assert.equal(countRoles(grants), 4);
  assert.deepEqual(atMost(grants, 4), grants);
  assert.deepEqual(atMost(grants, 3), held);
  assert.deepEqual(atMost(grants, 0), { ...grants, roles: [], assignments: [] });
});
