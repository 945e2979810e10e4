import { operation } from '../services.ts';
import { switchCustomDns } from './changes.ts';
import { customDns } from './rows.ts';
import { CustomDns } from './schema.ts';

export const getCustomDns = operation({
  id: 'getAwsCustomDns',
  tag: 'AWS Clusters DNS',
  method: 'GET',
  path: '/groups/{groupId}/awsCustomDNS',
  summary: 'Returns whether custom DNS is enabled for the AWS clusters of a project.',
  access: 'Project Read Only',
  reply: CustomDns,
  status: 200,
  reachedFrom: { project: 'awsCustomDNS' },
  handler: (call) => call.read(async (tx) => ({ enabled: await customDns(tx, call.params.groupId) })),
});

export const updateCustomDns = operation({
  id: 'toggleAwsCustomDns',
  tag: 'AWS Clusters DNS',
  method: 'PATCH',
  path: '/groups/{groupId}/awsCustomDNS',
  summary: 'Enables or disables custom DNS for the AWS clusters of a project.',
  access: 'Project Platform Admin',
  body: CustomDns,
  reply: CustomDns,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const { enabled } = call.body;
      await switchCustomDns(tx, call.params.groupId, enabled);
      return { enabled };
    }),
});
