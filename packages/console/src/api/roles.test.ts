import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { groupRoles, neededText, orgRoles, stronger } from './roles.ts';

/** The table of roles that is generated from the source of the API. */
const [table = ''] = readFileSync(new URL('../../../../docs/roles.md', import.meta.url), 'utf8').split(
  '\n## Requirements',
);
const rows = [...table.matchAll(/^\| `(\w+)` \| ([^|]+) \| (\w+) \| (.*) \|$/gm)].map(
  ([, name = '', title = '', scope = '', implied = '']) => ({ name, title, scope, implied }),
);

test('roles have the titles of the API', () => {
  const titles = (wanted: string) =>
    Object.fromEntries(rows.flatMap(({ name, title, scope }) => (scope === wanted ? [[name, title]] : [])));
  assert.deepEqual(titles('organization'), orgRoles);
  assert.deepEqual(titles('project'), groupRoles);
});

test('roles imply the same roles as in the API', () => {
  for (const { name, implied } of rows)
    for (const [weaker, others] of Object.entries(stronger))
      if (implied.includes(`\`${weaker}\``) && !name.endsWith('_OWNER'))
        assert.ok(others.includes(name), name);
});

test('a text names the roles of which a person needs one', () => {
  assert.equal(neededText(['GROUP_OWNER']), 'the role Project Owner');
  assert.equal(
    neededText(['GROUP_PLATFORM_ADMIN', 'GROUP_BACKUP_MANAGER']),
    'one of the roles Project Platform Admin, Project Backup Manager',
  );
});
