import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkMappings, MAX_ASSIGNMENTS } from './rules.ts';

const mapping = (groupName: string, count: number) => ({ groupName, assignments: Array(count).fill({}) });

test('the role mappings of connected organizations have a maximum number of assignments together', () => {
  const most = [mapping('one', MAX_ASSIGNMENTS - 1), mapping('two', 1)];
  const none = { elsewhere: 0, former: 0 };
  checkMappings(most, none);
  const more = [...most, mapping('three', 1)];
  const exceeded = { code: 'MAX_ROLE_ASSIGNMENTS_EXCEEDED' };
  assert.throws(() => checkMappings(more, none), exceeded);
  assert.throws(() => checkMappings(most, { ...none, elsewhere: 1 }), exceeded);
  // An earlier version may have accepted more. They can stay, or become fewer.
  checkMappings(more, { elsewhere: MAX_ASSIGNMENTS, former: MAX_ASSIGNMENTS + 1 });
  assert.throws(() => checkMappings([mapping('one', 1), mapping('one', 1)], none), {
    code: 'ROLE_MAPPING_ALREADY_EXISTS',
  });
});
