import { contract, plannedTag } from './planned.ts';

export const awsClustersDns = plannedTag('AWS Clusters DNS', {
  getAwsCustomDns: contract('GET /groups/{groupId}/awsCustomDNS'),
  toggleAwsCustomDns: contract('PATCH /groups/{groupId}/awsCustomDNS'),
});
