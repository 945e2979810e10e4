import { many, testLargeInputs } from '@portolan/test-support/counted-reads';
import { readRole } from './custom-roles/rules.ts';
import { checkRoles, readUser } from './rules.ts';

const resources = many(100, (i) => ({ db: `d${i}`, collection: '' }));

testLargeInputs({
  // Each role inherits all earlier ones, so the number of paths between them is exponential.
  'custom roles that inherit each other': {
    input: many(30, (i) => ({
      ...{ id: `r${i}`, groupId: 'g', name: `r${i}` },
      document: { actions: [], inheritedRoles: many(i, (n) => ({ role: `r${n}`, db: 'admin' })) },
    })),
    rules: (roles) => readRole('new', { inheritedRoles: [{ role: 'r29', db: 'admin' }] }, roles),
  },
  'custom role with many resources': {
    input: { actions: many(30, () => ({ action: 'FIND', resources })) },
    rules: (body) => readRole('new', body, []),
  },
  'database user with many roles': {
    input: { roles: many(100, (i) => ({ roleName: 'read', databaseName: `d${i}` })) },
    rules: (body) => checkRoles(readUser(body), new Set()),
  },
});
