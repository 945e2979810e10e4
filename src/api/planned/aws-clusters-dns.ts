import { contract, type PlannedTag } from './planned.ts';

export const awsClustersDns: PlannedTag = {
  tag: 'AWS Clusters DNS',
  paths: {
    '/groups/{groupId}/awsCustomDNS': {
      GET: contract('getAwsCustomDns'),
      PATCH: contract('toggleAwsCustomDns'),
    },
  },
};
