import { type PlannedTag, reference } from './planned.ts';

export const serverlessInstances: PlannedTag = {
  tag: 'Serverless Instances',
  paths: {
    '/groups/{groupId}/serverless': {
      GET: reference('listServerlessInstances'),
      POST: reference('createServerlessInstance'),
    },
    '/groups/{groupId}/serverless/{name}': {
      GET: reference('getServerlessInstance'),
      DELETE: reference('deleteServerlessInstance'),
    },
  },
};
