import { contract, type PlannedTag, reference } from './planned.ts';

export const platformSearch: PlannedTag = {
  tag: 'Platform Search',
  paths: {
    '/groups/{groupId}/clusters/{clusterName}/fts/analyzers': {
      GET: contract('listPlatformSearchAnalyzers'),
      PUT: contract('updatePlatformSearchAnalyzers'),
    },
    '/groups/{groupId}/clusters/{clusterName}/fts/indexes': {
      POST: contract('createPlatformSearchIndexDeprecated'),
    },
    '/groups/{groupId}/clusters/{clusterName}/fts/indexes/{databaseName}/{collectionName}': {
      GET: contract('listPlatformSearchIndexesDeprecated'),
    },
    '/groups/{groupId}/clusters/{clusterName}/fts/indexes/{indexId}': {
      GET: contract('getPlatformSearchIndexDeprecated'),
      PATCH: contract('updatePlatformSearchIndexDeprecated'),
      DELETE: contract('deletePlatformSearchIndexDeprecated'),
    },
    '/groups/{groupId}/clusters/{clusterName}/search/deployment': {
      GET: reference('getPlatformSearchDeployment', '2025-03-12'),
      POST: reference('createPlatformSearchDeployment', '2024-05-30'),
      PATCH: reference('updatePlatformSearchDeployment', '2024-05-30'),
      DELETE: reference('deletePlatformSearchDeployment', '2024-05-30'),
    },
    '/groups/{groupId}/clusters/{clusterName}/search/indexes': {
      GET: reference('listPlatformSearchIndexesCluster', '2024-05-30'),
      POST: contract('createPlatformSearchIndex', '2024-05-30'),
    },
    '/groups/{groupId}/clusters/{clusterName}/search/indexes/{databaseName}/{collectionName}': {
      GET: contract('listPlatformSearchIndexes', '2024-05-30'),
    },
    '/groups/{groupId}/clusters/{clusterName}/search/indexes/{databaseName}/{collectionName}/{indexName}': {
      GET: contract('getPlatformSearchIndexByName', '2024-05-30'),
      PATCH: contract('updatePlatformSearchIndexByName', '2024-05-30'),
      DELETE: contract('deletePlatformSearchIndexByName', '2024-05-30'),
    },
    '/groups/{groupId}/clusters/{clusterName}/search/indexes/{indexId}': {
      GET: contract('getPlatformSearchIndex', '2024-05-30'),
      PATCH: contract('updatePlatformSearchIndex', '2024-05-30'),
      DELETE: contract('deletePlatformSearchIndex', '2024-05-30'),
    },
  },
};
