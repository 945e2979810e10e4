import { many, testLargeInputs } from '@portolan/test-support/counted-reads';
import { checkMatchers } from './matchers.ts';

testLargeInputs({
  'matchers of an alert': {
    input: many(100, (i) => ({ fieldName: 'CLUSTER_NAME', operator: 'REGEX', value: `a{${i}}` })),
    rules: (matchers) => checkMatchers('CLUSTER_MONGOS_IS_MISSING', matchers),
  },
});
