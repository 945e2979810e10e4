import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { groupRoles, orgRoles } from '../../packages/console/src/api/roles.ts';
import { kinds } from '../../packages/console/src/pages/alerts/kinds.ts';
import * as access from '../../packages/service/src/access/roles.ts';
import { notificationKinds } from '../../packages/service/src/resources/alerts/notifications/kinds.ts';

/** The console repeats these names with titles for people. A name that only one side has would be missing on a page. */
describe('names that the console repeats from the service', () => {
  const sorted = (names: Iterable<string>) => [...names].toSorted();

  /** The console does not send this field, since the service finds the name of a team by the team's id. */
  const unasked = new Set(['teamName']);

  test('the roles are those of the service', () => {
    assert.deepEqual(sorted(Object.keys(orgRoles)), sorted(access.orgRoles));
    assert.deepEqual(sorted(Object.keys(groupRoles)), sorted(access.groupRoles));
  });

  test('the kinds of notification have the same fields and rules', () => {
    const shown = Object.entries(kinds).map(([name, kind]) => [
      name,
      {
        byIntegration: kind.byIntegration ?? false,
        fields: sorted(kind.fields.map((field) => field.name)),
        repeatsItself: kind.repeatsItself ?? false,
        secrets: sorted(kind.fields.flatMap(({ name, form }) => (form === 'secret' ? name : []))),
      },
    ]);
    const declared = Object.entries(notificationKinds).map(([name, kind]) => [
      name,
      {
        byIntegration: kind.byIntegration ?? false,
        fields: sorted(Object.keys(kind.fields).filter((field) => !unasked.has(field))),
        repeatsItself: kind.repeatsItself ?? false,
        secrets: sorted(Object.keys(kind.secrets ?? {})),
      },
    ]);
    assert.deepEqual(Object.fromEntries(shown), Object.fromEntries(declared));
  });

  test('fields with a fixed set of values have those of the service', () => {
    for (const [name, kind] of Object.entries(kinds))
      for (const { name: field, form } of kind.fields)
        if (Array.isArray(form)) {
          const schema = notificationKinds[name as keyof typeof notificationKinds].fields[field];
          assert.deepEqual(form, (schema as { readonly enum?: readonly string[] }).enum, `${name} ${field}`);
        }
  });
});
