import { many, testLargeInputs } from '@portolan/test-support/counted-reads';
import { readCreate } from './requests.ts';

testLargeInputs({
  'regions of a cluster': {
    input: {
      ...{ name: 'quay', clusterType: 'GEOSHARDED', labels: many(50, (i) => ({ key: `k${i}`, value: 'v' })) },
      providerSettings: { providerName: 'AWS', instanceSizeName: 'M10' },
      replicationSpecs: many(500, (i) => ({
        ...{ numShards: 1, zoneName: `zone ${i}` },
        regionsConfig: { US_EAST_1: { electableNodes: 3, priority: 7, readOnlyNodes: 0, analyticsNodes: 0 } },
      })),
    },
    rules: (body) => readCreate(body, () => 'id'),
  },
});
