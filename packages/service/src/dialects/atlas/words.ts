import type { FaultWords, Words } from '../../api/dialect/words.ts';

const analyzers = { beginning: { 'lib.': 'lucene.' } };
const clientIds = { beginning: { db_sa_id_: 'mdb_sa_id_' } };
const limits = { beginning: { 'platform.project.': 'atlas.project.' } };
const roles = { equal: { platformAdmin: 'atlasAdmin' } };

export const words: Words = {
  fields: {
    dbEmployeeAccessGrant: 'mongoDBEmployeeAccessGrant',
    dbMajorVersion: 'mongoDBMajorVersion',
    dbURI: 'mongoURI',
    dbURIUpdated: 'mongoURIUpdated',
    dbURIWithOptions: 'mongoURIWithOptions',
    dbVersion: 'mongoDBVersion',
    dbdVersion: 'mongodVersion',
    gcpServiceAccountForPlatform: 'gcpServiceAccountForAtlas',
    monitoringApiKey: 'datadogApiKey',
    monitoringRegion: 'datadogRegion',
    platformAWSAccountArn: 'atlasAWSAccountArn',
    platformAssumedRoleExternalId: 'atlasAssumedRoleExternalId',
    platformAzureAppId: 'atlasAzureAppId',
    platformCidrBlock: 'atlasCidrBlock',
  },
  values: {
    GROUP_PLATFORM_ADMIN: 'GROUP_ATLAS_ADMIN',
    PLATFORM_DATA_LAKE: 'ATLAS_DATA_LAKE',
    PLATFORM_MANAGED: 'ATLAS_MANAGED',
    PLATFORM_NODE_TYPE: 'ATLAS_NODE_TYPE',
  },
  texts: {
    analyzer: analyzers,
    fieldName: { equal: { PLATFORM_NODE_TYPE: 'ATLAS_NODE_TYPE' } },
    searchAnalyzer: analyzers,
    clientId: clientIds,
    secret: { beginning: { db_sa_sk_: 'mdb_sa_sk_' } },
    name: limits,
    role: roles,
    roleName: roles,
  },
  segments: {
    dbVersions: 'mongoDBVersions',
    ':grantDbEmployeeAccess': ':grantMongoDBEmployeeAccess',
    ':revokeDbEmployeeAccess': ':revokeMongoDBEmployeeAccess',
  },
  parameters: {
    clientId: clientIds,
    limitName: limits,
  },
};

export const faultWords: FaultWords = {
  codes: {
    INVALID_DB_VERSION_CONFIG: 'INVALID_MONGODB_VERSION_CONFIG',
    DB_VERSION_INVALID: 'MONGODB_VERSION_INVALID',
    PLATFORM_FTS_DEPLOYMENT_DOES_NOT_EXIST: 'ATLAS_SEARCH_DEPLOYMENT_DOES_NOT_EXIST',
  },
  parts: { PLATFORM: 'ATLAS' },
};
