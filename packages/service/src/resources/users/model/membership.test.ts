import { many, testLargeInputs } from '@portolan/test-support/counted-reads';
import type { HeldGrant } from '../../../access/index.ts';
import { grantsByUserIn } from './membership.ts';

const ORG = '5f00000000000000000000a1';
const users = many(50, (number) => `5f00000000000000000000${(0xb0 + number).toString(16)}`);
const held = users.flatMap((principalId) =>
  many(10, (number): HeldGrant => ({ principalId, scope: 'group', id: `p${number}`, role: 'GROUP_OWNER' })),
);

testLargeInputs({
  'roles of the users of an organization': {
    input: held,
    rules: (loaded: readonly HeldGrant[]) => {
      const grantsOf = grantsByUserIn(ORG, { held: loaded, projects: new Set(['p1']), teams: [] });
      for (const user of users) grantsOf(user);
    },
  },
});
