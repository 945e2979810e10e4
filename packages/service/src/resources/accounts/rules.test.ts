import assert from 'node:assert/strict';
import { onEachDatabase } from '@portolan/test-support/databases';
import { grantRole, migrations } from '../../access/index.ts';
import { openTestStore } from '../../store/testing.ts';
import { checkOrganizationLimit, MAX_ORGS_PER_USER } from './rules.ts';

onEachDatabase('a user can belong to a limited number of organizations', async (t, database) => {
  const store = await openTestStore(t, database, { migrations });
  const orgId = (place: number) => place.toString(16).padStart(24, '0');
  const join = (place: number) =>
    store.write(async (tx) => {
      await checkOrganizationLimit(tx, 'user');
      await grantRole(tx, 'user', { kind: 'org', id: orgId(place) }, 'ORG_OWNER');
      // A second role on the same organization does not count.
      await grantRole(tx, 'user', { kind: 'org', id: orgId(place) }, 'ORG_MEMBER');
    });
  for (let place = 0; place < MAX_ORGS_PER_USER; place++) await join(place);
  await assert.rejects(join(MAX_ORGS_PER_USER), { code: 'MAX_ORGS_PER_USER_EXCEEDED' });
  await store.read((tx) => checkOrganizationLimit(tx, 'other'));
});
