import { many, testLargeInputs } from '@portolan/test-support/counted-reads';
import { readAddresses } from './rules.ts';

testLargeInputs({
  'addresses of a live migration': {
    input: many(3_000, (i) => `10.0.${i >> 8}.${i & 255}`),
    rules: (addresses) => readAddresses(addresses),
  },
});
