import { contract, plannedTag, reference } from './planned.ts';

export const platformSearch = plannedTag('Platform Search', {
  listPlatformSearchAnalyzers: contract('GET /groups/{groupId}/clusters/{clusterName}/fts/analyzers'),
  updatePlatformSearchAnalyzers: contract('PUT /groups/{groupId}/clusters/{clusterName}/fts/analyzers'),
  createPlatformSearchIndexDeprecated: contract('POST /groups/{groupId}/clusters/{clusterName}/fts/indexes'),
  listPlatformSearchIndexesDeprecated: contract(
    'GET /groups/{groupId}/clusters/{clusterName}/fts/indexes/{databaseName}/{collectionName}',
  ),
  getPlatformSearchIndexDeprecated: contract(
    'GET /groups/{groupId}/clusters/{clusterName}/fts/indexes/{indexId}',
  ),
  updatePlatformSearchIndexDeprecated: contract(
    'PATCH /groups/{groupId}/clusters/{clusterName}/fts/indexes/{indexId}',
  ),
  deletePlatformSearchIndexDeprecated: contract(
    'DELETE /groups/{groupId}/clusters/{clusterName}/fts/indexes/{indexId}',
  ),
  getPlatformSearchDeployment: reference(
    'GET /groups/{groupId}/clusters/{clusterName}/search/deployment',
    '2024-05-30',
  ),
  createPlatformSearchDeployment: reference(
    'POST /groups/{groupId}/clusters/{clusterName}/search/deployment',
    '2024-05-30',
  ),
  updatePlatformSearchDeployment: reference(
    'PATCH /groups/{groupId}/clusters/{clusterName}/search/deployment',
    '2024-05-30',
  ),
  deletePlatformSearchDeployment: reference(
    'DELETE /groups/{groupId}/clusters/{clusterName}/search/deployment',
    '2024-05-30',
  ),
  listPlatformSearchIndexesCluster: reference(
    'GET /groups/{groupId}/clusters/{clusterName}/search/indexes',
    '2024-05-30',
  ),
  createPlatformSearchIndex: contract(
    'POST /groups/{groupId}/clusters/{clusterName}/search/indexes',
    '2024-05-30',
  ),
  listPlatformSearchIndexes: contract(
    'GET /groups/{groupId}/clusters/{clusterName}/search/indexes/{databaseName}/{collectionName}',
    '2024-05-30',
  ),
  getPlatformSearchIndexByName: contract(
    'GET /groups/{groupId}/clusters/{clusterName}/search/indexes/{databaseName}/{collectionName}/{indexName}',
    '2024-05-30',
  ),
  updatePlatformSearchIndexByName: contract(
    'PATCH /groups/{groupId}/clusters/{clusterName}/search/indexes/{databaseName}/{collectionName}/{indexName}',
    '2024-05-30',
  ),
  deletePlatformSearchIndexByName: contract(
    'DELETE /groups/{groupId}/clusters/{clusterName}/search/indexes/{databaseName}/{collectionName}/{indexName}',
    '2024-05-30',
  ),
  getPlatformSearchIndex: contract(
    'GET /groups/{groupId}/clusters/{clusterName}/search/indexes/{indexId}',
    '2024-05-30',
  ),
  updatePlatformSearchIndex: contract(
    'PATCH /groups/{groupId}/clusters/{clusterName}/search/indexes/{indexId}',
    '2024-05-30',
  ),
  deletePlatformSearchIndex: contract(
    'DELETE /groups/{groupId}/clusters/{clusterName}/search/indexes/{indexId}',
    '2024-05-30',
  ),
});
