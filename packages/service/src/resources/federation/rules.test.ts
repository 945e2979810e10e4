import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkMappings, MAX_ASSIGNMENTS } from './rules.ts';

const mapping = (groupName: string, count: number) => ({ groupName, assignments: Array(count).fill({}) });

test('the role mappings of an organization have a maximum number of assignments together', () => {
  const most = [mapping('one', MAX_ASSIGNMENTS - 1), mapping('two', 1)];
  checkMappings(most);
  assert.throws(() => checkMappings([...most, mapping('three', 1)]), {
    code: 'MAX_ROLE_ASSIGNMENTS_EXCEEDED',
  });
  assert.throws(() => checkMappings([mapping('one', 1), mapping('one', 1)]), {
    code: 'ROLE_MAPPING_ALREADY_EXISTS',
  });
});
