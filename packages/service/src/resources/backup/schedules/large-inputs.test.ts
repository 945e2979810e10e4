import { many, testLargeInputs } from '@portolan/test-support/counted-reads';
import { checkTogether } from './rules.ts';

testLargeInputs({
  'items of a backup schedule': {
    input: many(100, (i) => ({
      ...{ id: `${i}`, frequencyInterval: 1, frequencyType: 'weekly' },
      ...{ retentionUnit: 'days', retentionValue: 7 },
    })),
    rules: (items) => checkTogether(items),
  },
});
