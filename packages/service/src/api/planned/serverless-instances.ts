import { plannedTag, reference } from './planned.ts';

export const serverlessInstances = plannedTag('Serverless Instances', {
  listServerlessInstances: reference('GET /groups/{groupId}/serverless'),
  createServerlessInstance: reference('POST /groups/{groupId}/serverless'),
  getServerlessInstance: reference('GET /groups/{groupId}/serverless/{name}'),
  updateServerlessInstance: reference('PATCH /groups/{groupId}/serverless/{name}'),
  deleteServerlessInstance: reference('DELETE /groups/{groupId}/serverless/{name}'),
});
