import Type from 'typebox';
import { requireDedicatedCluster } from '../clusters/index.ts';
import { extension } from '../services.ts';
import { requestIndex } from './changes.ts';
import { RollingIndex } from './schema.ts';

export const createRollingIndex = extension({
  id: 'createRollingIndex',
  tag: 'Rolling Index',
  method: 'POST',
  path: '/groups/{groupId}/clusters/{clusterName}/index',
  summary: 'Builds an index on a dedicated cluster. An event of the project reports the result.',
  access: 'Project Data Access Admin',
  body: RollingIndex,
  reply: Type.Object({}, { description: 'An empty object.' }),
  status: 202,
  handler: ({ params, body, write }) =>
    write(async (tx) => {
      await requestIndex(tx, await requireDedicatedCluster(tx, params), body);
      return {};
    }),
});
