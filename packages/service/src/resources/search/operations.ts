import { operation } from '../services.ts';
import { findIndexes, requireIndexById, requireIndexByName } from './find.ts';
import { presentIndex } from './present.ts';
import { changeRequested, createRequested, removeRequested } from './requests.ts';
import { SearchIndex, SearchIndexChange, SearchIndexRequest } from './schema.ts';

const READ = 'Project Data Access Read Write or Search Index Editor';
const WRITE = 'Project Data Access Admin or Search Index Editor';

export const listClusterSearchIndexes = operation({
  id: 'listPlatformSearchIndexesCluster',
  tag: 'Platform Search',
  method: 'GET',
  path: '/groups/{groupId}/clusters/{clusterName}/search/indexes',
  versions: { '2024-05-30': 'same', '2025-03-12': 'same' },
  summary: 'Lists the search indexes of all collections of a cluster.',
  access: READ,
  reply: SearchIndex,
  list: 'array',
  status: 200,
  reachedFrom: { cluster: 'searchIndexes' },
  handler: async (call) => (await findIndexes(call)).map(presentIndex),
});

export const listSearchIndexes = operation({
  id: 'listPlatformSearchIndexes',
  tag: 'Platform Search',
  method: 'GET',
  path: '/groups/{groupId}/clusters/{clusterName}/search/indexes/{databaseName}/{collectionName}',
  versions: { '2024-05-30': 'same', '2025-03-12': 'same' },
  summary: 'Lists the search indexes of a collection.',
  access: READ,
  reply: SearchIndex,
  list: 'array',
  status: 200,
  reachedFrom: { searchIndex: 'searchIndexes' },
  async handler(call) {
    const { databaseName: database, collectionName: collection } = call.params;
    return (await findIndexes(call, { database, collection })).map(presentIndex);
  },
});

export const createSearchIndex = operation({
  id: 'createPlatformSearchIndex',
  tag: 'Platform Search',
  method: 'POST',
  path: '/groups/{groupId}/clusters/{clusterName}/search/indexes',
  versions: { '2024-05-30': 'same', '2025-03-12': 'same' },
  summary: 'Creates a search index. It can be queried once its status is READY.',
  access: WRITE,
  body: SearchIndexRequest,
  reply: SearchIndex,
  status: 201,
  async handler(call) {
    const { collectionName: collection, database, name, type, definition } = call.body;
    const index = { collection, database, name, type, definition };
    return presentIndex(await createRequested(call, index, 'definition'));
  },
});

export const getSearchIndex = operation({
  id: 'getPlatformSearchIndex',
  tag: 'Platform Search',
  method: 'GET',
  path: '/groups/{groupId}/clusters/{clusterName}/search/indexes/{indexId}',
  versions: { '2024-05-30': 'same', '2025-03-12': 'same' },
  summary: 'Returns one search index.',
  access: READ,
  reply: SearchIndex,
  status: 200,
  handler: async (call) => presentIndex(await requireIndexById(call)),
});

export const getSearchIndexByName = operation({
  id: 'getPlatformSearchIndexByName',
  tag: 'Platform Search',
  method: 'GET',
  path: '/groups/{groupId}/clusters/{clusterName}/search/indexes/{databaseName}/{collectionName}/{indexName}',
  versions: { '2024-05-30': 'same', '2025-03-12': 'same' },
  summary: 'Returns one search index of a collection, by its name.',
  access: READ,
  reply: SearchIndex,
  status: 200,
  reachedFrom: { searchIndex: 'byName' },
  handler: async (call) => presentIndex(await requireIndexByName(call)),
});

export const updateSearchIndex = operation({
  id: 'updatePlatformSearchIndex',
  tag: 'Platform Search',
  method: 'PATCH',
  path: '/groups/{groupId}/clusters/{clusterName}/search/indexes/{indexId}',
  versions: { '2024-05-30': 'same', '2025-03-12': 'same' },
  summary:
    'Replaces the definition of a search index. The former version serves queries until the new one is built.',
  access: WRITE,
  body: SearchIndexChange,
  reply: SearchIndex,
  status: 200,
  handler: async (call) =>
    presentIndex(await changeRequested(call, await requireIndexById(call), call.body.definition)),
});

export const updateSearchIndexByName = operation({
  id: 'updatePlatformSearchIndexByName',
  tag: 'Platform Search',
  method: 'PATCH',
  path: '/groups/{groupId}/clusters/{clusterName}/search/indexes/{databaseName}/{collectionName}/{indexName}',
  versions: { '2024-05-30': 'same', '2025-03-12': 'same' },
  summary: 'Replaces the definition of a search index, selected by its name.',
  access: WRITE,
  body: SearchIndexChange,
  reply: SearchIndex,
  status: 200,
  handler: async (call) =>
    presentIndex(await changeRequested(call, await requireIndexByName(call), call.body.definition)),
});

export const deleteSearchIndex = operation({
  id: 'deletePlatformSearchIndex',
  tag: 'Platform Search',
  method: 'DELETE',
  path: '/groups/{groupId}/clusters/{clusterName}/search/indexes/{indexId}',
  versions: { '2024-05-30': 'same', '2025-03-12': 'same' },
  summary: 'Deletes a search index. The deletion completes after the response.',
  access: WRITE,
  status: 204,
  handler: async (call) => removeRequested(call, await requireIndexById(call)),
});

export const deleteSearchIndexByName = operation({
  id: 'deletePlatformSearchIndexByName',
  tag: 'Platform Search',
  method: 'DELETE',
  path: '/groups/{groupId}/clusters/{clusterName}/search/indexes/{databaseName}/{collectionName}/{indexName}',
  versions: { '2024-05-30': 'same', '2025-03-12': 'same' },
  summary: 'Deletes a search index, selected by its name. The deletion completes after the response.',
  access: WRITE,
  status: 204,
  handler: async (call) => removeRequested(call, await requireIndexByName(call)),
});
